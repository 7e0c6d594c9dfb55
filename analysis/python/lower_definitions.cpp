// Functions, lambdas, classes and their decorators.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool has_yield(const Node* node, bool top) {
  if (node == nullptr) return false;
  if (node->type() == NodeType::kYield || node->type() == NodeType::kYieldFrom) return true;
  const bool nested = node->type() == NodeType::kFunctionDef || node->type() == NodeType::kAsyncFunctionDef ||
                      node->type() == NodeType::kLambda || node->type() == NodeType::kClassDef;
  if (nested && !top) return false;
  for (const Node* each : node->children()) {
    if (has_yield(each, false)) return true;
  }
  return false;
}

bool is_mutable(const Abstract& value) {
  return std::any_of(value.atoms.begin(), value.atoms.end(), [](const AtomPtr& atom) {
    return atom->kind == AtomKind::kHeap || atom->kind == AtomKind::kInstance ||
           (atom->kind == AtomKind::kTyped &&
            (atom->type.kind == TypeKind::kTensor || atom->type.kind == TypeKind::kDict ||
             atom->type.kind == TypeKind::kList || atom->type.kind == TypeKind::kOther));
  });
}

}  // namespace

// The class that `node` makes: made once, met again in each round.
Id Lowerer::class_made_by(const Node* node, const std::string& name, const std::string& qualified_name) {
  const auto [slot, fresh] = class_ids_.emplace(node, static_cast<Id>(classes_.size()));
  const Id id = slot->second;
  if (!fresh) return id;
  auto made = std::make_unique<ClassInfo>();
  made->node = node;
  made->unit = frame_->unit;
  made->name = name;
  made->qualified_name = qualified_name;
  made->scope = make_scope(ScopeKind::kClass, frame_->scope, frame_->unit, node, frame_->function, id);
  classes_.push_back(std::move(made));
  grew_ = true;
  return id;
}

// The function that `node` defines: made once, met again in each round.
Id Lowerer::function_of(const Node* node, const std::string& name, bool is_lambda) {
  const auto [slot, fresh] = function_ids_.emplace(node, static_cast<Id>(functions_.size()));
  const Id id = slot->second;
  if (fresh) {
    auto made = std::make_unique<FunctionInfo>();
    made->node = node;
    made->unit = frame_->unit;
    made->name = name;
    const bool in_class = frame_->scope->kind == ScopeKind::kClass;
    if (in_class && !is_lambda) made->class_id = frame_->scope->class_id;
    const FunctionInfo& around = *functions_[static_cast<std::size_t>(frame_->function)];
    if (around.node->type() != NodeType::kModule) made->enclosing = frame_->function;
    if (in_class)
      made->qualified_name = classes_[static_cast<std::size_t>(frame_->scope->class_id)]->qualified_name + "." + name;
    else if (made->enclosing != kNone)
      made->qualified_name = around.qualified_name + ".<locals>." + name;
    else
      made->qualified_name = name;
    functions_.push_back(std::move(made));
    FunctionInfo& info = *functions_.back();
    info.scope = make_scope(ScopeKind::kFunction, frame_->scope, frame_->unit, node, id, kNone);
    info.is_generator = has_yield(is_lambda ? node->child("body") : node, true);
    if (const Node* arguments = node->child("args")) {
      for (const char* field : {"posonlyargs", "args"}) {
        for (const Node* each : arguments->list(field)) {
          if (each != nullptr) info.parameters.push_back(each->text("arg"));
        }
      }
      info.positional = info.parameters.size();
      if (const Node* rest = arguments->child("vararg")) {
        info.var_positional = rest->text("arg");
        info.parameters.push_back(info.var_positional);
      }
      for (const Node* each : arguments->list("kwonlyargs")) {
        if (each != nullptr) info.parameters.push_back(each->text("arg"));
      }
      if (const Node* rest = arguments->child("kwarg")) {
        info.var_keyword = rest->text("arg");
        info.parameters.push_back(info.var_keyword);
      }
    }
    grew_ = true;
  }
  FunctionInfo& info = *functions_[static_cast<std::size_t>(id)];
  // Defaults are values of the enclosing code, made once: a mutable one outlives every call.
  if (const Node* arguments = node->child("args")) {
    const std::vector<const Node*> defaults = arguments->list("defaults");
    const auto bind_default = [&](const std::string& parameter, const Node* value) {
      const Operand operand = expression(value);
      info.default_values[parameter] = operand.value;
      join_into(info.given_next[parameter], operand.abs);
      if (!is_mutable(operand.abs)) return;
      Cell& cell = info.scope->cell(parameter);
      facts::Location location;
      location.storage = storage_of(cell, *info.scope, parameter, value);
      facts::Storage& made = storages_[static_cast<std::size_t>(location.storage)];
      made.kind = facts::StorageKind::kDefaultArgument;
      made.lifetime = facts::Lifetime::kStatic;
      made.owner_function = id;
      emit_store(location, operand, value);
    };
    for (std::size_t i = 0; i < defaults.size() && defaults.size() <= info.positional; ++i) {
      if (defaults[i] != nullptr) bind_default(info.parameters[info.positional - defaults.size() + i], defaults[i]);
    }
    const std::vector<const Node*> keyword_only = arguments->list("kwonlyargs");
    const std::vector<const Node*> keyword_defaults = arguments->list("kw_defaults");
    for (std::size_t i = 0; i < keyword_only.size() && i < keyword_defaults.size(); ++i) {
      if (keyword_only[i] != nullptr && keyword_defaults[i] != nullptr)
        bind_default(keyword_only[i]->text("arg"), keyword_defaults[i]);
    }
  }
  if (!info.reached) {
    info.reached = true;
    pending_.push_back(id);
  }
  return id;
}

