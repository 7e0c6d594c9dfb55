// Attributes that classes answer for: objects with __get__ and __set__, cached properties, and what a class is told of
// its names and a base of its subclasses.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

// A class attribute that is an object with its own __get__ is what that returns. Where the object puts something else
// in its own place, what stands there then is as good.
std::optional<Operand> Lowerer::described(const Abstract& member, const Operand& held, const Operand& owner,
                                          Id class_id, const Node* node) {
  const auto descriptor = std::find_if(member.atoms.begin(), member.atoms.end(), [&](const AtomPtr& each) {
    return each->kind == AtomKind::kInstance && !class_attribute(each->class_id, "__get__", false, nullptr).bottom();
  });
  if (descriptor == member.atoms.end()) return std::nullopt;
  const Id of_class = (*descriptor)->class_id;
  Atom type;
  type.kind = AtomKind::kClass;
  type.class_id = class_id;
  const Operand klass = make_value(make(std::move(type)), node, facts::OriginKind::kConstant);
  const auto given_by = [&](const Operand& object) {
    const Abstract getter = class_attribute(of_class, "__get__", false, nullptr);
    const Operand callee = make_value(bound(getter, object, of_class, false), node, facts::OriginKind::kConstant);
    return call(callee, {{owner, "", false, node}, {klass, "", false, node}}, node);
  };
  if (member.single() != nullptr) return given_by(held);
  Abstract itself, others = held.abs;
  itself.atoms = {*descriptor};
  std::erase_if(others.atoms, [&](const AtomPtr& each) { return equal(*each, **descriptor); });
  const facts::Location place = last_statement()->location;  // of the load that gave `held`
  const Operand choice = make_value(itself, node, facts::OriginKind::kConstant);
  const Operand there =
      emit_call("dispatch.selects", {held, choice}, unknown("whether the object is still there"), node);
  const Id asked = new_block(), replaced = new_block(), after = new_block();
  branch(there, asked, replaced);
  const FlowState before = frame_->state;
  start_block(asked);
  const Operand fresh = given_by({held.value, itself});
  jump(after);
  const FlowState after_call = std::exchange(frame_->state, before);
  start_block(replaced);
  const Operand kept = emit_load(place, std::move(others), node);
  jump(after);
  frame_->state = merge(after_call, frame_->state);
  start_block(after);
  return emit_phi({fresh, kept}, node);
}

// x.name = value, where the class of x says what that does: by its own __setattr__, or by the __set__ of what it holds
// under that name.
bool Lowerer::assigned_by_method(const Operand& base, const std::string& name, const Operand& value, const Node* node) {
  const Atom* instance = base.abs.single();
  if (instance == nullptr || instance->kind != AtomKind::kInstance) return false;
  const Id class_id = instance->class_id;
  const auto hand = [&](const Abstract& method, const Operand& receiver, Id of_class, const Operand& first) {
    const Operand callee = make_value(bound(method, receiver, of_class, false), node, facts::OriginKind::kConstant);
    call(callee, {{first, "", false, node}, {value, "", false, node}}, node);
    return true;
  };
  const Abstract own = class_attribute(class_id, "__setattr__", false, nullptr);
  const Atom* setter = own.single();
  if (setter != nullptr && setter->kind == AtomKind::kFunction && setter->function != frame_->function) {
    Id owner = kNone;
    write_cell(instance_cell(class_id, name, &owner), nullptr, value.abs);
    return hand(own, base, class_id, word_of(name, node));
  }
  Id owner = kNone;
  const Abstract member = class_attribute(class_id, name, false, &owner);
  const Atom* descriptor = member.single();
  if (descriptor != nullptr && descriptor->kind == AtomKind::kFunction) {
    const FunctionInfo& property = *functions_[static_cast<std::size_t>(descriptor->function)];
    if (!property.is_property || property.setter == kNone || property.setter == frame_->function) return false;
    Atom put;
    put.kind = AtomKind::kFunction;
    put.function = property.setter;
    const Operand callee =
        make_value(bound(make(std::move(put)), base, class_id, false), node, facts::OriginKind::kConstant);
    call(callee, {{value, "", false, node}}, node);
    return true;
  }
  if (descriptor == nullptr || descriptor->kind != AtomKind::kInstance) return false;
  const Abstract set = class_attribute(descriptor->class_id, "__set__", false, nullptr);
  return !set.bottom() &&
         hand(set, held_by_class(member, owner, class_id, base, name, node), descriptor->class_id, base);
}

// What the class holds under a name, as it is there.
Operand Lowerer::held_by_class(const Abstract& member, Id owner, Id class_id, const Operand& base,
                               const std::string& name, const Node* node) {
  ClassInfo& holder = *classes_[static_cast<std::size_t>(owner)];
  facts::Location location;
  location.base = base.value;
  location.storage = storage_of(*holder.scope->find(name), *holder.scope, name, node);
  return emit_load(location, bound(member, base, class_id, false), node);
}

