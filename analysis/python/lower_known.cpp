// Functions of packages whose meaning matters: reflection, dynamic code, containers, modules.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

const Argument* Lowerer::argument(const std::vector<Argument>& args, std::size_t position,
                                  const std::string& keyword) const {
  std::size_t at = 0;
  for (const Argument& arg : args) {
    if (arg.star) {
      if (arg.keyword.empty()) return nullptr;
      continue;
    }
    if (arg.keyword.empty() ? at++ == position : arg.keyword == keyword && !keyword.empty()) return &arg;
  }
  return nullptr;
}

Operand Lowerer::call_symbol(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                             const Node* node) {
  Operand result;
  if (special_call(name, callee, args, node, result)) return result;
  for (const Argument& arg : args) escape(arg.operand.abs);
  Abstract abs = fold_call(name, args, node);
  if (abs.bottom() && name.rfind("operator.", 0) == 0 && args.size() == 2) {
    return binary(name, args[0].operand, args[1].operand, node);
  }
  const std::size_t dot = name.rfind('.');
  const bool of_text = name.rfind("builtins.str.", 0) == 0 || name.rfind("builtins.bytes.", 0) == 0;
  const Atom* text_given = !of_text || args.empty() || args.front().star ? nullptr : args.front().operand.abs.single();
  if (abs.bottom() && text_given != nullptr && text_given->kind == AtomKind::kText)
    abs = fold_method(*text_given, name.substr(dot + 1), {args.begin() + 1, args.end()}, node);
  if (abs.bottom() && (name.rfind("torch.Tensor.", 0) == 0 || name.rfind("builtins.str.", 0) == 0) &&
      dot != std::string::npos && !args.empty() && !args.front().star) {
    // An unbound method: the first argument is the receiver.
    const bool on_tensor = name.rfind("torch.", 0) == 0;
    const std::vector<Argument> rest(args.begin() + 1, args.end());
    Abstract made = method_result({on_tensor ? TypeKind::kTensor : TypeKind::kString, ""}, name.substr(dot + 1));
    return plain_call(name, callee, args.front().operand.value, rest, std::move(made), node);
  }
  if (abs.bottom()) abs = foreign_result(name);
  return plain_call(name, callee, kNone, args, std::move(abs), node);
}

bool Lowerer::special_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                           const Node* node, Operand& result) {
  if (record_call(name, callee, args, node, result)) return true;
  if (name.rfind("builtins.", 0) == 0 || name == "importlib.import_module" || name == "sys.modules.get" ||
      name == "inspect.getmodule") {
    if (reflective_call(name, args, node, result)) return true;
  }
  if (dictionary_call(name, args, node, result) || slot_call(name, args, node, result)) return true;
  if (container_call(name, callee, args, node, result) || callable_call(name, callee, args, node, result)) return true;
  compiler_run(name, args, node);
  file_move(name, args);
  if (elementwise_call(name, callee, args, node, result)) return true;
  if (extension_call(name, callee, args, node, result) || driver_call(name, callee, args, node, result)) return true;
  if ((name == "functools.partial" || name == kPartialMethod) && !args.empty() && !args.front().star) {
    Atom atom;
    atom.kind = AtomKind::kPartial;
    if (name == kPartialMethod) atom.symbol = name;
    atom.self_function = frame_->function;
    for (const Argument& arg : args) {
      if (arg.star) return false;
      if (arg.keyword.empty()) {
        atom.items.push_back(arg.operand.abs);
        atom.item_values.push_back(arg.operand.value);
      } else {
        atom.keywords.emplace_back(arg.keyword, arg.operand.abs);
        atom.keyword_values.push_back(arg.operand.value);
      }
    }
    escape(args.front().operand.abs);
    result = plain_call(name, callee, kNone, args, make(std::move(atom)), node);
    return true;
  }
  if (const Argument* getter = name == "builtins.property" ? argument(args, 0, "fget") : nullptr) {
    const Argument* setter = argument(args, 1, "fset");
    note_property(getter->operand.abs, setter == nullptr ? Abstract{} : setter->operand.abs);
  }
  if (name == "tilelang.jit" && argument(args, 1, "out_idx") != nullptr && !args.front().keyword.empty()) {
    Atom configured;
    configured.kind = AtomKind::kTyped;
    configured.type = {TypeKind::kOther, name};
    configured.items = {argument(args, 1, "out_idx")->operand.abs};
    result = plain_call(name, callee, kNone, args, make(std::move(configured)), node);
    return true;
  }
  if (is_wrapper(name) && !args.empty() && args.front().keyword.empty() && !args.front().star) {
    const Abstract& inner = args.front().operand.abs;
    bool callable = false;
    for (const AtomPtr& atom : inner.atoms) {
      callable = callable || atom->kind == AtomKind::kFunction || atom->kind == AtomKind::kClass ||
                 atom->kind == AtomKind::kInstance || atom->kind == AtomKind::kSymbol ||
                 atom->kind == AtomKind::kMethod || atom->kind == AtomKind::kWrapped ||
                 atom->kind == AtomKind::kPartial ||
                 (atom->kind == AtomKind::kTyped && atom->type.kind == TypeKind::kModule);
    }
    if (!callable) {
      if (name == "copy.deepcopy" || name == "copy.copy") {
        result = plain_call(name, callee, kNone, args, inner, node);
        return true;
      }
      return false;
    }
    if (name == "functools.wraps") return false;  // wraps(f) gives a decorator
    if (is_transparent_wrapper(name)) {
      if (const Argument* positions = name.starts_with("tilelang.") ? argument(args, 1, "out_idx") : nullptr)
        note_allocated(inner, positions->operand.abs);
      result = plain_call(name, callee, kNone, args, inner, node);
      return true;
    }
    for (const Argument& arg : args) escape(arg.operand.abs);
    Atom wrapped;
    wrapped.kind = AtomKind::kWrapped;
    wrapped.symbol = name;
    wrapped.items = {inner};
    result = plain_call(name, callee, kNone, args, make(std::move(wrapped)), node);
    return true;
  }
  return false;
}

