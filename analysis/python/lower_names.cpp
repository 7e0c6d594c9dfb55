// Names and attributes: where they are stored and what they denote.
#include <algorithm>

#include "analysis/facts/mro.h"
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool is_definition(const Abstract& value) {
  const Atom* atom = value.single();
  return atom != nullptr &&
         (atom->kind == AtomKind::kSymbol || atom->kind == AtomKind::kFunction || atom->kind == AtomKind::kClass ||
          atom->kind == AtomKind::kModule || atom->kind == AtomKind::kExtension);
}

bool is_method_of_table(const std::string& name) {
  static const std::set<std::string> methods = {"update", "setdefault", "get", "pop", "__getitem__", "__setitem__"};
  return methods.contains(name);
}

}  // namespace

Operand Lowerer::name(const Node* node) { return load_name(node->text("id"), node, frame_->scope); }

Operand Lowerer::load_name(const std::string& name, const Node* node, Scope* scope) {
  Found found = lookup(name, scope);
  // A class body that has not stored to the name yet reads what is around the class.
  const bool own = found.cell != nullptr && found.scope == scope && scope->kind == ScopeKind::kClass;
  if (own && !found.cell->stored_elsewhere &&
      frame_->state.variables.find(found.cell) == frame_->state.variables.end()) {
    if (const Found around = lookup(name, scope->parent, true); around.cell != nullptr) found = around;
  }
  if (found.cell != nullptr) {
    Abstract abs = read_cell(*found.cell);
    if (is_definition(abs)) return make_value(std::move(abs), node, facts::OriginKind::kConstant);
    facts::Location location;
    location.storage = storage_of(*found.cell, *found.scope, name, node);
    if (abs.bottom()) abs = unknown("variable '" + name + "' has no value that was seen");
    return emit_load(location, std::move(abs), node);
  }
  if (name == "__name__") return make_value(symbol("__name__"), node, facts::OriginKind::kConstant);
  if (name == "__file__") {
    return make_value(text(split::Text::coarse(frame_->unit->path, span(node))), node, facts::OriginKind::kConstant);
  }
  Abstract abs;
  Scope* module = scope;
  while (module->parent != nullptr) module = module->parent;
  for (const std::string& package : module->star_modules) join_into(abs, symbol(canonical(package + "." + name)));
  if (is_builtin(name)) join_into(abs, symbol("builtins." + name));
  if (name == "__builtins__") abs = symbol("builtins");
  if (abs.bottom()) abs = unknown("name '" + name + "' is not defined in what was read");
  if (abs.unknown || abs.single() != nullptr) return make_value(std::move(abs), node, facts::OriginKind::kConstant);
  return make_value(std::move(abs), node, facts::OriginKind::kUnknown);
}

std::vector<Id> Lowerer::mro(Id class_id) {
  return facts::method_resolution_order(
      class_id, [this](Id id) -> const std::vector<Id>& { return classes_[static_cast<std::size_t>(id)]->base_ids; });
}

std::string Lowerer::foreign_base_of(Id class_id) {
  for (const Id each : mro(class_id)) {
    const ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
    for (const std::string& base : info.base_names) {
      if (base.find('.') == std::string::npos || base == "builtins.object" || base.rfind("typing.", 0) == 0) continue;
      const bool own = std::any_of(info.base_ids.begin(), info.base_ids.end(), [&](Id id) {
        return classes_[static_cast<std::size_t>(id)]->qualified_name == base;
      });
      if (!own) return base;
    }
  }
  return {};
}

bool Lowerer::is_subclass_of_module(Id class_id) {
  const std::string base = foreign_base_of(class_id);
  return is_framework_module(base) || base == "torch.nn.Module" || base == "torch.jit.ScriptModule";
}