void Lowerer::define_function(const Node* node) {
  const std::string name = node->text("name");
  const Id id = function_of(node, name, false);
  FunctionInfo& info = *functions_[static_cast<std::size_t>(id)];
  if (info.class_id != kNone && (name == "__new__" || name == "__init_subclass__" || name == "__class_getitem__"))
    info.is_static = name == "__new__";
  Atom atom;
  atom.kind = AtomKind::kFunction;
  atom.function = id;
  apply_decorators(node, make_value(make(std::move(atom)), node, facts::OriginKind::kConstant));
  // Its own __getattr__ is asked only for what is not there; a module's is asked for what the module holds.
  const bool asked_first = name == "__getattr__" && info.class_id != kNone && is_subclass_of_module(info.class_id);
  if (info.class_id != kNone && (asked_first || name == "__getattribute__" || name == "__setattr__")) {
    classes_[static_cast<std::size_t>(info.class_id)]->dynamic_attributes = true;
  }
}

// Binds the name of `node` to `value` after its decorators, innermost first.
void Lowerer::apply_decorators(const Node* node, Operand value) {
  std::vector<const Node*> decorators = node->list("decorator_list");
  std::vector<std::string> names;
  const Atom* defined = value.abs.single();
  const Id function = defined == nullptr ? kNone : defined->function;
  for (auto each = decorators.rbegin(); each != decorators.rend(); ++each) {
    if (*each == nullptr) continue;
    const Operand decorator = expression(*each);
    std::string canonical_name;
    if (const Atom* atom = decorator.abs.single()) {
      switch (atom->kind) {
        case AtomKind::kSymbol:
          canonical_name = atom->symbol;
          break;
        case AtomKind::kMethod:
          canonical_name = atom->symbol;
          break;
        case AtomKind::kFunction:
          canonical_name = functions_[static_cast<std::size_t>(atom->function)]->qualified_name;
          break;
        default:
          canonical_name = atom->symbol.empty() ? atom->type.name : atom->symbol;
      }
    }
    names.insert(names.begin(), canonical_name);
    if (function != kNone) {
      FunctionInfo& info = *functions_[static_cast<std::size_t>(function)];
      if (canonical_name == "builtins.staticmethod") info.is_static = true;
      if (canonical_name == "builtins.classmethod") info.is_class_method = true;
      if (canonical_name == "builtins.property" || canonical_name == "functools.cached_property")
        info.is_property = true;
      if (canonical_name == "triton.jit" || canonical_name == "triton.runtime.jit.jit" ||
          canonical_name == "numba.cuda.jit" || canonical_name == "cupyx.jit.rawkernel" ||
          canonical_name == "tilelang.language.prim_func" || canonical_name == "warp.kernel" ||
          canonical_name == "cutlass.cute.kernel") {
        info.is_kernel = true;
      }
    }
    value = call(decorator, {{value, "", false, *each}}, *each);
  }
  if (function != kNone) functions_[static_cast<std::size_t>(function)]->decorators = names;
  store_name(node->text("name"), value, node);
}

