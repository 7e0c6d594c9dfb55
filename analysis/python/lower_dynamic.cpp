// Attributes and names that are set through dictionaries, and what makes a class other than its body says.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

facts::Statement* Lowerer::last_statement() {
  std::vector<facts::Statement>& statements = frame_->blocks[static_cast<std::size_t>(frame_->current)].statements;
  return statements.empty() ? nullptr : &statements.back();
}

namespace {

constexpr std::string_view kDictionary = ".__dict__";

// vars(torch): the dictionary of a package.
bool is_dictionary_of_package(const Atom& atom) {
  return atom.kind == AtomKind::kSymbol && std::string_view(atom.symbol).ends_with(kDictionary);
}

std::string package_of(const Atom& dictionary) {
  return dictionary.symbol.substr(0, dictionary.symbol.size() - kDictionary.size());
}

}  // namespace

// All that a name may be, when every one of several is known.
std::vector<std::string> Lowerer::possible_names(const Abstract& name) {
  std::vector<std::string> names;
  for (const AtomPtr& atom : name.atoms) {
    Abstract one;
    one.atoms.push_back(atom);
    const split::Text* word = folded_text(one);
    if (word == nullptr) return {};
    names.push_back(word->bytes);
  }
  return name.unknown ? std::vector<std::string>{} : names;
}

// What may run, or may not.
void Lowerer::perhaps(const Node* node, const std::function<void()>& body) {
  const FlowState before = frame_->state;
  const Id here = new_block();
  const Id after = new_block();
  branch(make_value(unknown("which of several names it is"), node, facts::OriginKind::kUnknown), here, after);
  ++frame_->conditional_depth;
  start_block(here);
  body();
  jump(after);
  --frame_->conditional_depth;
  frame_->state = merge(before, frame_->state);
  start_block(after);
}

// Whose attributes the table `__dict__` holds.
Operand Lowerer::owner_of_attributes(const Operand& table, const Atom& atom, const Node* node) {
  const auto known = owners_of_attributes_.find(table.value);
  if (known != owners_of_attributes_.end() && known->second != kNone) return {known->second, atom.items.front()};
  // The dictionary of a tensor stands for the tensor.
  if (type_of(atom.items.front()).kind == TypeKind::kTensor) return {table.value, atom.items.front()};
  return make_value(atom.items.front(), node, facts::OriginKind::kComputed);
}

// What is found, or what is given for the case that it is not there.
Operand Lowerer::found_or(const Operand& found, const Operand& otherwise, const Node* node) {
  const Atom* atom = found.abs.single();
  const bool certain = atom != nullptr && (atom->kind == AtomKind::kSymbol || atom->kind == AtomKind::kFunction);
  if (certain) return found;
  // Whether anything is stored there, the interpreter knows: of one place, or of several that it may be.
  facts::Statement* const last = last_statement();
  std::vector<facts::Statement*> loads;
  if (last != nullptr && last->result == found.value && last->kind == facts::StatementKind::kLoad) {
    loads.push_back(last);
  } else if (last != nullptr && last->result == found.value && last->kind == facts::StatementKind::kPhi) {
    for (facts::Statement& s : frame_->blocks[static_cast<std::size_t>(frame_->current)].statements) {
      const bool part = std::find(last->args.begin(), last->args.end(), s.result) != last->args.end();
      const facts::Value* held =
          part && s.kind == facts::StatementKind::kLoad ? &facts_.values[static_cast<std::size_t>(s.result)] : nullptr;
      if (held != nullptr && !held->constant && held->symbol.empty()) loads.push_back(&s);
    }
    if (loads.size() != last->args.size()) loads.clear();
  }
  if (loads.empty()) return emit_phi({found, otherwise}, node);
  const Operand either = make_value(joined(found.abs, otherwise.abs), node, facts::OriginKind::kState);
  last->result = either.value;
  for (facts::Statement* load : loads) load->args = {otherwise.value};
  return either;
}