// A cached property, or an object with __get__ alone: what an earlier reading has left in the instance under that name
// goes before making it again.
std::optional<Operand> Lowerer::kept_by_instance(const Abstract& member, Id member_owner, Id class_id,
                                                 const Operand& base, const std::string& name, const Node* node) {
  const Atom* made = member.single();
  const bool cached =
      made != nullptr && made->kind == AtomKind::kWrapped && made->symbol == "functools.cached_property";
  const bool getter = made != nullptr && made->kind == AtomKind::kInstance &&
                      !class_attribute(made->class_id, "__get__", false, nullptr).bottom();
  Id owner = kNone;
  if (!cached && !getter) return std::nullopt;
  const bool stored = find_instance_cell(class_id, name, &owner) != nullptr;
  const bool both_ways = getter && !class_attribute(made->class_id, "__set__", false, nullptr).bottom();
  if (both_ways || (!cached && !stored)) return std::nullopt;
  const Operand word = word_of(name, node);
  const Operand there = emit_call("operator.contains", {base, word}, typed(TypeKind::kBool), node);
  const Id making = new_block();
  const Id after = new_block();
  branch(there, after, making);
  const FlowState before = frame_->state;
  start_block(making);
  Operand fresh;
  if (cached) {
    fresh = call(make_value(bound(made->items.front(), base, class_id, false), node, facts::OriginKind::kConstant), {},
                 node);
    set_attribute(base, name, fresh, node, false);
  } else {
    const Operand held = held_by_class(member, member_owner, class_id, base, name, node);
    fresh = *described(member, held, base, class_id, node);
  }
  jump(after);
  frame_->state = merge(before, frame_->state);
  start_block(after);
  Cell* const cell = find_instance_cell(class_id, name, &owner);
  Abstract abs = read_cell(*cell);
  join_into(abs, fresh.abs);
  facts::Location location;
  location.base = base.value;
  location.storage = storage(facts::StorageKind::kInstanceAttribute, name, facts::Lifetime::kObject, kNone, owner);
  const Operand kept = emit_load(location, std::move(abs), node);
  return emit_phi({kept, fresh}, node);
}

bool Lowerer::is_enumeration(Id class_id) {
  static constexpr std::string_view kinds[] = {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag",
                                               "enum.IntFlag"};
  const std::vector<Id> order = mro(class_id);
  return std::any_of(order.begin(), order.end(), [&](Id each) {
    const std::vector<std::string>& bases = classes_[static_cast<std::size_t>(each)]->base_names;
    return std::any_of(bases.begin(), bases.end(), [](const std::string& base) {
      return std::find(std::begin(kinds), std::end(kinds), base) != std::end(kinds);
    });
  });
}

// Whether what the last statement read is a member of an enumeration.
bool Lowerer::is_enum_member(const Operand& read) {
  const facts::Statement* load = last_statement();
  if (load == nullptr || load->kind != facts::StatementKind::kLoad || load->result != read.value ||
      load->location.storage == kNone)
    return false;
  const facts::Storage& place = storages_[static_cast<std::size_t>(load->location.storage)];
  return place.kind == facts::StorageKind::kClassAttribute && place.owner_class != kNone &&
         is_enumeration(place.owner_class);
}

// What stands among the bases of a class and is no class says by its __mro_entries__ which classes it stands for.
std::vector<Operand> Lowerer::base_classes(const std::vector<Operand>& given, const Node* node) {
  std::vector<Operand> bases;
  for (const Operand& base : given) {
    const Atom* object = base.abs.single();
    const Abstract entries = object == nullptr || object->kind != AtomKind::kInstance
                                 ? Abstract{}
                                 : class_attribute(object->class_id, "__mro_entries__", false, nullptr);
    if (entries.bottom()) {
      bases.push_back(base);
      continue;
    }
    const Operand callee =
        make_value(bound(entries, base, object->class_id, false), node, facts::OriginKind::kComputed);
    const Operand stood_for = call(callee, {{tuple_of(given, node), "", false, node}}, node);
    const auto classes = sequence_of(stood_for.abs);
    if (!classes) bases.push_back(stood_for);
    for (const Abstract& each : classes ? *classes : std::vector<Abstract>{}) bases.push_back({kNone, each});
  }
  return bases;
}

// A dictionary that only has methods of its own besides: what it is made with is in it, as long as nothing changes
// that.
bool Lowerer::is_plain_dictionary(Id class_id) {
  const std::string foreign = foreign_base_of(class_id);
  if ((foreign != "builtins.dict" && foreign != "collections.OrderedDict") ||
      classes_[static_cast<std::size_t>(class_id)]->elements_change)
    return false;
  static constexpr const char* changing[] = {"__init__", "__new__",      "__setitem__", "__getitem__", "__iter__",
                                             "items",    "__contains__", "keys",        "values",      "get"};
  return std::all_of(std::begin(changing), std::end(changing),
                     [&](const char* method) { return class_attribute(class_id, method, false, nullptr).bottom(); });
}