bool Lowerer::reflective_call(const std::string& name, const std::vector<Argument>& args, const Node* node,
                              Operand& result) {
  const auto plain = std::all_of(args.begin(), args.end(), [](const Argument& arg) { return !arg.star; });
  if (name == "builtins.getattr" && args.size() >= 2 && plain) {
    result = get_attribute_call(args, node);
    return true;
  }
  if (name == "inspect.getmodule" && args.size() == 1 && plain) {
    const Atom* object = args[0].operand.abs.single();
    const bool own = object != nullptr && (object->kind == AtomKind::kFunction || object->kind == AtomKind::kClass ||
                                           object->kind == AtomKind::kInstance);
    if (own) result = module_around(frame_->scope, node);
    return own;
  }
  if (name == "sys.modules.get" && !args.empty() && plain) {
    result = get_item(make_value(symbol("sys.modules"), node, facts::OriginKind::kConstant), args[0].operand, node);
    return true;
  }
  const bool past_own = name == "builtins.object.__setattr__";
  const bool sets = name == "builtins.setattr" || past_own;
  if (name == "builtins.object.__getattribute__" && args.size() == 2 && plain) {
    result = attribute_past_own(args[0].operand, args[1].operand, node);
    return true;
  }
  if (sets && args.size() == 3 && plain) {
    const split::Text* word = folded_text(args[1].operand.abs);
    const std::vector<std::string> names = possible_names(args[1].operand.abs);
    if (word != nullptr && !past_own) {
      assign_attribute(args[0].operand, word->bytes, args[2].operand, node, false);
    } else if (word != nullptr) {
      set_attribute(args[0].operand, word->bytes, args[2].operand, node, false);
    } else if (forwards_attributes()) {  // each call of it has its own name
      emit_call(name, {args[0].operand, args[1].operand, args[2].operand}, constant(nullptr), node);
    } else if (!names.empty()) {
      for (const std::string& each : names)
        perhaps(node, [&] { set_attribute(args[0].operand, each, args[2].operand, node, false); });
    } else {
      bool instances = !args[0].operand.abs.atoms.empty() && !args[0].operand.abs.unknown;
      for (const AtomPtr& atom : args[0].operand.abs.atoms) {
        instances = instances && atom->kind == AtomKind::kInstance && !is_subclass_of_module(atom->class_id);
        if (atom->kind == AtomKind::kInstance || atom->kind == AtomKind::kClass)
          classes_[static_cast<std::size_t>(atom->class_id)]->dynamic_attributes = true;
      }
      problem("dynamic-call", "setattr is called with a name that could not be folded.", node, !instances);
      emit_call(name, {args[0].operand, args[1].operand, args[2].operand}, constant(nullptr), node);
      return true;
    }
    result = make_value(constant(nullptr), node, facts::OriginKind::kConstant);
    return true;
  }
  if (name == "builtins.super") {
    Atom atom;
    atom.kind = AtomKind::kSuper;
    atom.self_function = frame_->function;
    if (args.empty()) {
      Id method = frame_->function;
      while (method != kNone && functions_[static_cast<std::size_t>(method)]->class_id == kNone)
        method = functions_[static_cast<std::size_t>(method)]->enclosing;
      if (method == kNone) return false;
      FunctionInfo& info = *functions_[static_cast<std::size_t>(method)];
      atom.class_id = info.class_id;
      if (info.parameters.empty()) return false;
      const Operand self = load_name(info.parameters.front(), node, info.scope);
      atom.self = {self.abs};
      atom.self_value = self.value;
    } else {
      const Atom* type = args[0].operand.abs.single();
      if (type == nullptr || type->kind != AtomKind::kClass || args.size() < 2) return false;
      atom.class_id = type->class_id;
      atom.self = {args[1].operand.abs};
      atom.self_value = args[1].operand.value;
    }
    result = make_value(make(std::move(atom)), node, facts::OriginKind::kComputed);
    return true;
  }
  if (name == "builtins.type" && args.size() == 1 && plain) {
    result = attribute(args[0].operand, "__class__", node, false);
    return true;
  }
  if (name == "builtins.type" && args.size() == 3) {
    if (!plain) return false;
    result = class_from_parts(args, node);
    return true;
  }
  if (name == "builtins.globals" || ((name == "builtins.locals" || name == "builtins.vars") && args.empty() &&
                                     frame_->scope->kind == ScopeKind::kModule)) {
    result = module_around(frame_->scope, node);
    return true;
  }
  if (name == "builtins.vars" && args.size() == 1) {
    result = attribute(args[0].operand, "__dict__", node, false);
    return true;
  }
  if (name == "builtins.__import__" || name == "importlib.import_module") {
    const Argument* which = argument(args, 0, "name");
    const std::vector<std::string> modules =
        which == nullptr ? std::vector<std::string>{} : possible_names(which->operand.abs);
    if (modules.empty()) {
      problem("dynamic-call", "A module is imported by a name that could not be folded.", node);
      return false;
    }
    const Argument* from = name == "builtins.__import__" ? argument(args, 3, "fromlist") : nullptr;
    const bool top = name == "builtins.__import__" && (from == nullptr || is_false(from->operand.abs));
    Abstract imported;
    for (const std::string& path : modules) {
      const std::size_t dots = std::min(path.find_first_not_of('.'), path.size());
      const std::string module = path.substr(dots);
      const Abstract found = import_module(module, static_cast<int>(dots), node);
      const bool inner = top && module.find('.') != std::string::npos;
      join_into(imported, inner ? import_module(module.substr(0, module.find('.')), 0, node) : found);
    }
    result = make_value(std::move(imported), node, facts::OriginKind::kConstant);
    return true;
  }
  if (name == "builtins.compile" && !args.empty()) {  // the code object stands for its text
    const Argument* source = argument(args, 0, "source");
    if (source != nullptr) {
      result = emit_call(name, {source->operand}, source->operand.abs, node);
      return true;
    }
  }
  if (name == "builtins.exec" || name == "builtins.eval") {
    result = run_code(name, args, node);
    return true;
  }
  return false;
}