// The methods of a table of attributes that read it by a name: vars(self).get("x"), globals().setdefault("x", y).
std::optional<Operand> Lowerer::read_by_name(const Operand& table, const std::string& method,
                                             const std::vector<Argument>& args, const Node* node) {
  static const std::set<std::string> reading = {"get", "pop", "setdefault", "__getitem__"};
  const Atom* atom = table.abs.atoms.size() == 1 ? table.abs.atoms.front().get() : nullptr;  // or it is not known
  const split::Text* word = args.empty() || args.front().star ? nullptr : folded_text(args.front().operand.abs);
  if (atom == nullptr || word == nullptr || !reading.contains(method)) return std::nullopt;
  const bool of_module = atom->kind == AtomKind::kModule;
  const bool of_package = is_dictionary_of_package(*atom);
  if (!of_module && !of_package && (atom->kind != AtomKind::kWrapped || atom->symbol != "__dict__"))
    return std::nullopt;
  const std::string name = word->bytes;
  const Operand none = make_value(constant(nullptr), node, facts::OriginKind::kConstant);
  const Operand otherwise = args.size() > 1 ? args[1].operand : none;
  const bool may_lack = method == "get" || (method == "pop" && args.size() > 1);
  if (of_module && may_lack && atom->scope->find(name) == nullptr) return otherwise;
  const Operand owner = of_module    ? table
                        : of_package ? make_value(symbol(package_of(*atom)), node, facts::OriginKind::kConstant)
                                     : owner_of_attributes(table, *atom, node);
  if (method == "setdefault")  // what is there already stays
    perhaps(node, [&] { set_attribute(owner, name, otherwise, node, false); });
  const Operand found = attribute(owner, name, node);
  return may_lack ? found_or(found, otherwise, node) : found;
}

// The candidate's file whose code it is.
Operand Lowerer::module_around(Scope* scope, const Node* node) {
  while (scope->parent != nullptr) scope = scope->parent;
  Atom atom;
  atom.kind = AtomKind::kModule;
  atom.scope = scope;
  return make_value(make(std::move(atom)), node, facts::OriginKind::kConstant);
}

// `holder` is a module's dictionary, or the `__dict__` of an object or a package.
void Lowerer::set_named(const Operand& holder, const std::string& name, const Operand& value, const Node* node) {
  const Atom* atom = holder.abs.single();
  if (atom != nullptr && atom->kind == AtomKind::kWrapped) {
    set_attribute(owner_of_attributes(holder, *atom, node), name, value, node, false);
  } else if (atom != nullptr && is_dictionary_of_package(*atom)) {
    set_attribute(make_value(symbol(package_of(*atom)), node, facts::OriginKind::kConstant), name, value, node, false);
  } else {
    set_attribute(holder, name, value, node, false);
  }
}

// Whether an argument of dict.update() is a keyword, or a dictionary whose keys are all known.
bool Lowerer::names_known(const Argument& arg) {
  if (!arg.star && !arg.keyword.empty()) return true;
  const Atom* given = arg.operand.abs.single();
  if (given == nullptr || given->kind != AtomKind::kHeap || arg.star) return false;
  const HeapObject dictionary = read_heap(given->site);
  return dictionary.exact && dictionary.kind == TypeKind::kDict &&
         std::all_of(dictionary.entries.begin(), dictionary.entries.end(),
                     [](const auto& entry) { return folded_text(entry.first) != nullptr; });
}

// globals().update(f=g), vars(self).update({"forward": g}): stores by another name.
bool Lowerer::update_attributes(const Operand& receiver, const std::string& method, const std::vector<Argument>& args,
                                const Node* node) {
  const Atom* atom = receiver.abs.single();
  const bool of_package = atom != nullptr && is_dictionary_of_package(*atom);
  const bool of_object =
      of_package || (atom != nullptr && atom->kind == AtomKind::kWrapped && atom->symbol == "__dict__");
  if (!of_object && (atom == nullptr || atom->kind != AtomKind::kModule)) return false;
  if (method != "update") return false;
  if (of_package && !std::all_of(args.begin(), args.end(), [&](const Argument& arg) { return names_known(arg); }))
    return false;  // the call itself says what is known
  for (const Argument& arg : args) {
    if (!arg.star && !arg.keyword.empty()) {
      set_named(receiver, arg.keyword, arg.operand, node);
      continue;
    }
    const Atom* given = arg.operand.abs.single();
    if (given != nullptr && given->kind == AtomKind::kHeap && read_heap(given->site).exact) {
      for (const auto& [key, item] : read_heap(given->site).entries) {
        const split::Text* word = folded_text(key);
        if (word == nullptr) continue;
        const Operand name = make_value(key, node, facts::OriginKind::kConstant);
        set_named(receiver, word->bytes, get_item(arg.operand, name, node), node);
      }
    }
    if (!names_known(arg)) problem("dynamic-call", "Names that are not known are set through a dictionary.", node);
  }
  return true;
}