std::string Lowerer::framework_forward(Id class_id, Id before, Id after) {
  // Own classes stand in the order by their ids, the framework's by numbers below kNone.
  std::vector<std::string> modules{"torch.nn.Module"};
  const auto number_of = [&](const std::string& name) {
    const auto at = std::find(modules.begin(), modules.end(), name);
    if (at == modules.end()) modules.push_back(name);
    return facts::kNone - 1 - static_cast<Id>(std::find(modules.begin(), modules.end(), name) - modules.begin());
  };
  std::map<Id, std::vector<Id>> above;
  const auto bases_of = [&](Id id) -> const std::vector<Id>& {
    const auto [bases, first] = above.try_emplace(id);
    if (!first) return bases->second;
    if (id < facts::kNone) {
      if (id != facts::kNone - 1) bases->second.push_back(facts::kNone - 1);
      return bases->second;
    }
    const ClassInfo& info = *classes_[static_cast<std::size_t>(id)];
    auto own = info.base_ids.begin();
    for (const std::string& name : info.base_names) {
      if (own != info.base_ids.end() && classes_[static_cast<std::size_t>(*own)]->qualified_name == name) {
        bases->second.push_back(*own++);
      } else if (is_framework_module(name)) {
        bases->second.push_back(number_of(name));
      }
    }
    return bases->second;
  };
  static const std::set<std::string> without = {"torch.nn.Module", "torch.nn.ModuleList", "torch.nn.ModuleDict"};
  bool looking = after == kNone;
  for (const Id id : facts::method_resolution_order(class_id, bases_of)) {
    if (!std::exchange(looking, looking || id == after)) continue;
    if (id == before && id != kNone) return {};
    if (id >= kNone) continue;
    const std::string& name = modules[static_cast<std::size_t>(facts::kNone - 1 - id)];
    if (!without.contains(name)) return name;
  }
  return {};
}

// Value of a class attribute after inheritance; bottom when no own class has it.
Abstract Lowerer::class_attribute(Id class_id, const std::string& name, bool skip_self, Id* owner) {
  for (const Id each : mro(class_id)) {
    if (skip_self && each == class_id) continue;
    ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
    if (info.scope == nullptr) continue;
    Cell* cell = info.scope->find(name);
    if (cell == nullptr) continue;
    if (name == "forward" && !framework_forward(class_id, each).empty()) return {};
    if (owner != nullptr) *owner = each;
    const auto replaced = info.overrides.find(name);
    if (replaced != info.overrides.end() && !replaced->second.empty() && replaced->second.back().second) {
      return replaced->second.back().first;  // the last store to it, made unconditionally at module level
    }
    return read_cell(*cell);
  }
  return {};
}

Cell* Lowerer::find_instance_cell(Id class_id, const std::string& name, Id* owner) {
  for (const Id each : mro(class_id)) {
    ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
    const auto found = info.attributes.find(name);
    if (found == info.attributes.end()) continue;
    *owner = each;
    return found->second.get();
  }
  return nullptr;
}

// Made on first use.
Cell& Lowerer::instance_cell(Id class_id, const std::string& name, Id* owner) {
  if (Cell* known = find_instance_cell(class_id, name, owner)) return *known;
  *owner = class_id;
  grew_ = true;
  return *(classes_[static_cast<std::size_t>(class_id)]->attributes[name] = std::make_unique<Cell>());
}

// `member` of a class as seen through an instance (functions bind it) or through the class.
Abstract Lowerer::bound(const Abstract& member, const Operand& receiver, Id class_id, bool on_class) {
  Abstract result;
  result.unknown = member.unknown;
  result.reason = member.reason;
  for (const AtomPtr& atom : member.atoms) {
    Atom copy = *atom;
    if (atom->kind == AtomKind::kFunction && atom->self.empty()) {
      const FunctionInfo& info = *functions_[static_cast<std::size_t>(atom->function)];
      if (info.is_class_method) {
        Atom type;
        type.kind = AtomKind::kClass;
        type.class_id = class_id;
        copy.self = {make(std::move(type))};
      } else if (!info.is_static && !on_class) {
        copy.self = {receiver.abs};
        copy.self_value = receiver.value;
        copy.self_function = frame_->function;
      }
    } else if (atom->kind == AtomKind::kPartial && atom->symbol == kPartialMethod && !on_class) {
      copy.symbol.clear();
      copy.items[0] = bound(atom->items.front(), receiver, class_id, false);
      copy.item_values[0] = kNone;
    } else if (atom->kind == AtomKind::kWrapped && !atom->items.empty()) {
      copy.items[0] = bound(atom->items.front(), receiver, class_id, on_class);
    }
    join_into(result, make(std::move(copy)));
  }
  return result;
}

