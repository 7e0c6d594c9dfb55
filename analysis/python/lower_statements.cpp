// Statements, assignments, imports.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

void Lowerer::statements(const std::vector<const Node*>& body) {
  for (const Node* each : body) {
    if (each == nullptr || over_budget()) continue;
    const bool in_try = std::any_of(frame_->guards.begin(), frame_->guards.end(), [](const Guard& guard) {
      return guard.kind == Guard::Kind::kHandler && !guard.in_handler;
    });
    // An exception leaves a block anywhere in it: inside a try, each statement gets a block of its own.
    if (in_try && !frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.empty()) {
      const Id next = new_block();
      jump(next);
      start_block(next);
    }
    statement(each);
  }
}

void Lowerer::statement(const Node* node) {
  switch (node->type()) {
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
      define_function(node);
      return;
    case NodeType::kClassDef:
      define_class(node);
      return;
    case NodeType::kReturn: {
      const Node* value = node->child("value");
      if (value == nullptr) {
        return_value(nullptr, node);
      } else {
        const Operand operand = expression(value);
        return_value(&operand, node);
      }
      return;
    }
    case NodeType::kDelete:
      for (const Node* target : node->list("targets")) delete_target(target);
      return;
    case NodeType::kAssign: {
      const std::vector<const Node*> targets = node->list("targets");
      if (targets.size() == 1 && never_asked(node->child("value"), targets[0])) return;
      const Operand value = expression(node->child("value"));
      for (const Node* target : node->list("targets")) assign(target, value);
      return;
    }
    case NodeType::kAugAssign:
      augmented_assign(node);
      return;
    case NodeType::kAnnAssign:
      note_field(node);
      if (const Node* value = node->child("value")) assign(node->child("target"), expression(value));
      return;
    case NodeType::kFor:
    case NodeType::kAsyncFor:
      for_loop(node);
      return;
    case NodeType::kWhile:
      while_loop(node);
      return;
    case NodeType::kIf:
      if_statement(node);
      return;
    case NodeType::kWith:
    case NodeType::kAsyncWith:
      with_statement(node, 0);
      return;
    case NodeType::kMatch:
      match_statement(node);
      return;
    case NodeType::kRaise:
      raise_statement(node);
      return;
    case NodeType::kTry:
    case NodeType::kTryStar:
      try_statement(node);
      return;
    case NodeType::kAssert: {
      const Operand test = expression(node->child("test"));
      const Id fails = new_block();
      const Id holds = new_block();
      branch(test, holds, fails);
      const FlowState before = frame_->state;
      start_block(fails);
      frame_->state.reachable = before.reachable && !is_true(test.abs);
      if (const Node* message = node->child("msg")) expression(message);
      emit(facts::StatementKind::kRaise, node);
      start_block(holds);
      frame_->state = before;
      return;
    }
    case NodeType::kImport:
      import_statement(node);
      return;
    case NodeType::kImportFrom:
      import_from(node);
      return;
    case NodeType::kExpr:
      if (!never_asked(node->child("value"), nullptr)) expression(node->child("value"));
      return;
    case NodeType::kBreak:
    case NodeType::kContinue:
      break_or_continue(node->type() == NodeType::kBreak);
      return;
    case NodeType::kGlobal:
    case NodeType::kNonlocal:
    case NodeType::kPass:
    case NodeType::kTypeAlias:
      return;
    default:
      problem("unsupported-syntax", "A statement of type '" + node->type_name() + "' is not understood.", node);
  }
}

void Lowerer::store_name(const std::string& name, const Operand& value, const Node* node, bool augmented) {
  Scope* owner = nullptr;
  Cell& cell = store_cell(name, frame_->scope, &owner);
  write_cell(cell, owner, value.abs);
  facts::Location location;
  location.storage = storage_of(cell, *owner, name, node);
  if (const Atom* atom = value.abs.single()) {
    if (atom->kind == AtomKind::kTyped &&
        (atom->type.name == "threading.local" || atom->type.name == "contextvars.ContextVar")) {
      storages_[static_cast<std::size_t>(location.storage)].kind = facts::StorageKind::kThreadOrContext;
    }
  }
  emit_store(location, value, node, augmented);
}