// types.FunctionType.__code__.__set__(f, code), types.FunctionType.__dict__["__code__"].__get__(f): what a class of a
// package holds under a name sets or gives the attribute of any object of the class.
bool Lowerer::slot_call(const std::string& name, const std::vector<Argument>& args, const Node* node, Operand& result) {
  const std::size_t dot = name.rfind('.');
  const std::string method = dot == std::string::npos ? std::string() : name.substr(dot + 1);
  const std::size_t before = dot == std::string::npos || dot == 0 ? std::string::npos : name.rfind('.', dot - 1);
  const bool plain = std::none_of(args.begin(), args.end(), [](const Argument& arg) { return arg.star; });
  if (before == std::string::npos || !plain) return false;
  const std::string slot = name.substr(before + 1, dot - before - 1);
  if (method == "__set__" && args.size() == 2) {
    set_attribute(args[0].operand, slot, args[1].operand, node, false);
    result = make_value(constant(nullptr), node, facts::OriginKind::kConstant);
  } else if (method == "__get__" && !args.empty() && slot.starts_with("__")) {
    result = attribute(args[0].operand, slot, node);
  }
  return result.value != kNone;
}

// vars(torch).update(…), operator.setitem(d, k, v), dict.update(d, …): methods of dictionaries by other names.
bool Lowerer::dictionary_call(const std::string& name, const std::vector<Argument>& args, const Node* node,
                              Operand& result) {
  const auto nothing = [&] { return make_value(constant(nullptr), node, facts::OriginKind::kConstant); };
  const bool plain = std::none_of(args.begin(), args.end(), [](const Argument& arg) { return arg.star; });
  if (name == "operator.setitem" && args.size() == 3 && plain) {
    set_item(args[0].operand, args[1].operand, args[2].operand, node, false);
    result = nothing();
    return true;
  }
  if (name == "builtins.dict.__getitem__" && args.size() == 2 && plain) {
    result = get_item(args[0].operand, args[1].operand, node);
    return true;
  }
  const std::size_t dot = name.rfind('.');
  if ((name == "builtins.dict.update" || name == "builtins.dict.__setitem__") && !args.empty() && plain) {
    const Operand method = attribute(args[0].operand, name.substr(dot + 1), node, true);
    result = call(method, {args.begin() + 1, args.end()}, node);
    return true;
  }
  if (dot == std::string::npos || !std::string_view(name).substr(0, dot).ends_with(kDictionary)) return false;
  const Operand receiver = make_value(symbol(name.substr(0, dot)), node, facts::OriginKind::kConstant);
  const std::string method = name.substr(dot + 1);
  if (method == "__setitem__" && args.size() == 2 && plain) {
    set_item(receiver, args[0].operand, args[1].operand, node, false);
  } else if (const std::optional<Operand> read = read_by_name(receiver, method, args, node)) {
    result = *read;
  } else if (!update_attributes(receiver, method, args, node)) {
    return false;
  }
  if (result.value == kNone) result = nothing();
  return true;
}