// exec and eval of a constant are lowered in place; of anything else they are a problem.
Operand Lowerer::run_code(const std::string& name, const std::vector<Argument>& args, const Node* node) {
  const Argument* source = argument(args, 0, "source");
  const Atom* given_code = source == nullptr ? nullptr : source->operand.abs.single();  // str or bytes
  const split::Text* code = given_code != nullptr && given_code->kind == AtomKind::kText && !given_code->partial
                                ? given_code->text.get()
                                : nullptr;
  const bool is_eval = name == "builtins.eval";
  std::vector<Operand> passed;
  for (const Argument& arg : args) passed.push_back(arg.operand);
  if (code == nullptr) {
    problem("dynamic-call", "Code that could not be folded is run by " + name.substr(9) + "().", node);
    return emit_call(name, passed, unknown("the result of code that is not known"), node);
  }
  Operand call_result = emit_call(name, passed, constant(nullptr), node);
  PythonUnit*& unit = code_units_[{node, code->bytes}];
  if (unit == nullptr) {
    if (code_units_.size() > 200) {
      problem("limit", "Too many pieces of code are run by exec() or eval().", node);
      return call_result;
    }
    auto made = std::make_unique<PythonUnit>();
    made->name = frame_->unit->name + ":" + name.substr(9) + "@" + std::to_string(node->line);
    made->text = is_eval ? split::strip(*code, split::Side::kLeft, " \t") : *code;
    made->facts_unit = static_cast<Id>(units_.size());
    made->parent_unit = frame_->unit->facts_unit;
    unit = made.get();
    units_.push_back(std::move(made));
    load_unit(*unit, is_eval ? "eval" : "exec");
    grew_ = true;
  }
  if (unit->ast == nullptr) return call_result;
  Scope* scope = nullptr;
  const Argument* names = argument(args, 1, "globals");
  const Atom* given = names == nullptr ? nullptr : names->operand.abs.single();
  if (given != nullptr && given->kind == AtomKind::kModule) {
    scope = given->scope;
  } else if (names == nullptr && (frame_->scope->kind == ScopeKind::kModule || is_eval)) {
    scope = frame_->scope;
  } else {
    Scope*& own = scope_of_node_[unit->ast->root()];
    if (own == nullptr) {
      own = make_scope(names == nullptr ? ScopeKind::kFunction : ScopeKind::kModule,
                       names == nullptr ? frame_->scope : nullptr, unit, nullptr, frame_->function, kNone);
    }
    scope = own;
    if (given != nullptr && given->kind == AtomKind::kHeap) {
      const HeapObject object = read_heap(given->site);
      for (const auto& [key, value] : object.entries) {  // names that the code is given
        const split::Text* word = folded_text(key);
        if (word == nullptr) continue;
        Cell& cell = scope->cell(word->bytes);
        write_cell(cell, scope, value);
      }
      change_heap(*given, [&](HeapObject& each) { each.names = scope; });
    }
    const Argument* locals = argument(args, 2, "locals");
    const Atom* second = locals == nullptr ? nullptr : locals->operand.abs.single();
    if (second != nullptr && second->kind == AtomKind::kHeap)
      change_heap(*second, [&](HeapObject& each) { each.names = scope; });
  }
  PythonUnit* const outer_unit = std::exchange(frame_->unit, unit);
  Scope* const outer_scope = std::exchange(frame_->scope, scope);
  Operand result = call_result;
  if (is_eval) {
    result = expression(unit->ast->root()->child("body"));
  } else {
    for (const Node* each : unit->ast->root()->list("body")) collect_names(each, *scope);
    statements(unit->ast->root()->list("body"));
  }
  frame_->unit = outer_unit;
  frame_->scope = outer_scope;
  if (given != nullptr && given->kind == AtomKind::kInstance) {  // a dictionary of its own kind: the names are entries
    for (const auto& [word, cell] : scope->cells)
      set_item(names->operand, word_of(word, node), load_name(word, node, scope), node, false);
  }
  return result;
}

