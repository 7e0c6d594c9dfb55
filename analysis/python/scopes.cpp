// Scopes as CPython's symtable makes them: which names a body binds, and where a name is found.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

Scope* Lowerer::make_scope(ScopeKind kind, Scope* parent, PythonUnit* unit, const Node* node, Id function,
                           Id class_id) {
  auto scope = std::make_unique<Scope>();
  scope->kind = kind;
  scope->parent = parent;
  scope->unit = unit;
  scope->node = node;
  scope->function = function;
  scope->class_id = class_id;
  Scope* raw = scope.get();
  scopes_.push_back(std::move(scope));
  if (node == nullptr) return raw;
  switch (node->type()) {
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
    case NodeType::kLambda:
      if (const Node* arguments = node->child("args")) {
        for (const Node* each : arguments->children()) {
          const std::string name = each->text("arg");
          if (!name.empty()) raw->cell(name);
        }
      }
      if (node->type() == NodeType::kLambda) {
        collect_names(node->child("body"), *raw);
        break;
      }
      [[fallthrough]];
    default:
      for (const Node* each : node->list("body")) collect_names(each, *raw);
  }
  for (const std::string& name : raw->globals) raw->cells.erase(name);
  for (const std::string& name : raw->nonlocals) raw->cells.erase(name);
  return raw;
}

void Lowerer::collect_target(const Node* node, Scope& scope) {
  if (node == nullptr) return;
  switch (node->type()) {
    case NodeType::kName:
      scope.cell(node->text("id"));
      return;
    case NodeType::kTuple:
    case NodeType::kList:
      for (const Node* each : node->list("elts")) collect_target(each, scope);
      return;
    case NodeType::kStarred:
      collect_target(node->child("value"), scope);
      return;
    default:
      collect_names(node, scope);
  }
}

// Names that `node` binds in `scope`; bodies of nested functions and classes are scopes of their own.
void Lowerer::collect_names(const Node* node, Scope& scope) {
  if (node == nullptr) return;
  switch (node->type()) {
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
    case NodeType::kClassDef:
      scope.cell(node->text("name"));
      for (const Node* each : node->list("decorator_list")) collect_names(each, scope);
      return;
    case NodeType::kLambda:
      return;
    case NodeType::kListComp:
    case NodeType::kSetComp:
    case NodeType::kDictComp:
    case NodeType::kGeneratorExp: {
      // Targets of the loops are the comprehension's own; a walrus inside binds in the enclosing scope.
      for (const Node* each : node->children()) {
        if (each->type() != NodeType::kOther) {
          collect_names(each, scope);
          continue;
        }
        collect_names(each->child("iter"), scope);
        for (const Node* test : each->list("ifs")) collect_names(test, scope);
      }
      return;
    }
    case NodeType::kAssign:
      for (const Node* each : node->list("targets")) collect_target(each, scope);
      collect_names(node->child("value"), scope);
      return;
    case NodeType::kAugAssign:
    case NodeType::kAnnAssign:
    case NodeType::kNamedExpr:
      collect_target(node->child("target"), scope);
      collect_names(node->child("value"), scope);
      return;
    case NodeType::kFor:
    case NodeType::kAsyncFor:
      collect_target(node->child("target"), scope);
      break;
    case NodeType::kDelete:
      for (const Node* each : node->list("targets")) collect_target(each, scope);
      return;
    case NodeType::kGlobal:
      for (const std::string& name : node->texts("names")) scope.globals.insert(name);
      return;
    case NodeType::kNonlocal:
      for (const std::string& name : node->texts("names")) scope.nonlocals.insert(name);
      return;
    case NodeType::kImport:
    case NodeType::kImportFrom:
      for (const Node* alias : node->list("names")) {
        const std::string as = alias->text("asname");
        const std::string name = alias->text("name");
        if (name == "*") continue;
        scope.cell(!as.empty() ? as : node->type() == NodeType::kImport ? name.substr(0, name.find('.')) : name);
      }
      return;
    case NodeType::kMatchAs:
    case NodeType::kMatchStar: {
      const std::string name = node->text("name");
      if (!name.empty()) scope.cell(name);
      break;
    }
    case NodeType::kMatchMapping: {
      const std::string rest = node->text("rest");
      if (!rest.empty()) scope.cell(rest);
      break;
    }
    default:
      break;
  }
  if (node->type_name() == "ExceptHandler") {
    const std::string name = node->text("name");
    if (!name.empty()) scope.cell(name);
  }
  if (node->type_name() == "withitem") collect_target(node->child("optional_vars"), scope);
  for (const Node* each : node->children()) collect_names(each, scope);
}

// Where a read of `name` in `from` finds its variable; no cell: a builtin, a star import or nothing.
Lowerer::Found Lowerer::lookup(const std::string& name, Scope* from, bool skip_own_class) {
  bool crossed = skip_own_class;
  bool crossed_function = false;
  for (Scope* scope = from; scope != nullptr; scope = scope->parent) {
    if (scope->kind == ScopeKind::kClass && crossed) continue;  // class scopes are not seen by nested functions
    if (scope->globals.count(name) != 0) {
      while (scope->kind != ScopeKind::kModule && scope->parent != nullptr) scope = scope->parent;
      if (Cell* cell = scope->find(name)) return {cell, scope};
      return {};
    }
    if (Cell* cell = scope->find(name)) {
      if (crossed_function && scope->kind != ScopeKind::kModule && scope->kind != ScopeKind::kClass)
        cell->captured = true;
      return {cell, scope};
    }
    crossed = true;
    if (scope->kind == ScopeKind::kFunction) crossed_function = true;
  }
  return {};
}

// The variable that an assignment to `name` in `scope` writes.
Cell& Lowerer::store_cell(const std::string& name, Scope* scope, Scope** owner) {
  Scope* at = scope;
  if (scope->globals.count(name) != 0) {
    while (at->kind != ScopeKind::kModule && at->parent != nullptr) at = at->parent;
    at->cell(name).stored_elsewhere = true;
  } else if (scope->nonlocals.count(name) != 0) {
    const Found found = lookup(name, scope->parent);
    if (found.cell != nullptr) {
      found.cell->stored_elsewhere = true;
      found.cell->captured = true;
      *owner = found.scope;
      return *found.cell;
    }
  } else if (scope->kind == ScopeKind::kComprehension && scope->find(name) == nullptr) {
    while (at->kind == ScopeKind::kComprehension && at->parent != nullptr) at = at->parent;  // walrus
    return store_cell(name, at, owner);
  }
  *owner = at;
  return at->cell(name);
}

// Variables that running `node` may assign in the current scope (loops forget them).
void Lowerer::assigned_cells(const Node* node, std::vector<Cell*>& cells) {
  if (node == nullptr) return;
  Scope names;
  collect_names(node, names);
  for (const auto& [name, unused] : names.cells) {
    Scope* owner = nullptr;
    cells.push_back(&store_cell(name, frame_->scope, &owner));
  }
}

}  // namespace kernel_audit::analysis::python