Operand Lowerer::method_value(const std::string& symbol_name, const Operand& base, const Node* node, Id class_id) {
  Atom atom;
  atom.kind = AtomKind::kMethod;
  atom.symbol = symbol_name;
  atom.self = {base.abs};
  atom.self_value = base.value;
  atom.self_function = frame_->function;
  atom.class_id = class_id;
  Operand made = make_value(make(std::move(atom)), node, facts::OriginKind::kComputed);
  facts_.values[static_cast<std::size_t>(made.value)].class_id = kNone;
  return made;
}

Operand Lowerer::other_attribute(const Operand& base, const std::string& name, Abstract abs, const Node* node) {
  facts::Location location;
  location.storage = storage(facts::StorageKind::kOtherAttribute, name, facts::Lifetime::kObject, kNone, kNone);
  location.base = base.value;
  const auto stored = other_.find(name);
  if (stored != other_.end()) join_into(abs, read_cell(stored->second));
  if (name == "shape") abs.usual = base.abs.usual;
  Operand result = emit_load(location, std::move(abs), node);
  facts::Value& value = facts_.values[static_cast<std::size_t>(result.value)];
  if (value.origin == facts::OriginKind::kState && stored == other_.end()) value.origin = facts::OriginKind::kComputed;
  return result;
}

// x.__dict__, or a module's own table: a dictionary whose entries are the attributes of x.
Operand Lowerer::table_of_attributes(const Operand& base, const std::string& name, const Node* node) {
  Atom atom;
  atom.kind = AtomKind::kWrapped;
  atom.symbol = "__dict__";
  atom.items = {base.abs};
  atom.type.kind = TypeKind::kDict;
  Operand attributes;
  if (name == "__dict__") {
    facts::Location location;
    location.base = base.value;
    location.storage = storage(facts::StorageKind::kOtherAttribute, name, facts::Lifetime::kObject, kNone, kNone);
    attributes = emit_load(location, make(std::move(atom)), node);
  } else {
    attributes = make_value(make(std::move(atom)), node, facts::OriginKind::kComputed);
  }
  owners_of_attributes_[attributes.value] = base.value;
  return attributes;
}

Operand Lowerer::instance_attribute(Id class_id, const Operand& base, const std::string& name, const Node* node) {
  ClassInfo& info = *classes_[static_cast<std::size_t>(class_id)];
  if (name == "__class__") {
    Atom atom;
    atom.kind = AtomKind::kClass;
    atom.class_id = class_id;
    atom.type.name = info.qualified_name;
    return make_value(make(std::move(atom)), node, facts::OriginKind::kComputed);
  }
  // The tables of a module stand for its attributes.
  const bool table = name == "_modules" || name == "_parameters" || name == "_buffers";
  if (name == "__dict__" || (table && is_subclass_of_module(class_id))) return table_of_attributes(base, name, node);
  if (const std::optional<Operand> found = looked_up(class_id, base, name, node)) return *found;
  Id owner = kNone;
  Id class_owner = kNone;
  const Abstract member = class_attribute(class_id, name, false, &class_owner);
  const Atom* function = member.single();
  if (function != nullptr && function->kind == AtomKind::kFunction &&
      functions_[static_cast<std::size_t>(function->function)]->is_property) {
    return call(make_value(bound(member, base, class_id, false), node, facts::OriginKind::kConstant), {}, node);
  }
  if (const std::optional<Operand> kept = kept_by_instance(member, class_owner, class_id, base, name, node))
    return *kept;
  if (member.bottom() && !is_subclass_of_module(class_id)) {
    const Abstract own = class_attribute(class_id, "__getattr__", false, nullptr);
    if (const Atom* method = own.single(); method != nullptr && method->kind == AtomKind::kFunction)
      pass_arguments(method->function, &base, {{word_of(name, node), "", false, node}});
  }
  facts::Location location;
  location.base = base.value;
  if (Cell* cell = find_instance_cell(class_id, name, &owner)) {
    Abstract abs = read_cell(*cell);
    if (!member.bottom() && function != nullptr && function->kind != AtomKind::kFunction) join_into(abs, member);
    if (info.dynamic_attributes) join_into(abs, unknown("attributes of its class are set by names that are not known"));
    if (abs.bottom()) abs = unknown("attribute '" + name + "' has no value that was seen");
    location.storage = storage(facts::StorageKind::kInstanceAttribute, name, facts::Lifetime::kObject, kNone, owner);
    storages_[static_cast<std::size_t>(location.storage)].type = type_of(abs);
    return emit_load(location, std::move(abs), node);
  }
  if (!member.bottom()) {
    if (is_definition(member) || (function != nullptr && function->kind == AtomKind::kWrapped)) {
      return make_value(bound(member, base, class_id, false), node, facts::OriginKind::kConstant);
    }
    const Operand held = held_by_class(member, class_owner, class_id, base, name, node);
    if (const std::optional<Operand> given = described(member, held, base, class_id, node)) return *given;
    return held;
  }
  const std::string foreign = foreign_base_of(class_id);
  if (const std::optional<Operand> made = made_by_getattr(class_id, base, name, node)) return *made;
  if (!foreign.empty()) {
    const facts::Type type{is_subclass_of_module(class_id) ? TypeKind::kModule : TypeKind::kOther, foreign};
    const Abstract data = foreign_attribute_type(type, name);
    if (!data.bottom()) return other_attribute(base, name, data, node);
    if (foreign == "collections.UserDict" && name == "data")
      return other_attribute(base, name, typed(TypeKind::kDict), node);
    return method_value(foreign + "." + name, base, node, class_id);
  }
  const bool answers = !class_attribute(class_id, "__getattr__", false, nullptr).bottom();
  if (info.unknown_base || info.dynamic_attributes || answers) {
    location.storage = storage(facts::StorageKind::kInstanceAttribute, name, facts::Lifetime::kObject, kNone, class_id);
    return emit_load(location, unknown("attribute '" + name + "' comes from a class that is not known"), node);
  }
  return method_value(info.qualified_name + "." + name, base, node, class_id);
}