void Lowerer::assign(const Node* target, const Operand& value, bool augmented) {
  if (target == nullptr) return;
  switch (target->type()) {
    case NodeType::kName:
      store_name(target->text("id"), value, target, augmented);
      return;
    case NodeType::kAttribute: {
      const Operand base = expression(target->child("value"));
      assign_attribute(base, target->text("attr"), value, target, augmented);
      return;
    }
    case NodeType::kSubscript: {
      const Operand base = expression(target->child("value"));
      const Operand key = expression(target->child("slice"));
      set_item(base, key, value, target, augmented);
      return;
    }
    case NodeType::kTuple:
    case NodeType::kList:
      unpack(target->list("elts"), value, target);
      return;
    case NodeType::kStarred:
      assign(target->child("value"), value, augmented);
      return;
    default:
      return;
  }
}

void Lowerer::unpack(const std::vector<const Node*>& targets, const Operand& value, const Node* node) {
  bool after_star = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Node* target = targets[i];
    if (target == nullptr) continue;
    if (target->type() == NodeType::kStarred) {
      after_star = true;
      const Operand first = make_value(constant(static_cast<std::int64_t>(i)), target, facts::OriginKind::kConstant);
      Abstract rest = typed(TypeKind::kList);
      const std::optional<std::vector<Abstract>> items = sequence_of(value.abs);
      if (const std::size_t after = targets.size() - i - 1; items && items->size() >= i + after) {
        HeapObject object;
        object.items.assign(items->begin() + static_cast<std::ptrdiff_t>(i),
                            items->end() - static_cast<std::ptrdiff_t>(after));
        rest = new_heap(TypeKind::kList, std::move(object), target, kNone).abs;
      }
      assign(target->child("value"), emit_call("builtins.iter_rest", {value, first}, rest, target));
      continue;
    }
    Abstract item;
    for (const AtomPtr& atom : value.abs.atoms) {
      Abstract one;
      one.atoms = {atom};
      const std::optional<std::vector<Abstract>> items = after_star ? std::nullopt : sequence_of(one);
      join_into(item, items && i < items->size() ? (*items)[i] : elements_of(one));
    }
    if (value.abs.unknown) join_into(item, elements_of(unknown(value.abs.reason)));
    if (item.bottom()) item = unknown("an element of a value whose content is not known");
    if (item.usual == nullptr && !after_star)
      item.usual = usual_element(value.abs, constant(static_cast<std::int64_t>(i)));
    facts::Location location;
    location.base = value.value;
    location.element = true;
    if (!after_star) {
      location.key = make_value(constant(static_cast<std::int64_t>(i)), target, facts::OriginKind::kConstant).value;
    }
    assign(target, emit_load(location, item, node));
  }
}

void Lowerer::augmented_assign(const Node* node) {
  static const std::map<std::string, std::string> names = {
      {"Add", "operator.iadd"},       {"Sub", "operator.isub"},           {"Mult", "operator.imul"},
      {"Div", "operator.itruediv"},   {"FloorDiv", "operator.ifloordiv"}, {"Mod", "operator.imod"},
      {"Pow", "operator.ipow"},       {"MatMult", "operator.imatmul"},    {"LShift", "operator.ilshift"},
      {"RShift", "operator.irshift"}, {"BitAnd", "operator.iand"},        {"BitOr", "operator.ior"},
      {"BitXor", "operator.ixor"}};
  const Node* target = node->child("target");
  if (target == nullptr) return;
  const auto found = names.find(node->text("op"));
  const std::string op = found == names.end() ? "operator.iadd" : found->second;
  if (target->type() == NodeType::kName) {
    const Operand old = load_name(target->text("id"), target, frame_->scope);
    const Operand value = expression(node->child("value"));
    store_name(target->text("id"), binary(op, old, value, node, true), target, true);
  } else if (target->type() == NodeType::kAttribute) {
    const Operand base = expression(target->child("value"));
    const Operand old = attribute(base, target->text("attr"), target);
    const Operand value = expression(node->child("value"));
    assign_attribute(base, target->text("attr"), binary(op, old, value, node, true), target, true);
  } else if (target->type() == NodeType::kSubscript) {
    const Operand base = expression(target->child("value"));
    const Operand key = expression(target->child("slice"));
    const Operand old = get_item(base, key, target);
    const Operand value = expression(node->child("value"));
    set_item(base, key, binary(op, old, value, node, true), target, true);
  }
}