void Lowerer::note_changed_elements(Id class_id, const std::string& method) {
  static const std::set<std::string> reads = {"get", "items", "keys", "values", "copy", "__getitem__", "__contains__"};
  bool& change = classes_[static_cast<std::size_t>(class_id)]->elements_change;
  if (change || reads.contains(method) || foreign_base_of(class_id).empty()) return;
  change = grew_ = true;
}

// What it was made with.
std::optional<HeapObject> Lowerer::entries_of_own(const Atom& dictionary) {
  if (dictionary.kind != AtomKind::kInstance || dictionary.keywords.empty() ||
      !is_plain_dictionary(dictionary.class_id))
    return std::nullopt;
  HeapObject object;
  object.kind = TypeKind::kDict;
  for (const auto& [name, value] : dictionary.keywords)
    object.entries.emplace_back(text(split::Text::coarse(name, SourceSpan{})), value);
  return object;
}

// What an own dictionary's __missing__ makes for a key; whether it is asked is not told here.
Abstract Lowerer::missing_element(const Atom& dictionary, const Operand& base, const Operand& key) {
  const Abstract makes = class_attribute(dictionary.class_id, "__missing__", false, nullptr);
  const Atom* method = makes.single();
  if (method == nullptr || method->kind != AtomKind::kFunction) return {};
  pass_arguments(method->function, &base, {{key, "", false, nullptr}});
  const FunctionInfo& info = *functions_[static_cast<std::size_t>(method->function)];
  return info.returns_prev.bottom() ? info.returns_next : info.returns_prev;
}

// dataclasses.fields(x): what the class declares, the first class above it first.
Abstract Lowerer::fields_of(const Abstract& object) {
  const Atom* of = object.single();
  if (of == nullptr || (of->kind != AtomKind::kInstance && of->kind != AtomKind::kClass)) return {};
  Atom tuple;
  tuple.kind = AtomKind::kTuple;
  tuple.type.kind = TypeKind::kTuple;
  for (const std::string& name : fields_of_class(of->class_id)) {
    Atom field;
    field.type = {TypeKind::kOther, kFieldOfClass};
    field.name = name;
    tuple.items.push_back(make(std::move(field)));
  }
  tuple.item_values.assign(tuple.items.size(), kNone);
  return tuple.items.empty() ? Abstract{} : make(std::move(tuple));
}

// Python tells the objects in a class body the names that they are bound to.
void Lowerer::tell_names(Id class_id, const Operand& klass, const Node* node) {
  std::vector<std::string> names;
  for (const auto& [name, cell] : classes_[static_cast<std::size_t>(class_id)]->scope->cells) names.push_back(name);
  for (const std::string& name : names) {
    Scope& scope = *classes_[static_cast<std::size_t>(class_id)]->scope;
    const Abstract value = read_cell(*scope.find(name));
    for (const AtomPtr& object : value.atoms) {  // others are what is put in its place later
      const Abstract setter = object->kind == AtomKind::kInstance
                                  ? class_attribute(object->class_id, "__set_name__", false, nullptr)
                                  : Abstract{};
      if (setter.bottom()) continue;
      Operand held = load_name(name, node, &scope);
      held.abs = Abstract{{object}, false, {}};
      const Operand word = word_of(name, node);
      const Operand callee =
          make_value(bound(setter, held, object->class_id, false), node, facts::OriginKind::kConstant);
      call(callee, {{klass, "", false, node}, {word, "", false, node}}, node);
    }
  }
}

// The __init_subclass__ that a class has in its own body, where that is a function of the candidate.
Id Lowerer::subclass_hook(Id base) {
  const Scope* scope = classes_[static_cast<std::size_t>(base)]->scope;
  Cell* cell = scope == nullptr ? nullptr : scope->find("__init_subclass__");
  const Abstract held = cell == nullptr ? Abstract{} : read_cell(*cell);
  const Atom* function = held.single();
  return function != nullptr && function->kind == AtomKind::kFunction ? function->function : kNone;
}

// The nearest base that wants to know of its subclasses is told of this one, and of what stands beside the bases.
void Lowerer::tell_bases(Id class_id, const Operand& klass, const std::vector<Argument>& given, const Node* node) {
  for (const Id each : mro(class_id)) {
    const Id hook = each == class_id ? kNone : subclass_hook(each);
    if (hook == kNone) continue;
    Atom function;
    function.kind = AtomKind::kFunction;
    function.function = hook;
    call(make_value(bound(make(std::move(function)), klass, class_id, false), node, facts::OriginKind::kConstant),
         given, node);
    return;
  }
}

}  // namespace kernel_audit::analysis::python