void Lowerer::define_class(const Node* node) {
  const std::string name = node->text("name");
  std::vector<Operand> bases;
  for (const Node* each : node->list("bases")) {
    if (each != nullptr) bases.push_back(expression(each));
  }
  bool own_metaclass = false;
  Operand metaclass;
  std::vector<Argument> for_bases;
  for (const Node* each : node->list("keywords")) {
    if (each == nullptr) continue;
    const Operand given = expression(each->child("value"));
    const Atom* atom = given.abs.single();
    const bool plain = atom != nullptr && (atom->symbol == "abc.ABCMeta" || atom->symbol == "builtins.type");
    if (each->text("arg") != "metaclass") {
      for_bases.push_back({given, each->text("arg"), each->text("arg").empty(), each});
      continue;
    }
    own_metaclass = !plain;
    metaclass = given;
  }
  std::string qualified_name = name;
  const FunctionInfo& around = *functions_[static_cast<std::size_t>(frame_->function)];
  if (frame_->scope->kind == ScopeKind::kClass) {
    qualified_name = classes_[static_cast<std::size_t>(frame_->scope->class_id)]->qualified_name + "." + name;
  } else if (around.node->type() != NodeType::kModule) {
    qualified_name = around.qualified_name + ".<locals>." + name;
  }
  const Id id = class_made_by(node, name, qualified_name);
  ClassInfo& info = *classes_[static_cast<std::size_t>(id)];
  set_bases(id, base_classes(bases, node));
  info.own_metaclass = own_metaclass;
  info.dynamic_attributes = info.dynamic_attributes || info.unknown_base;
  Scope* const outer = std::exchange(frame_->scope, info.scope);
  statements(node->list("body"));
  frame_->scope = outer;
  const Operand klass = class_value(id, node);
  tell_names(id, klass, node);
  tell_bases(id, klass, for_bases, node);
  if (const Atom* maker = metaclass.abs.single(); maker != nullptr && maker->kind == AtomKind::kClass) {
    info.metaclass = maker->class_id;
    // Its methods are handed the names of the body: what they store there are attributes of the class.
    Atom names;
    names.kind = AtomKind::kWrapped;
    names.symbol = "__dict__";
    names.items = {klass.abs};
    const Operand space = make_value(make(std::move(names)), node, facts::OriginKind::kComputed);
    const Operand word = make_value(text(split::Text::coarse(name, span(node))), node, facts::OriginKind::kConstant);
    const Operand above = make_value(typed(TypeKind::kTuple), node, facts::OriginKind::kComputed);
    for (const char* method : {"__new__", "__init__"}) {
      const Abstract member = class_attribute(maker->class_id, method, false, nullptr);
      const Atom* function = member.single();
      if (function == nullptr || function->kind != AtomKind::kFunction) continue;
      const Operand& first = std::string(method) == "__new__" ? metaclass : klass;
      pass_arguments(
          function->function, nullptr,
          {{first, "", false, node}, {word, "", false, node}, {above, "", false, node}, {space, "", false, node}});
      emit_call(functions_[static_cast<std::size_t>(function->function)]->qualified_name, {first, word, above, space},
                unknown("what a metaclass makes"), node);
      last_statement()->target = function->function;
    }
  }
  apply_decorators(node, klass);
}

void Lowerer::note_field(const Node* annotated) {
  const Node* target = annotated->child("target");
  if (frame_->scope->kind != ScopeKind::kClass || target == nullptr || target->type() != NodeType::kName) return;
  std::vector<std::string>& fields = classes_[static_cast<std::size_t>(frame_->scope->class_id)]->fields;
  const std::string name = target->text("id");
  if (std::find(fields.begin(), fields.end(), name) == fields.end()) fields.push_back(name);
}