Operand Lowerer::foreign_attribute(const std::string& package, const std::string& name, const Node* node) {
  const std::string full = canonical(package + "." + name);
  const auto stored = foreign_.find(full);
  if (stored != foreign_.end()) {  // the candidate replaces it: it is a variable
    facts::Location location;
    location.storage = storage(facts::StorageKind::kForeign, full, facts::Lifetime::kStatic, kNone, kNone);
    Abstract abs = read_cell(stored->second);
    const Abstract flag = foreign_attribute_type({TypeKind::kPackage, package}, name);
    if (!flag.bottom())
      join_into(abs, flag);
    else
      join_into(abs, symbol(full));
    return emit_load(location, std::move(abs), node);
  }
  const Abstract data = foreign_attribute_type({TypeKind::kPackage, package}, name);
  if (!data.bottom()) {
    Operand result = make_value(data, node, facts::OriginKind::kConstant);
    facts_.values[static_cast<std::size_t>(result.value)].symbol = full;
    return result;
  }
  return make_value(symbol(full), node, facts::OriginKind::kConstant);
}

Operand Lowerer::attribute_of(const Atom& atom, const Operand& base, const std::string& name, const Node* node,
                              bool for_call) {
  if (atom.kind == AtomKind::kPartial && atom.symbol == "kernel(args)" && name == "launch") {
    Atom launched = atom;
    launched.symbol = "kernel(args).launch";
    return make_value(make(std::move(launched)), node, facts::OriginKind::kComputed);
  }
  switch (atom.kind) {
    case AtomKind::kSymbol:
      if (Abstract part = own_part(atom, name, node); !part.bottom())
        return make_value(std::move(part), node, facts::OriginKind::kConstant);
      return foreign_attribute(atom.symbol, name, node);
    case AtomKind::kModule:
      if (name == "__dict__") return base;
      if (for_call && is_method_of_table(name) && atom.scope->find(name) == nullptr)
        return method_value("builtins.dict." + name, base, node);  // globals().update(…)
      if (Abstract part = atom.scope->find(name) == nullptr ? own_part(atom, name, node) : Abstract{}; !part.bottom())
        return make_value(std::move(part), node, facts::OriginKind::kConstant);
      if (Cell* own = atom.scope->find("__getattr__"); own != nullptr && atom.scope->find(name) == nullptr) {
        const Operand word =
            make_value(text(split::Text::coarse(name, span(node))), node, facts::OriginKind::kConstant);
        return call(load_name("__getattr__", node, atom.scope), {{word, "", false, node}}, node);
      }
      return load_name(name, node, atom.scope);
    case AtomKind::kInstance:
      return instance_attribute(atom.class_id, base, name, node);
    case AtomKind::kClass: {
      Id owner = kNone;
      Abstract member = class_attribute(atom.class_id, name, false, &owner);
      const Id above = classes_[static_cast<std::size_t>(atom.class_id)]->metaclass;
      if (member.bottom() && above != kNone) {  // a class is an instance of its metaclass
        member = class_attribute(above, name, false, &owner);
        if (is_definition(member))
          return make_value(bound(member, base, above, false), node, facts::OriginKind::kConstant);
      }
      if (!member.bottom()) {
        if (is_definition(member)) {
          return make_value(bound(member, base, atom.class_id, true), node, facts::OriginKind::kConstant);
        }
        ClassInfo& holder = *classes_[static_cast<std::size_t>(owner)];
        facts::Location location;
        location.storage = storage_of(*holder.scope->find(name), *holder.scope, name, node);
        location.base = base.value;
        const Operand held = emit_load(location, bound(member, base, atom.class_id, true), node);
        const Operand none = make_value(constant(nullptr), node, facts::OriginKind::kConstant);
        if (const std::optional<Operand> given = described(member, held, none, atom.class_id, node)) return *given;
        return held;
      }
      if (name == "__name__" || name == "__qualname__")
        return word_of(classes_[static_cast<std::size_t>(atom.class_id)]->name, node);
      if (name == "__dict__") return table_of_attributes(base, name, node);
      std::string foreign = foreign_base_of(atom.class_id);
      if (foreign.empty()) foreign = classes_[static_cast<std::size_t>(atom.class_id)]->qualified_name;
      return method_value(foreign + "." + name, base, node, atom.class_id);
    }
    case AtomKind::kFunction: {
      if (name == "__call__" || name == "__func__" || name == "__wrapped__") return base;
      FunctionInfo& info = *functions_[static_cast<std::size_t>(atom.function)];
      if (name == "__globals__") return module_around(info.scope, node);
      const auto found = info.attributes.find(name);
      if (info.is_property && name == "setter") return method_value("builtins.property.setter", base, node);
      if (found == info.attributes.end() && name == "__name__" && info.node->type() != NodeType::kLambda)
        return word_of(info.name, node);
      if (found == info.attributes.end() && (name == "__name__" || name == "__doc__" || name == "__module__")) {
        return make_value(typed(TypeKind::kString), node, facts::OriginKind::kConstant);
      }
      if (found == info.attributes.end() && for_call) return method_value("builtins.function." + name, base, node);
      facts::Location location;
      location.storage =
          storage(facts::StorageKind::kFunctionAttribute, name, facts::Lifetime::kStatic, atom.function, kNone);
      location.base = base.value;
      Abstract abs = found == info.attributes.end() ? Abstract{} : read_cell(*found->second);
      if (abs.bottom()) abs = unknown("function attribute '" + name + "' has no value that was seen");
      return emit_load(location, std::move(abs), node);
    }
    case AtomKind::kSuper: {
      // Looked up after the class that super() names, in the order of the instance's own class.
      const Atom* self = atom.self.empty() ? nullptr : atom.self.front().single();
      const Id start = self != nullptr && (self->kind == AtomKind::kInstance || self->kind == AtomKind::kClass)
                           ? self->class_id
                           : atom.class_id;
      Operand receiver{atom.self_value, atom.self.empty() ? Abstract{} : atom.self.front()};
      if (atom.self_function != frame_->function)
        receiver = make_value(receiver.abs, node, facts::OriginKind::kComputed);
      std::vector<Id> order = mro(start);
      const auto at = std::find(order.begin(), order.end(), atom.class_id);
      if (at != order.end()) order.erase(order.begin(), at + 1);
      for (const Id each : order) {
        ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
        Cell* cell = info.scope == nullptr ? nullptr : info.scope->find(name);
        if (cell == nullptr) continue;
        Operand made = make_value(bound(read_cell(*cell), receiver, start, false), node, facts::OriginKind::kConstant);
        facts_.values[static_cast<std::size_t>(made.value)].symbol = "super." + name;
        return made;
      }
      std::string foreign = name == "forward" ? framework_forward(start, kNone, atom.class_id) : std::string();
      if (foreign.empty()) foreign = foreign_base_of(atom.class_id);
      if (foreign.empty())
        foreign = foreign_base_of(start);  // a mixin's: further on in the order of the instance's class
      return method_value((foreign.empty() ? "builtins.object" : foreign) + "." + name, receiver, node, atom.class_id);
    }
    case AtomKind::kExtension:
      if (atom.name.empty()) {
        Atom function = atom;
        function.name = name;
        return make_value(make(std::move(function)), node, facts::OriginKind::kConstant);
      }
      return method_value("?." + name, base, node);
    case AtomKind::kWrapped:
      if (!atom.items.empty() && atom.symbol != "__dict__") {
        Operand inner = base;
        inner.abs = atom.items.front();
        return attribute(inner, name, node, for_call);
      }
      return method_value("builtins.dict." + name, base, node);
    default: {
      if (std::optional<Operand> part = named_part(atom, base, name, node, for_call)) return *part;
      const facts::Type type = type_of(atom);
      if (type.name == kFieldOfClass && name == "name") return word_of(atom.name, node);
      // Of what is plain, members of an enumeration alone have these, and they are their values here.
      const bool plain = type.kind == TypeKind::kString || type.kind == TypeKind::kInt ||
                         type.kind == TypeKind::kFloat || type.kind == TypeKind::kBool || type.kind == TypeKind::kTuple;
      if (plain && !for_call && name == "value") return {base.value, make(atom)};
      if (plain && !for_call && name == "name" && type.name.empty())
        return make_value(typed(TypeKind::kString), node, facts::OriginKind::kComputed);
      if (atom.kind == AtomKind::kText && type.name == "pathlib.Path" && !for_call) {
        const Abstract folded = fold_method(atom, name, {}, node);
        if (!folded.bottom()) return make_value(folded, node, facts::OriginKind::kConstant);
      }
      if (type.name == "io.file" && name == "name" && !atom.symbol.empty()) {  // of an open file: where it is
        const bool partial = atom.symbol.find('?') != std::string::npos;
        return make_value(text(split::Text::coarse(atom.symbol, span(node)), partial), node,
                          facts::OriginKind::kConstant);
      }
      if (name == "__class__") {
        return make_value(type.name.empty() ? unknown("the class of a value") : symbol(class_of(type)), node,
                          facts::OriginKind::kComputed);
      }
      if (type.name == "builtins.generator" && !for_call) {  // handed on with the generator that it steps
        const Abstract method = method_value("builtins.generator." + name, base, node).abs;
        return other_attribute(base, name, method, node);
      }
      const Abstract data = foreign_attribute_type(type, name);
      if (!data.bottom()) return other_attribute(base, name, data, node);
      if (name == "__dict__" && type.name == "types.ModuleType")
        return other_attribute(base, name, typed(TypeKind::kDict), node);
      if (name == "__dict__" && !for_call && (type.kind == TypeKind::kTensor || type.kind == TypeKind::kParameter))
        return table_of_attributes(base, name, node);
      if (other_.count(name) != 0 && !for_call) return other_attribute(base, name, Abstract{}, node);
      if (type.kind == TypeKind::kUnknown && !for_call) {
        return other_attribute(base, name, unknown("an attribute of a value of unknown class"), node);
      }
      if (type.kind == TypeKind::kOther && type.name.empty() && !for_call) {
        return other_attribute(base, name, unknown("an attribute of a value of unknown class"), node);
      }
      return method_value(class_of(type) + "." + name, base, node);
    }
  }
}