bool Lowerer::container_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                             const Node* node, Operand& result) {
  const bool makes_list = name == "builtins.list" || name == "builtins.sorted" || name == "builtins.reversed";
  const bool makes_set = name == "builtins.set" || name == "collections.deque";
  if (makes_list || makes_set || name == "builtins.tuple" || name == "torch.nn.ModuleList" ||
      name == "torch.nn.ParameterList") {
    HeapObject object;
    if (!args.empty()) {
      const auto items = name == "builtins.sorted" || makes_set ? std::nullopt : sequence_of(args[0].operand.abs);
      if (items) {
        object.items = *items;
        if (name == "builtins.reversed") std::reverse(object.items.begin(), object.items.end());
      } else {
        object.exact = false;
        object.items = {elements_of(args[0].operand.abs)};
      }
    }
    if (name == "builtins.tuple" && object.exact) {
      Atom atom;
      atom.kind = AtomKind::kTuple;
      atom.items = object.items;
      atom.type.kind = TypeKind::kTuple;
      atom.item_values.assign(atom.items.size(), kNone);
      atom.self_function = kNone;
      result = plain_call(name, callee, kNone, args, make(std::move(atom)), node);
      return true;
    }
    const TypeKind kind = makes_set ? TypeKind::kOther : TypeKind::kList;
    const Abstract abs = new_heap(kind, std::move(object), node, kNone).abs;
    result = plain_call(name, callee, kNone, args, abs, node);
    return true;
  }
  if (name == "builtins.dict" || name == "collections.OrderedDict" || name == "collections.defaultdict" ||
      name == "torch.nn.ModuleDict" || name == "weakref.WeakKeyDictionary" || name == "weakref.WeakValueDictionary") {
    const Abstract abs = new_heap(TypeKind::kDict, entries_given(args), node, kNone).abs;
    result = plain_call(name, callee, kNone, args, abs, node);
    return true;
  }
  if (name == "torch.nn.Sequential") {
    Atom atom;
    atom.type = {TypeKind::kModule, name};
    bool known = true;
    for (const Argument& arg : args) {
      known = known && !arg.star;
      const Atom* only = arg.operand.abs.single();
      if (args.size() == 1 && only != nullptr && only->kind == AtomKind::kHeap) {  // an OrderedDict of children
        const HeapObject children = read_heap(only->site);
        known = known && children.exact;
        for (const auto& [key, value] : children.entries) atom.items.push_back(value);
      } else {
        atom.items.push_back(arg.operand.abs);
      }
    }
    if (!known || atom.items.size() > 64) {
      // The children are not all known: what they may be is called in no particular order.
      Abstract any;
      for (const Argument& arg : args) join_into(any, arg.star ? elements_of(arg.operand.abs) : arg.operand.abs);
      atom.items = {any};
    }
    result = plain_call(name, callee, kNone, args, make(std::move(atom)), node);
    return true;
  }
  if (name == "builtins.enumerate" || name == "builtins.zip") {
    std::vector<Abstract> parts;
    if (name == "builtins.enumerate") parts.push_back(typed(TypeKind::kInt));
    for (const Argument& arg : args) {
      if (arg.star) return false;
      if (arg.keyword.empty()) parts.push_back(elements_of(arg.operand.abs));
      if (name == "builtins.enumerate") break;
    }
    Atom pair;
    pair.kind = AtomKind::kTuple;
    pair.type.kind = TypeKind::kTuple;
    pair.items = parts;
    pair.item_values.assign(parts.size(), kNone);
    Atom iterator;
    iterator.type = {TypeKind::kOther, name};
    iterator.items = {make(std::move(pair))};
    result = plain_call(name, callee, kNone, args, make(std::move(iterator)), node);
    return true;
  }
  if (name == "builtins.range") {
    result = plain_call(name, callee, kNone, args, typed(TypeKind::kOther, "builtins.range"), node);
    return true;
  }
  if (name == "builtins.next" || name == "builtins.iter") {
    if (args.empty()) return false;
    Abstract abs = name == "builtins.iter" ? args[0].operand.abs : elements_of(args[0].operand.abs);
    if (args.size() > 1) join_into(abs, args[1].operand.abs);
    result = plain_call(name, callee, kNone, args, std::move(abs), node);
    return true;
  }
  return false;
}