// Those of the classes above it come first.
std::vector<std::string> Lowerer::fields_of_class(Id class_id) {
  std::vector<std::string> fields;
  const std::vector<Id> order = mro(class_id);
  for (auto each = order.rbegin(); each != order.rend(); ++each) {
    for (const std::string& name : classes_[static_cast<std::size_t>(*each)]->fields) {
      if (std::find(fields.begin(), fields.end(), name) == fields.end()) fields.push_back(name);
    }
  }
  return fields;
}

// Dataclasses and named tuples: what the call is given becomes the attributes that the class declares.
void Lowerer::fill_fields(Id class_id, const Operand& instance, const std::vector<Argument>& args, const Node* node) {
  const std::vector<std::string> fields = fields_of_class(class_id);
  std::size_t next = 0;
  std::set<std::string> given;
  for (const Argument& arg : args) {
    if (arg.star && !arg.keyword.empty()) return;
    for (std::int64_t i = 0; arg.star && next < fields.size(); ++i) {  // parts of a value that is not known
      const Operand place = make_value(constant(i), node, facts::OriginKind::kConstant);
      given.insert(fields[next]);
      set_attribute(instance, fields[next++], get_item(arg.operand, place, node), node, false);
    }
    if (arg.star) continue;
    const std::string name = !arg.keyword.empty() ? arg.keyword : next < fields.size() ? fields[next++] : std::string();
    given.insert(name);
    if (std::find(fields.begin(), fields.end(), name) != fields.end())
      set_attribute(instance, name, arg.operand, node, false);
  }
  for (const std::string& field : fields) {
    if (given.contains(field)) continue;
    if (const std::optional<Operand> made = made_by_factory(class_id, field, node))
      set_attribute(instance, field, *made, node, false);
  }
  if (!fields.empty() && !class_attribute(class_id, "__post_init__", false, nullptr).bottom())
    call(attribute(instance, "__post_init__", node, true), {}, node);
}

// The bases of a class as they are in this round.
void Lowerer::set_bases(Id id, const std::vector<Operand>& bases) {
  ClassInfo& info = *classes_[static_cast<std::size_t>(id)];
  info.base_names.clear();
  info.base_ids.clear();
  info.unknown_base = false;
  for (const Operand& base : bases) {
    if (base.abs.unknown || base.abs.atoms.empty()) info.unknown_base = info.unknown_base || base.abs.unknown;
    for (const AtomPtr& atom : base.abs.atoms) {
      if (atom->kind == AtomKind::kSymbol) {
        info.base_names.push_back(atom->symbol);
      } else if (atom->kind == AtomKind::kClass && atom->class_id != id) {
        const std::vector<Id> above = mro(atom->class_id);
        if (std::find(above.begin(), above.end(), id) != above.end()) continue;  // a class named like its base
        info.base_names.push_back(classes_[static_cast<std::size_t>(atom->class_id)]->qualified_name);
        info.base_ids.push_back(atom->class_id);
      } else {
        info.unknown_base = true;
      }
    }
  }
}

// type("Name", (Base,), {"forward": f}): a class without a body.
Operand Lowerer::class_from_parts(const std::vector<Argument>& args, const Node* node) {
  const split::Text* word = folded_text(args[0].operand.abs);
  const auto parents = sequence_of(args[1].operand.abs);
  const Atom* members = args[2].operand.abs.single();
  const bool known = members != nullptr && members->kind == AtomKind::kHeap && read_heap(members->site).exact;
  const std::string name = word == nullptr ? "<type()>" : word->bytes;
  const Id id = class_made_by(node, name, name);
  std::vector<Operand> bases;
  if (parents) {
    for (const Abstract& each : *parents) bases.push_back({kNone, each});
  }
  set_bases(id, bases);
  ClassInfo& info = *classes_[static_cast<std::size_t>(id)];
  info.unknown_base = info.unknown_base || !parents;
  if (info.unknown_base || !known) {
    info.dynamic_attributes = true;
    problem("dynamic-call", "A class is made by calling type() with parts that are not known.", node);
  }
  if (known) {
    for (const auto& [key, value] : read_heap(members->site).entries) {
      const split::Text* attribute = folded_text(key);
      if (attribute == nullptr) continue;
      const std::string member = attribute->bytes;
      Cell& cell = info.scope->cell(member);
      const Operand held = get_item(args[2].operand, make_value(key, node, facts::OriginKind::kConstant), node);
      escape(value);
      write_cell(cell, info.scope, held.abs);
      facts::Location location;
      location.storage = storage_of(cell, *info.scope, member, node);
      emit_store(location, held, node);
    }
  }
  return class_value(id, node);
}