// getattr(self, f"run_{kind}"): whichever of the methods of an own class has a name of that kind. Where a part of the
// text is not known, a zero stands for it.
std::optional<Operand> Lowerer::matching_methods(const Operand& object, const Abstract& name, const Node* node) {
  const Atom* instance = object.abs.single();
  const Atom* word = name.single();
  if (instance == nullptr || instance->kind != AtomKind::kInstance || word == nullptr ||
      word->kind != AtomKind::kText || !word->partial)
    return std::nullopt;
  const std::string& bytes = word->text->bytes;
  const std::size_t first = bytes.find('0'), last = bytes.rfind('0');
  if (first == std::string::npos || bytes.size() < 4) return std::nullopt;
  const std::string begin = bytes.substr(0, first), end = bytes.substr(last + 1);
  std::set<std::string> names;
  for (const Id each : mro(instance->class_id)) {
    const Scope* scope = classes_[static_cast<std::size_t>(each)]->scope;
    if (scope == nullptr) continue;
    for (const auto& [member, cell] : scope->cells) {
      const bool fits = member.size() > begin.size() + end.size() && member.starts_with(begin) && member.ends_with(end);
      const Atom* method = cell->prev.single();
      if (fits && method != nullptr && method->kind == AtomKind::kFunction) names.insert(member);
    }
  }
  if (names.empty() || names.size() > 8) return std::nullopt;
  std::vector<Operand> ways;
  for (const std::string& each : names) ways.push_back(attribute(object, each, node, true));
  return ways.size() == 1 ? ways.front() : emit_phi(ways, node);
}

// Attributes that replace what a function, an instance or a class is.
void Lowerer::note_replaced_part(const Atom& atom, const std::string& name, const Node* node) {
  if (atom.kind == AtomKind::kFunction && (name == "__code__" || name == "__globals__" || name == "__closure__")) {
    problem("dynamic-call",
            "The code of '" + functions_[static_cast<std::size_t>(atom.function)]->qualified_name + "' is replaced.",
            node);
  }
  if ((atom.kind == AtomKind::kInstance && name == "__class__") ||
      (atom.kind == AtomKind::kClass && (name == "__bases__" || name == "__class__"))) {
    problem("dynamic-call",
            "The class of '" + classes_[static_cast<std::size_t>(atom.class_id)]->qualified_name + "' is replaced.",
            node);
  }
}

// Said where the class is defined; nothing is being lowered then.
void Lowerer::problem_of_class(const ClassInfo& info, const std::string& message) {
  problem("dynamic-call", message, nullptr);
  if (final_round_)
    facts_.problems.back().span = locator_.locate(info.unit->text.map.resolve(info.node->begin, info.node->end));
}

// What can make the entry class other than its body says.
void Lowerer::note_dynamic_class(Id class_id) {
  const auto note = [&](const ClassInfo& info, const std::string& what) {
    problem_of_class(info, "The class '" + info.qualified_name + "' " + what);
  };
  for (const Id each : mro(class_id)) {
    const ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
    if (info.own_metaclass) note(info, "is made by a metaclass, which may replace any part of it.");
    if (info.scope == nullptr) continue;
    if (info.scope->find("__getattribute__") != nullptr)
      note(info, "looks its attributes up by its own __getattribute__.");
    if (each != class_id && info.scope->find("__init_subclass__") != nullptr && subclass_hook(each) == kNone)
      note(info, "changes its subclasses in __init_subclass__.");
  }
}

// register_buffer and its like store attributes; load_state_dict, apply, … do not.
bool Lowerer::module_method(const Operand& receiver, const std::string& method, const std::vector<Argument>& args,
                            const Node* node) {
  const bool parameter = method == "register_buffer" || method == "register_parameter";
  const bool module = method == "add_module" || method == "register_module" || method == "__setattr__";
  if ((!parameter && !module) || args.size() < 2) return false;
  for (const AtomPtr& atom : receiver.abs.atoms) {
    if (atom->kind != AtomKind::kInstance) return false;
  }
  if (receiver.abs.atoms.empty()) return false;
  const split::Text* word = folded_text(args[0].operand.abs);
  if (word == nullptr) {
    for (const AtomPtr& atom : receiver.abs.atoms)
      classes_[static_cast<std::size_t>(atom->class_id)]->dynamic_attributes = true;
    return false;
  }
  Operand value = args[1].operand;
  if (parameter && type_of(value.abs).kind != TypeKind::kNoneValue)
    value.abs = typed(TypeKind::kParameter, "torch.nn.Parameter");
  set_attribute(receiver, word->bytes, value, node, false);
  return true;
}

}  // namespace kernel_audit::analysis::python