bool Lowerer::heap_method(const Atom& atom, const std::string& method, const std::vector<Argument>& args,
                          Abstract& result) {
  const Abstract first = args.empty() ? Abstract{} : args[0].operand.abs;
  Abstract self;
  self.atoms.push_back(std::make_shared<const Atom>(atom));
  if (method == "append" || method == "add" || method == "appendleft") {
    change_heap(atom, [&](HeapObject& object) {
      object.items.push_back(first);
      if (method != "append") object.exact = false;
    });
    result = constant(nullptr);
  } else if ((method == "add_module" || method == "register_module") && args.size() == 2) {
    change_heap(atom, [&](HeapObject& object) {
      object.items.push_back(args[1].operand.abs);
      object.entries.emplace_back(first, args[1].operand.abs);
    });
    result = constant(nullptr);
  } else if (method == "extend") {
    const auto items = sequence_of(first);
    const Abstract elements = elements_of(first);
    change_heap(atom, [&](HeapObject& object) {
      if (items)
        object.items.insert(object.items.end(), items->begin(), items->end());
      else
        object.items.push_back(elements);
      if (!items) object.exact = false;
    });
    result = constant(nullptr);
  } else if (method == "insert") {
    change_heap(atom, [&](HeapObject& object) {
      const Atom* index = first.single();
      const Abstract value = args.size() > 1 ? args[1].operand.abs : Abstract{};
      if (object.exact && index != nullptr && index->constant == Json(0))
        object.items.insert(object.items.begin(), value);
      else
        object.items.push_back(value), object.exact = false;
    });
    result = constant(nullptr);
  } else if (method == "update") {
    change_heap(atom, [&](HeapObject& object) {
      object.exact = false;
      for (const Argument& arg : args) {
        const Atom* other = arg.operand.abs.single();
        if (!arg.keyword.empty() && !arg.star) {
          object.entries.emplace_back(text(split::Text::coarse(arg.keyword, SourceSpan{})), arg.operand.abs);
        } else if (other != nullptr && other->kind == AtomKind::kHeap) {
          const HeapObject more = read_heap(other->site);
          object.entries.insert(object.entries.end(), more.entries.begin(), more.entries.end());
        } else {
          object.entries.emplace_back(unknown("a key from elsewhere"), unknown("a value from elsewhere"));
        }
      }
    });
    result = constant(nullptr);
  } else if (method == "get" || method == "setdefault" || method == "pop" || method == "popitem" ||
             method == "popleft") {
    const HeapObject object = read_heap(atom.site);
    const Abstract otherwise = args.size() > 1 ? args[1].operand.abs : constant(nullptr);
    const auto exactly = method == "get" && object.kind == TypeKind::kDict ? entry_of(object, first) : std::nullopt;
    if (exactly) {
      result = exactly->bottom() ? otherwise : *exactly;
      return true;
    }
    for (const auto& [key, value] : object.entries) join_into(result, value);
    for (const Abstract& item : object.items) join_into(result, item);
    if (object.kind == TypeKind::kDict) join_into(result, otherwise);
    if (method == "setdefault" && args.size() > 1) {
      change_heap(atom, [&](HeapObject& each) { each.entries.emplace_back(first, args[1].operand.abs); });
    } else if (method != "get") {
      change_heap(atom, [](HeapObject& each) { each.exact = false; });
    }
    if (result.bottom()) result = unknown("an element of a container whose content is not known");
  } else if (method == "clear" || method == "remove" || method == "sort" || method == "reverse" ||
             method == "discard") {
    change_heap(atom, [](HeapObject& object) { object.exact = false; });
    result = constant(nullptr);
  } else if (method == "values" || method == "keys" || method == "items" || method == "copy" || method == "__iter__") {
    const HeapObject object = read_heap(atom.site);
    if (method == "copy") {
      result = self;
      return true;
    }
    Atom made;
    made.type = {TypeKind::kOther, "builtins.dict_" + method};
    Abstract keys, values;
    for (const auto& [key, value] : object.entries) {
      join_into(keys, key);
      join_into(values, value);
    }
    if (method == "items") {
      Atom pair;
      pair.kind = AtomKind::kTuple;
      pair.type.kind = TypeKind::kTuple;
      pair.items = {keys, values};
      pair.item_values = {kNone, kNone};
      made.items = {make(std::move(pair))};
    } else {
      made.items = {method == "values" ? values : keys};
    }
    if (object.entries.empty()) made.items = {unknown("an element of a container whose content is not known")};
    result = make(std::move(made));
  } else {
    return false;
  }
  return true;
}

}  // namespace kernel_audit::analysis::python