Operand Lowerer::class_value(Id class_id, const Node* node) {
  Atom atom;
  atom.kind = AtomKind::kClass;
  atom.class_id = class_id;
  atom.type.kind = TypeKind::kClass;
  atom.type.name = classes_[static_cast<std::size_t>(class_id)]->qualified_name;
  return make_value(make(std::move(atom)), node, facts::OriginKind::kConstant);
}

// dataclasses.field(default=…, default_factory=…), and collections.namedtuple(name, fields), which makes a class.
bool Lowerer::record_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                          const Node* node, Operand& result) {
  if (name == "dataclasses.field") {
    const Argument* factory = argument(args, args.size(), "default_factory");
    if (const Argument* given = argument(args, args.size(), "default")) {
      result = given->operand;
      return true;
    }
    if (factory == nullptr) return false;
    Atom field;
    field.type = {TypeKind::kOther, kMadeByFactory};
    field.items = {factory->operand.abs};
    escape(factory->operand.abs);
    result = plain_call(name, callee, kNone, args, make(std::move(field)), node);
    return true;
  }
  if (name == "dataclasses.replace" && !args.empty()) {
    const std::optional<Operand> made = replaced_record(args[0].operand, {args.begin() + 1, args.end()}, node);
    if (made) result = *made;
    return made.has_value();
  }
  const Argument* title = name == "collections.namedtuple" ? argument(args, 0, "typename") : nullptr;
  const Argument* given = title == nullptr ? nullptr : argument(args, 1, "field_names");
  const split::Text* word = given == nullptr ? nullptr : folded_text(title->operand.abs);
  if (word == nullptr) return false;
  std::vector<std::string> fields;
  if (const split::Text* listed = folded_text(given->operand.abs)) {
    std::string part;
    for (const char each : listed->bytes + " ") {
      if (each != ' ' && each != ',') {
        part += each;
      } else if (!part.empty()) {
        fields.push_back(std::exchange(part, {}));
      }
    }
  } else if (const auto items = sequence_of(given->operand.abs)) {
    for (const Abstract& item : *items) {
      const split::Text* field = folded_text(item);
      if (field == nullptr) return false;
      fields.push_back(field->bytes);
    }
  }
  if (fields.empty()) return false;
  const Id id = class_made_by(node, word->bytes, word->bytes);
  set_bases(id, {{kNone, symbol("typing.NamedTuple")}});
  classes_[static_cast<std::size_t>(id)]->fields = std::move(fields);
  result = class_value(id, node);
  return true;
}

// record._replace(x=…), dataclasses.replace(record, x=…): another of its class, the other fields as they are.
std::optional<Operand> Lowerer::replaced_record(const Operand& record, const std::vector<Argument>& changes,
                                                const Node* node) {
  const Atom* atom = record.abs.single();
  if (atom == nullptr || atom->kind != AtomKind::kInstance) return std::nullopt;
  const Id class_id = atom->class_id;
  std::vector<Argument> given;
  for (const std::string& field : fields_of_class(class_id)) {
    const auto change = std::find_if(changes.begin(), changes.end(),
                                     [&](const Argument& each) { return !each.star && each.keyword == field; });
    given.push_back({change != changes.end() ? change->operand : attribute(record, field, node), field, false, node});
  }
  if (given.empty()) return std::nullopt;
  return call_class(class_id, class_value(class_id, node), given, node);
}