void Lowerer::delete_target(const Node* target) {
  if (target == nullptr) return;
  switch (target->type()) {
    case NodeType::kName: {
      Scope* owner = nullptr;
      Cell& cell = store_cell(target->text("id"), frame_->scope, &owner);
      frame_->state.variables.erase(&cell);
      return;
    }
    case NodeType::kAttribute: {
      const Operand base = expression(target->child("value"));
      const Operand name = make_value(text(split::Text::coarse(target->text("attr"), SourceSpan{})), target,
                                      facts::OriginKind::kConstant);
      emit_call("builtins.delattr", {base, name}, constant(nullptr), target);
      return;
    }
    case NodeType::kSubscript: {
      const Operand base = expression(target->child("value"));
      const Operand key = expression(target->child("slice"));
      for (const AtomPtr& atom : base.abs.atoms) {
        if (atom->kind == AtomKind::kHeap) change_heap(*atom, [](HeapObject& object) { object.exact = false; });
      }
      emit_call("operator.delitem", {base, key}, constant(nullptr), target);
      return;
    }
    case NodeType::kTuple:
    case NodeType::kList:
      for (const Node* each : target->list("elts")) delete_target(each);
      return;
    default:
      return;
  }
}

// The file of the candidate that is a module or a package of this path below `folder`.
PythonUnit* Lowerer::own_unit(const std::string& folder, const std::string& path) {
  const std::string base = (folder.empty() ? folder : folder + "/") + path;
  PythonUnit* found = nullptr;
  for (const auto& unit : units_) {
    if (unit->body == kNone || unit->path.empty() || unit.get() == frame_->unit) continue;
    if (unit->path == base + "/__init__.py") return unit.get();
    if (unit->path == base + ".py") found = unit.get();
  }
  return found;
}

// The module of a file of the candidate, which is lowered where it is first imported.
Abstract Lowerer::imported_unit(PythonUnit& unit, const Node* node) {
  if (!unit.importing) {
    lower_module(unit);
    const Operand result = emit_call("builtins.__import__", {}, unknown("a module of the candidate"), node);
    (void)result;
    frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.back().target = unit.body;
  }
  Atom atom;
  atom.kind = AtomKind::kModule;
  atom.scope = unit.scope;
  atom.symbol = unit.name;
  return make(std::move(atom));
}

// What a package of the candidate holds under `name` beside what it defines: a module that was imported, or a folder
// without __init__.py, which stands for itself. Bottom for nothing.
Abstract Lowerer::own_part(const Atom& package, const std::string& name, const Node* node) {
  if (units_.size() < 2) return {};
  const std::string root = parent_of(units_.front()->path);
  const std::string prefix = root.empty() ? root : root + "/";
  std::string folder = prefix + package.symbol;
  if (package.kind == AtomKind::kModule) {
    if (!package.symbol.ends_with("/__init__.py")) return {};
    folder = parent_of(package.symbol);
  } else {
    std::replace(folder.begin() + static_cast<std::ptrdiff_t>(prefix.size()), folder.end(), '.', '/');
  }
  if (PythonUnit* const part = own_unit(folder, name)) return part->importing ? imported_unit(*part, node) : Abstract{};
  const std::string inner = folder + "/" + name;
  const bool holds = std::any_of(units_.begin(), units_.end(), [&](const auto& unit) {
    return unit->importing && unit->path.starts_with(inner + "/");
  });
  if (!holds || !inner.starts_with(prefix)) return {};
  std::string dotted = inner.substr(prefix.size());
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return symbol(dotted);
}

