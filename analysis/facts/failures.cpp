// Whether a branch is only taken after an exception was swallowed: `out = None; try: out = kernel(x) … if out is None`.
#include "analysis/facts/failures.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kernel_audit::analysis::facts {
namespace {

const Statement* statement_making(const Function& function, Id value) {
  for (const Block& block : function.blocks) {
    const auto made = std::find_if(block.statements.begin(), block.statements.end(),
                                   [&](const Statement& statement) { return statement.result == value; });
    if (made != block.statements.end()) return &*made;
  }
  return nullptr;
}

// A condition that asks one local variable: whether it is true, or whether it is None.
struct Question {
  Id storage = kNone;
  bool negated = false;
  bool none = false;
};

class Asked {
 public:
  Asked(const Facts& facts, const Function& function) : facts_(facts), function_(function) {}

  std::optional<Question> question(Id value, int depth = 0) const {
    const Statement* made = value == kNone || depth > 3 ? nullptr : statement_making(function_, value);
    if (made == nullptr) return std::nullopt;
    if (made->kind == StatementKind::kLoad) {
      const Id storage = made->location.storage;
      if (storage == kNone || made->location.element || made->location.base != kNone) return std::nullopt;
      if (facts_.storages[static_cast<std::size_t>(storage)].kind != StorageKind::kLocal) return std::nullopt;
      return Question{storage, false, false};
    }
    if (made->kind != StatementKind::kCall || made->args.empty()) return std::nullopt;
    const bool same = made->callee == "operator.is_" || made->callee == "operator.eq";
    const bool differs = made->callee == "operator.is_not" || made->callee == "operator.ne";
    const bool none = (same || differs) && made->args.size() == 2 && is_null(made->args[1]);
    if (!none && made->callee != "operator.not_") return std::nullopt;
    auto inner = question(made->args[0], depth + 1);
    if (!inner || (none && (inner->none || inner->negated))) return std::nullopt;
    inner->none = inner->none || none;
    if (!same) inner->negated = !inner->negated;
    return inner;
  }

  // The answer where the variable holds this value, as far as its own statement tells.
  std::optional<bool> answer(const Question& question, Id stored) const {
    if (stored == kNone) return std::nullopt;
    const Value& value = facts_.values[static_cast<std::size_t>(stored)];
    std::optional<bool> holds;
    if (value.constant) {
      const Json& constant = *value.constant;
      if (question.none) {
        holds = constant.is_null();
      } else if (constant.is_boolean()) {
        holds = constant.get<bool>();
      } else if (constant.is_null()) {
        holds = false;
      }
    } else if (question.none && value.type.kind == TypeKind::kTensor) {
      holds = false;
    }
    if (holds && question.negated) holds = !*holds;
    return holds;
  }

 private:
  bool is_null(Id value) const {
    if (value == kNone) return false;
    const auto& constant = facts_.values[static_cast<std::size_t>(value)].constant;
    return constant && constant->is_null();
  }

  const Facts& facts_;
  const Function& function_;
};

// Whether what `from` stores last into the variable can still be there at `to`.
bool arrives(const Function& function, Id from, Id to, Id storage, bool through_exceptions) {
  const auto stores = [&](Id block) {
    const auto& statements = function.blocks[static_cast<std::size_t>(block)].statements;
    return std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
      return statement.kind == StatementKind::kStore && statement.location.storage == storage;
    });
  };
  std::set<Id> seen;
  std::vector<Id> todo{from};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    const bool overwritten = at != from && stores(at);
    for (const Edge& edge : function.blocks[static_cast<std::size_t>(at)].successors) {
      const bool exception = edge.kind == EdgeKind::kException;
      if (exception ? !through_exceptions : overwritten) continue;
      if (edge.to == to) return true;
      if (seen.insert(edge.to).second) todo.push_back(edge.to);
    }
  }
  return from == to;
}

}  // namespace

bool only_after_failure(const Facts& facts, const Function& here, const FlowGraph& flow, Id block_id, bool side) {
  const Asked asked(facts, here);
  const auto question = asked.question(here.blocks[static_cast<std::size_t>(block_id)].condition);
  if (!question) return false;
  bool after_failure = false;
  for (std::size_t b = 0; b < here.blocks.size(); ++b) {
    const Statement* last = nullptr;
    for (const Statement& statement : here.blocks[b].statements) {
      if (statement.kind == StatementKind::kStore && statement.location.storage == question->storage) last = &statement;
    }
    const Id from = static_cast<Id>(b);
    if (last == nullptr || !flow.reachable(from)) continue;
    if (asked.answer(*question, last->value) == !side) continue;
    if (arrives(here, from, block_id, question->storage, false)) return false;
    after_failure = after_failure || (asked.answer(*question, last->value) == side &&
                                      arrives(here, from, block_id, question->storage, true));
  }
  return after_failure;
}

}  // namespace kernel_audit::analysis::facts