// What a field holds that a dataclass is not called with, where a function makes it.
std::optional<Operand> Lowerer::made_by_factory(Id class_id, const std::string& field, const Node* node) {
  const Abstract declared = class_attribute(class_id, field, false, nullptr);
  const Atom* atom = declared.single();
  if (atom == nullptr || atom->type.name != kMadeByFactory) return std::nullopt;
  return call(make_value(atom->items.front(), node, facts::OriginKind::kConstant), {}, node);
}

void Lowerer::fill_classes() {
  for (const auto& info : classes_) {
    facts::Class& out = facts_.classes.emplace_back();
    out.name = info->name;
    out.qualified_name = info->qualified_name;
    out.unit = info->unit->facts_unit;
    out.bases = info->base_names;
    out.base_classes = info->base_ids;
    out.span = locator_.locate(info->unit->text.map.resolve(info->node->begin, info->node->end));
    for (const auto& [name, cell] : info->scope->cells) {
      const Abstract& value = info->overrides.count(name) != 0 ? info->overrides[name].back().first : cell->prev;
      for (const AtomPtr& atom : value.atoms) {
        const Atom* each = atom.get();
        if (each->kind == AtomKind::kWrapped && !each->items.empty() && each->items.front().single() != nullptr)
          each = each->items.front().single();
        if (each->kind == AtomKind::kFunction) out.methods.emplace_back(name, each->function);
      }
    }
    for (const std::string& name : info->fields) {
      if (const auto field = info->attributes.find(name); field != info->attributes.end())
        out.attributes.emplace_back(name, type_of(field->second->prev));
    }
    for (const auto& [name, cell] : info->attributes) {
      if (std::find(info->fields.begin(), info->fields.end(), name) == info->fields.end())
        out.attributes.emplace_back(name, type_of(cell->prev));
    }
  }
}

// Where the class holds an object under the name of its method: what the __get__ of the object returns runs, or its
// __call__. The method that the class body defines says what callers pass.
void Lowerer::entered_through(const Atom& object, Id owner, const std::string& method, std::vector<Id>& functions) {
  const auto function_of_class = [&](const char* name) {
    const Abstract member = class_attribute(object.class_id, name, false, nullptr);
    const Atom* found = member.single();
    return found != nullptr && found->kind == AtomKind::kFunction ? found->function : kNone;
  };
  Id runs = function_of_class("__call__");
  if (const Id getter = function_of_class("__get__"); getter != kNone) {
    FunctionInfo& info = *functions_[static_cast<std::size_t>(getter)];
    if (info.positional > 1) {
      Atom self;
      self.kind = AtomKind::kInstance;
      self.class_id = facts_.entry_class;
      self.type = {TypeKind::kModule, classes_[static_cast<std::size_t>(facts_.entry_class)]->qualified_name};
      join_into(info.given_next[info.parameters[1]], make(std::move(self)));
    }
    const Atom* returned = info.returns_prev.single();
    runs = returned != nullptr && returned->kind == AtomKind::kFunction ? returned->function : kNone;
  }
  if (runs == kNone) return;
  functions_[static_cast<std::size_t>(runs)]->assume_tensors = true;
  const auto defined = std::find_if(functions_.begin(), functions_.end(), [&](const auto& each) {
    return each->class_id == owner && each->name == method && each->reached;
  });
  functions.push_back(defined == functions_.end() ? runs : static_cast<Id>(defined - functions_.begin()));
}

