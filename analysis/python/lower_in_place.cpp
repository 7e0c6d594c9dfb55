// Calls of small functions that are handed different texts: each is lowered where it stands, so that what is built of
// the texts of one call is not mixed with those of another.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr std::size_t kMostNodes = 240;
constexpr int kMostInPlace = 3;  // within one another

// What would not be the same if it stood elsewhere, or more than once.
bool bound_to_its_place(const Node* node) {
  switch (node->type()) {
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
    case NodeType::kClassDef:
    case NodeType::kLambda:
    case NodeType::kReturn:
    case NodeType::kGlobal:
    case NodeType::kNonlocal:
    case NodeType::kAwait:
    case NodeType::kYield:
    case NodeType::kYieldFrom:
      return true;
    default:
      return false;
  }
}

bool can_stand_elsewhere(const Node* node, std::size_t& nodes) {
  if (node == nullptr) return true;
  if (bound_to_its_place(node) || ++nodes > kMostNodes) return false;
  const std::vector<const Node*> inside = node->children();
  return std::all_of(inside.begin(), inside.end(), [&](const Node* each) { return can_stand_elsewhere(each, nodes); });
}

bool is_known(const Abstract& value) {
  const Atom* atom = value.single();
  return atom != nullptr && ((atom->kind == AtomKind::kText && !atom->partial) || atom->kind == AtomKind::kConstant ||
                             (atom->kind == AtomKind::kTyped && atom->type.kind == TypeKind::kInt));
}

bool are_several_texts(const Abstract& value) {
  return value.atoms.size() > 1 && std::all_of(value.atoms.begin(), value.atoms.end(),
                                               [](const AtomPtr& each) { return each->kind == AtomKind::kText; });
}

}  // namespace

// The value that the function returns at its end, when it is one that may stand elsewhere.
const Node* Lowerer::end_of(const FunctionInfo& info) {
  if (info.node->type() != NodeType::kFunctionDef || info.is_generator || info.is_kernel || info.class_id != kNone ||
      !info.var_positional.empty() || !info.var_keyword.empty())
    return nullptr;
  const std::vector<const Node*> body = info.node->list("body");
  if (body.empty() || body.back() == nullptr || body.back()->type() != NodeType::kReturn) return nullptr;
  std::size_t nodes = 0;
  const Node* value = body.back()->child("value");
  const bool moves =
      std::all_of(body.begin(), body.end() - 1, [&](const Node* each) { return can_stand_elsewhere(each, nodes); });
  return moves && can_stand_elsewhere(value, nodes) ? value : nullptr;
}

// What the call gives each parameter; nothing when that is not all known.
std::optional<std::vector<Operand>> Lowerer::known_arguments(const FunctionInfo& info,
                                                             const std::vector<Argument>& args) {
  std::vector<Operand> given(info.parameters.size());
  std::size_t next = 0;
  for (const Argument& arg : args) {
    const auto named = std::find(info.parameters.begin(), info.parameters.end(), arg.keyword);
    const std::size_t place = arg.keyword.empty() ? next++ : static_cast<std::size_t>(named - info.parameters.begin());
    if (arg.star || place >= given.size() || (arg.keyword.empty() && place >= info.positional) ||
        !is_known(arg.operand.abs))
      return std::nullopt;
    given[place] = arg.operand;
  }
  const Node* arguments = info.node->child("args");
  const std::vector<const Node*> defaults =
      arguments == nullptr ? std::vector<const Node*>{} : arguments->list("defaults");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].abs.bottom()) continue;
    const std::size_t from_end = info.positional > i ? info.positional - i : 0;
    if (from_end == 0 || from_end > defaults.size()) return std::nullopt;
    const Node* standing = defaults[defaults.size() - from_end];
    if (standing == nullptr || standing->type() != NodeType::kConstant) return std::nullopt;
    given[i] = expression(standing);
  }
  return given;
}

std::optional<Operand> Lowerer::call_in_place(Id function, const std::vector<Argument>& args, const Node* node) {
  FunctionInfo& info = *functions_[static_cast<std::size_t>(function)];
  const Node* end = args.empty() || in_place_ >= kMostInPlace ? nullptr : end_of(info);
  if (end == nullptr) return std::nullopt;
  const bool texts = info.in_place || std::any_of(info.given_prev.begin(), info.given_prev.end(),
                                                  [](const auto& each) { return are_several_texts(each.second); });
  if (!texts) return std::nullopt;
  const auto given = known_arguments(info, args);
  if (!given) return std::nullopt;
  if (!info.in_place) info.in_place = grew_ = true;
  ++epoch_;
  const Id outer_function = std::exchange(frame_->function, function);
  PythonUnit* const outer_unit = std::exchange(frame_->unit, info.unit);
  Scope* const outer_scope = std::exchange(frame_->scope, info.scope);
  copies_.push_back(calls_in_place_.try_emplace(node, calls_in_place_.size()).first->second);
  ++in_place_;
  for (std::size_t i = 0; i < given->size(); ++i) store_name(info.parameters[i], (*given)[i], node);
  std::vector<const Node*> body = info.node->list("body");
  body.pop_back();
  statements(body);
  const Operand result = expression(end);
  --in_place_;
  copies_.pop_back();
  frame_->scope = outer_scope;
  frame_->unit = outer_unit;
  frame_->function = outer_function;
  return result;
}

}  // namespace kernel_audit::analysis::python
