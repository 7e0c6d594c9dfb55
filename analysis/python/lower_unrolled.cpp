// Loops and comprehensions over a few elements that stand there: each element in turn, so that places, names and texts
// stay known.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr std::size_t kMostElements = 8;

// The elements of a display that is short enough, or none.
std::vector<const Node*> short_display(const Node* node) {
  if (node == nullptr || (node->type() != NodeType::kTuple && node->type() != NodeType::kList)) return {};
  std::vector<const Node*> elements = node->list("elts");
  const bool plain = std::all_of(elements.begin(), elements.end(), [](const Node* each) {
    return each != nullptr && each->type() != NodeType::kStarred;
  });
  return plain && elements.size() <= kMostElements ? elements : std::vector<const Node*>{};
}

// Whether something inside is met once however often it runs (a function, a class), or needs the loop around it.
bool is_one_thing(const Node* node) {
  if (node == nullptr) return false;
  switch (node->type()) {
    case NodeType::kLambda:
    case NodeType::kListComp:
    case NodeType::kSetComp:
    case NodeType::kDictComp:
    case NodeType::kGeneratorExp:
    case NodeType::kNamedExpr:
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
    case NodeType::kClassDef:
    case NodeType::kBreak:
    case NodeType::kContinue:
    case NodeType::kTry:
    case NodeType::kYield:
    case NodeType::kYieldFrom:
      return true;
    default:
      break;
  }
  for (const Node* each : node->children()) {
    if (is_one_thing(each)) return true;
  }
  return false;
}

}  // namespace

Scope* Lowerer::comprehension_scope(const Node* node) {
  Scope*& scope = scope_of_node_[node];
  if (scope == nullptr) {
    scope = make_scope(ScopeKind::kComprehension, frame_->scope, frame_->unit, nullptr, frame_->function, kNone);
    for (const Node* each : node->list("generators")) {
      if (each != nullptr) collect_target(each->child("target"), *scope);
    }
  }
  return scope;
}

// [f(x) for x in (a, b)]: over a short display that stands there, each element in turn, so that places stay known.
std::optional<Operand> Lowerer::unrolled(const Node* node) {
  const std::vector<const Node*> generators = node->list("generators");
  const bool list = node->type() == NodeType::kListComp || node->type() == NodeType::kGeneratorExp;
  if (!list || generators.size() != 1 || generators[0] == nullptr || !generators[0]->list("ifs").empty()) return {};
  const std::vector<const Node*> elements = short_display(generators[0]->child("iter"));
  if (elements.empty() || is_one_thing(node->child("elt"))) return {};
  std::vector<Operand> items, parts;
  for (const Node* each : elements) items.push_back(expression(each));
  Scope* const outer = std::exchange(frame_->scope, comprehension_scope(node));
  HeapObject object;
  for (const Operand& item : items) {
    assign(generators[0]->child("target"), item);
    parts.push_back(expression(node->child("elt")));
    object.items.push_back(parts.back().abs);
  }
  frame_->scope = outer;
  const Abstract abs = new_heap(TypeKind::kList, std::move(object), node, kNone).abs;
  return emit_call("builtins.list", parts, abs, node);
}

bool Lowerer::unrolled_loop(const Node* node) {
  const std::vector<const Node*> elements = short_display(node->child("iter"));
  const std::vector<const Node*> body = node->list("body");
  if (elements.empty() || !node->list("orelse").empty() || std::any_of(body.begin(), body.end(), is_one_thing))
    return false;
  std::vector<Operand> items;
  for (const Node* each : elements) items.push_back(expression(each));
  for (const Operand& item : items) {
    assign(node->child("target"), item);
    statements(body);
  }
  return true;
}

}  // namespace kernel_audit::analysis::python
