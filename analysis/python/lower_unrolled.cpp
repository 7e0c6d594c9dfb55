// Loops and comprehensions over a few elements that stand there: each element in turn, so that places, names and texts
// stay known.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr std::size_t kMostElements = 8;
constexpr std::size_t kMostNames = 32;  // of a table of attributes that are set

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

// Whether something inside sets an attribute or a variable by a name that is computed.
bool sets_by_name(const Node* node) {
  if (node == nullptr) return false;
  if (node->type() == NodeType::kCall) {
    const Node* callee = node->child("func");
    const std::string name = callee == nullptr                        ? ""
                             : callee->type() == NodeType::kName      ? callee->text("id")
                             : callee->type() == NodeType::kAttribute ? callee->text("attr")
                                                                      : "";
    if (name == "setattr" || name == "__setattr__" || name == "setitem" || name == "__setitem__") return true;
  }
  if (node->type() == NodeType::kAssign) {
    for (const Node* target : node->list("targets")) {
      const Node* base = target == nullptr || target->type() != NodeType::kSubscript ? nullptr : target->child("value");
      if (base != nullptr && (base->type() == NodeType::kCall || base->text("attr") == "__dict__")) return true;
    }
  }
  const auto& inside = node->children();
  return std::any_of(inside.begin(), inside.end(), sets_by_name);
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

// The elements of a dictionary, of its items() or of a list that is kept in a variable, when all are known and few;
// none otherwise. `base` is the container, `part` the method that is called on it, or "".
std::vector<Operand> Lowerer::few_elements(const Operand& base, const std::string& part, const Node* node) {
  const Atom* atom = base.abs.single();
  if (atom == nullptr) return {};
  const auto literal = [&](const Abstract& key) { return make_value(key, node, facts::OriginKind::kConstant); };
  std::vector<Operand> elements;
  const auto items = sequence_of(base.abs);
  if (items && part.empty() && items->size() <= kMostNames) {
    for (std::size_t i = 0; i < items->size(); ++i)
      elements.push_back(get_item(base, literal(constant(static_cast<std::int64_t>(i))), node));
    return elements;
  }
  if (atom->kind != AtomKind::kHeap) return {};
  const HeapObject dictionary = read_heap(atom->site);
  if (!dictionary.exact || dictionary.kind != TypeKind::kDict || dictionary.entries.size() > kMostNames) return {};
  for (const auto& [key, unused] : dictionary.entries) {
    if (folded_text(key) == nullptr) return {};
  }
  for (const auto& [key, unused] : dictionary.entries) {
    const Operand name = literal(key);
    if (part.empty() || part == "keys") {
      elements.push_back(name);
      continue;
    }
    const Operand value = get_item(base, name, node);
    if (part == "values") {
      elements.push_back(value);
      continue;
    }
    Atom pair;
    pair.kind = AtomKind::kTuple;
    pair.type.kind = TypeKind::kTuple;
    pair.items = {name.abs, value.abs};
    pair.item_values = {name.value, value.value};
    pair.self_function = frame_->function;
    elements.push_back(emit_call("builtins.tuple", {name, value}, make(std::move(pair)), node));
  }
  return elements;
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

// for name, value in {…}.items(): setattr(torch, name, value). Which names are set shows only element by element.
bool Lowerer::unrolled_names(const Node* node, Operand& iterable) {
  const std::vector<const Node*> body = node->list("body");
  const Node* iter = node->child("iter");
  if (iter == nullptr || !node->list("orelse").empty() || std::any_of(body.begin(), body.end(), is_one_thing) ||
      std::none_of(body.begin(), body.end(), sets_by_name)) {
    iterable = expression(iter);
    return false;
  }
  const Node* method = iter->type() == NodeType::kCall ? iter->child("func") : nullptr;
  const bool called = method != nullptr && method->type() == NodeType::kAttribute && iter->list("args").empty() &&
                      iter->list("keywords").empty();
  const std::string part = called ? method->text("attr") : "";
  const Operand base = expression(called ? method->child("value") : iter);
  std::vector<Operand> elements;
  if (part.empty() || part == "items" || part == "keys" || part == "values") elements = few_elements(base, part, node);
  for (const Operand& element : elements) {
    assign(node->child("target"), element);
    statements(body);
  }
  if (elements.empty()) iterable = called ? call(attribute(base, part, method, true), {}, iter) : base;
  return !elements.empty();
}

}  // namespace kernel_audit::analysis::python