// ModelNew, else Model, and its forward. Between rounds it marks the entry, whose arguments are tensors.
void Lowerer::choose_entry() {
  for (auto& function : functions_) function->assume_tensors = false;
  facts_.entry_class = facts_.entry_function = kNone;
  if (units_.empty() || units_.front()->scope == nullptr) return;
  Scope& module = *units_.front()->scope;
  Abstract value;
  std::string name;
  for (const char* each : {"ModelNew", "Model"}) {
    Cell* cell = module.find(each);
    if (cell == nullptr) continue;
    value = cell->settled ? *cell->settled : cell->prev;
    name = each;
    break;
  }
  std::vector<Id> candidates;
  for (const AtomPtr& atom : value.atoms) {
    const Atom* each = atom.get();
    while (each->kind == AtomKind::kWrapped && !each->items.empty() && each->items.front().single() != nullptr)
      each = each->items.front().single();
    if (each->kind == AtomKind::kClass || each->kind == AtomKind::kInstance) candidates.push_back(each->class_id);
    if (each->kind == AtomKind::kFunction) {  // a function that makes the module
      const Abstract& made = functions_[static_cast<std::size_t>(each->function)]->returns_prev;
      const Atom* instance = made.single();
      if (instance != nullptr && instance->kind == AtomKind::kInstance) candidates.push_back(instance->class_id);
    }
  }
  if (candidates.empty()) {
    if (units_.front()->ast == nullptr) return;  // said already
    problem("no-entry",
            name.empty() ? "The candidate defines no class 'ModelNew' or 'Model'."
                         : "'" + name + "' is not a class that could be resolved.",
            nullptr);
    return;
  }
  if (candidates.size() > 1 || value.unknown) {
    problem("dynamic-call", "'" + name + "' may be one of several classes; the last one is taken.", nullptr);
  }
  facts_.entry_class = candidates.back();
  note_dynamic_class(facts_.entry_class);
  for (const char* method : {"__call__", "_wrapped_call_impl", "_call_impl", "forward"}) {
    const bool private_part = method[0] == '_' && method[1] != '_';
    if (private_part && !is_subclass_of_module(facts_.entry_class)) continue;
    Id owner = kNone;
    Abstract member = class_attribute(facts_.entry_class, method, false, &owner);
    std::vector<Id> functions;
    if (Cell* held = member.bottom() && std::string(method) == "forward"
                         ? find_instance_cell(facts_.entry_class, method, &owner)
                         : nullptr)
      member = held->prev;  // self.forward = …, and no method of that name
    for (const AtomPtr& atom : member.atoms) {
      const Atom* each = atom.get();
      while (each->kind == AtomKind::kWrapped && !each->items.empty() && each->items.front().single() != nullptr)
        each = each->items.front().single();
      if (each->kind == AtomKind::kFunction) functions.push_back(each->function);
      if (each->kind == AtomKind::kInstance) entered_through(*each, owner, method, functions);
    }
    if (functions.empty() && !member.bottom() && std::string(method) != "forward") {
      problem("dynamic-call", "'" + std::string(method) + "' of the entry class is no function that could be resolved.",
              nullptr);
    }
    if (functions.empty()) continue;
    if (functions.size() > 1 || member.unknown) {
      problem_of_class(
          *classes_[static_cast<std::size_t>(facts_.entry_class)],
          "'" + std::string(method) + "' of the entry class may be one of several functions; the last one is taken.");
    }
    facts_.entry_function = functions.back();
    for (const Id each : functions) functions_[static_cast<std::size_t>(each)]->assume_tensors = true;
    break;
  }
  if (facts_.entry_function == kNone) {
    std::string framework = framework_forward(facts_.entry_class, kNone);
    if (const std::string base = foreign_base_of(facts_.entry_class); framework.empty() && base.ends_with(".Model"))
      framework = base;  // the reference, from another package
    if (!framework.empty()) {
      const ClassInfo& entry = *classes_[static_cast<std::size_t>(facts_.entry_class)];
      problem("framework-forward", entry.name + " has no forward of its own: that of " + framework + " runs.",
              entry.node, false);
      return;
    }
    problem("no-entry", "The entry class '" + name + "' has no forward of its own that could be resolved.", nullptr);
    return;
  }
  FunctionInfo& entry = *functions_[static_cast<std::size_t>(facts_.entry_function)];
  if (!entry.is_static &&
      !entry.parameters.empty()) {  // self is an instance of the entry class, whoever defines the method
    Atom self;
    self.kind = AtomKind::kInstance;
    self.class_id = facts_.entry_class;
    self.type.name = classes_[static_cast<std::size_t>(facts_.entry_class)]->qualified_name;
    self.type.kind = is_subclass_of_module(facts_.entry_class) ? TypeKind::kModule : TypeKind::kOther;
    join_into(entry.given_next[entry.parameters.front()], make(std::move(self)));
  }
}

}  // namespace kernel_audit::analysis::python