// A module among the candidate's files, and the packages on the way to it; anything else is a foreign package.
Abstract Lowerer::import_module(const std::string& name, int level, const Node* node) {
  std::string path = name;
  std::replace(path.begin(), path.end(), '.', '/');
  std::string folder = frame_->unit->path;
  for (int i = 0; i < std::max(1, level); ++i) folder = parent_of(folder);
  std::vector<std::string> folders{folder};
  if (level == 0) folders.insert(folders.begin(), parent_of(units_.front()->path));
  for (const std::string& base : folders) {
    PythonUnit* const unit = own_unit(base, name.empty() ? "__init__" : path);
    if (unit == nullptr) continue;
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
      if (PythonUnit* package = own_unit(base, path.substr(0, at))) imported_unit(*package, node);
    }
    return imported_unit(*unit, node);
  }
  if (level > 0) return unknown("a relative import of '" + name + "', which is not among the candidate's files");
  return symbol(canonical(name));
}

void Lowerer::import_statement(const Node* node) {
  for (const Node* alias : node->list("names")) {
    if (alias == nullptr) continue;
    const std::string name = alias->text("name");
    const std::string as = alias->text("asname");
    const Abstract module = import_module(name, 0, node);
    const std::string top = name.substr(0, name.find('.'));
    const Atom* atom = module.single();
    if (!as.empty()) {
      store_name(as, make_value(module, node, facts::OriginKind::kConstant), alias);
    } else if (atom != nullptr && atom->kind == AtomKind::kModule && top == name) {
      store_name(name, make_value(module, node, facts::OriginKind::kConstant), alias);
    } else {
      const bool own = atom != nullptr && atom->kind == AtomKind::kModule;
      store_name(top, make_value(own ? import_module(top, 0, node) : symbol(top), node, facts::OriginKind::kConstant),
                 alias);
    }
  }
}

void Lowerer::import_from(const Node* node) {
  const std::string module_name = node->text("module");
  const auto level = static_cast<int>(node->number("level"));
  Operand module;
  for (const Node* alias : node->list("names")) {
    if (alias == nullptr) continue;
    const std::string name = alias->text("name");
    const std::string as = alias->text("asname");
    if (module.value == kNone)
      module = make_value(import_module(module_name, level, node), node, facts::OriginKind::kConstant);
    const Atom* atom = module.abs.single();
    if (name == "*") {
      if (atom != nullptr && atom->kind == AtomKind::kModule) {
        for (const auto& [each, cell] : atom->scope->cells) {
          if (each.empty() || each.front() == '_') continue;
          store_name(each, make_value(read_cell(*cell), node, facts::OriginKind::kComputed), node);
        }
      } else if (atom != nullptr && atom->kind == AtomKind::kSymbol) {
        std::vector<std::string>& stars = frame_->scope->star_modules;
        if (std::find(stars.begin(), stars.end(), atom->symbol) == stars.end()) stars.push_back(atom->symbol);
      }
      continue;
    }
    if (module_name == "__future__") continue;
    const bool lacks = atom == nullptr                   ? level > 0
                       : atom->kind == AtomKind::kModule ? atom->scope->find(name) == nullptr
                                                         : atom->kind == AtomKind::kSymbol && units_.size() > 1;
    Abstract part;
    if (lacks) part = import_module(module_name.empty() ? name : module_name + "." + name, level, node);
    const bool foreign = atom != nullptr && atom->kind == AtomKind::kSymbol &&
                         (part.single() == nullptr || part.single()->kind != AtomKind::kModule);
    const Operand value = lacks && !foreign ? make_value(std::move(part), node, facts::OriginKind::kConstant)
                                            : attribute(module, name, node);
    store_name(as.empty() ? name : as, value, alias);
  }
}

}  // namespace kernel_audit::analysis::python