Operand Lowerer::attribute(const Operand& base, const std::string& name, const Node* node, bool for_call) {
  if ((name == "value" || name == "_value_") && is_enum_member(base)) return base;
  std::vector<Operand> ways;
  for (const AtomPtr& atom : base.abs.atoms) {
    // None has no such method: where it may be something else as well, the call is of that, or raises.
    const bool none = atom->kind == AtomKind::kConstant && atom->constant.is_null();
    if (none && for_call && base.abs.atoms.size() > 1 && !name.starts_with("__")) continue;
    ways.push_back(attribute_of(*atom, base, name, node, for_call));
  }
  if (base.abs.unknown || ways.empty()) {
    if (for_call)
      ways.push_back(method_value("?." + name, base, node));
    else
      ways.push_back(other_attribute(base, name, unknown("an attribute of an unknown value"), node));
  }
  if (ways.size() == 1) return ways.front();
  Operand either = emit_phi(ways, node);
  if (name == "__dict__") owners_of_attributes_[either.value] = base.value;
  return either;
}

void Lowerer::set_attribute(const Operand& base, const std::string& name, const Operand& value, const Node* node,
                            bool augmented) {
  escape(value.abs);
  bool stored = false;
  for (const AtomPtr& atom : base.abs.atoms) {
    note_replaced_part(*atom, name, node);
    facts::Location location;
    location.base = base.value;
    switch (atom->kind) {
      case AtomKind::kInstance: {
        Id owner = kNone;
        Cell* const cell = &instance_cell(atom->class_id, name, &owner);
        write_cell(*cell, nullptr, value.abs);
        location.storage =
            storage(facts::StorageKind::kInstanceAttribute, name, facts::Lifetime::kObject, kNone, owner);
        if (final_round_) {
          facts::Storage& made = storages_[static_cast<std::size_t>(location.storage)];
          made.type = type_of(cell->prev);
          if (!made.span.known()) made.span = span(node);
        }
        break;
      }
      case AtomKind::kClass: {
        ClassInfo& info = *classes_[static_cast<std::size_t>(atom->class_id)];
        Cell& cell = info.scope->cell(name);
        cell.stored_elsewhere = true;
        write_cell(cell, nullptr, value.abs);
        const bool certain =
            frame_->function == info.unit->body && frame_->conditional_depth == 0 && frame_->loop_depth == 0;
        if (frame_->state.reachable) info.overrides[name].emplace_back(value.abs, certain);
        location.storage = storage_of(cell, *info.scope, name, node);
        break;
      }
      case AtomKind::kFunction: {
        std::unique_ptr<Cell>& cell = functions_[static_cast<std::size_t>(atom->function)]->attributes[name];
        if (cell == nullptr) {
          cell = std::make_unique<Cell>();
          grew_ = true;
        }
        write_cell(*cell, nullptr, value.abs);
        location.storage =
            storage(facts::StorageKind::kFunctionAttribute, name, facts::Lifetime::kStatic, atom->function, kNone);
        break;
      }
      case AtomKind::kModule: {
        Cell& cell = atom->scope->cell(name);
        cell.stored_elsewhere = true;
        write_cell(cell, atom->scope, value.abs);
        location.storage = storage_of(cell, *atom->scope, name, node);
        location.base = kNone;
        break;
      }
      case AtomKind::kSymbol:
      case AtomKind::kExtension: {
        const std::string full = canonical(atom->symbol + (atom->name.empty() ? "" : "." + atom->name) + "." + name);
        const auto [slot, fresh] = foreign_.try_emplace(full);
        if (fresh) grew_ = true;
        write_cell(slot->second, nullptr, value.abs);
        location.storage = storage(facts::StorageKind::kForeign, full, facts::Lifetime::kStatic, kNone, kNone);
        break;
      }
      default:
        continue;
    }
    emit_store(location, value, node, augmented);
    stored = true;
  }
  if (stored && !base.abs.unknown) return;
  const auto [slot, fresh] = other_.try_emplace(name);
  if (fresh) grew_ = true;
  write_cell(slot->second, nullptr, value.abs);
  facts::Location location;
  location.base = base.value;
  location.storage = storage(facts::StorageKind::kOtherAttribute, name, facts::Lifetime::kObject, kNone, kNone);
  const facts::Type type = type_of(base.abs);
  if (type.name == "threading.local")
    storages_[static_cast<std::size_t>(location.storage)].kind = facts::StorageKind::kThreadOrContext;
  emit_store(location, value, node, augmented);
}

}  // namespace kernel_audit::analysis::python
