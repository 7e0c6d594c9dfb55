#include "analysis/rules/reached_work.h"

#include <algorithm>
#include <vector>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/launch_choices.h"

namespace kernel_audit::analysis::rules {

using facts::Edge;
using facts::EdgeKind;
using facts::Id;
using facts::kNone;

std::optional<ReachedWork::Bar> ReachedWork::barred_within(Id function, Id block, int frame) {
  const auto& body = model_.function(function);
  const auto walk = [&](Id from, const auto& passes) {
    std::set<Id> reached;
    std::vector<Id> todo{from};
    while (!todo.empty()) {
      const Id at = todo.back();
      todo.pop_back();
      if (!reached.insert(at).second) continue;
      for (const Edge& edge : body.blocks[static_cast<std::size_t>(at)].successors) {
        if (passes(at, edge)) todo.push_back(edge.to);
      }
    }
    return reached;
  };
  std::map<Id, std::pair<std::optional<bool>, Id>> decided;  // block → the way it goes, and where it does not go
  const std::set<Id> reached = walk(0, [&](Id at, const Edge& edge) {
    if (edge.kind != EdgeKind::kTrue && edge.kind != EdgeKind::kFalse) return true;
    const auto [known, fresh] = decided.try_emplace(at, std::nullopt, kNone);
    if (fresh) known->second.first = numbers_.decides(function, at, frame);
    const bool passes = !known->second.first || *known->second.first == (edge.kind == EdgeKind::kTrue);
    if (!passes) known->second.second = edge.to;
    return passes;
  });
  if (reached.contains(block)) return std::nullopt;
  for (const auto& [at, way] : decided) {
    if (way.second == kNone || !reached.contains(at)) continue;
    const std::set<Id> beyond = walk(way.second, [](Id, const Edge&) { return true; });
    if (beyond.contains(block)) return Bar{function, at, heads_loop(body, at)};
  }
  return std::nullopt;
}

bool ReachedWork::launches_nothing(const facts::StatementRef& where, facts::ContextId context) {
  const facts::Statement* launch = model_.statement(where);
  if (launch == nullptr || !launch->launch || !numbers_.knows_inputs()) return false;
  return numbers_.no_blocks(*launch, numbers_.frame(where, context));
}

std::optional<ReachedWork::Bar> ReachedWork::barred_by(const facts::StatementRef& place, facts::ContextId innermost) {
  // A function that comes to a call of itself comes back with other numbers.
  const auto comes_back = [&](Id function, int frame) {
    const auto& blocks = model_.function(function).blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const bool calls = std::any_of(blocks[b].statements.begin(), blocks[b].statements.end(),
                                     [&](const facts::Statement& s) { return s.target == function; });
      if (calls && !barred_within(function, static_cast<Id>(b), frame)) return true;
    }
    return false;
  };
  for (const auto& [where, context] : facts::call_chain(model_.provenance(), place, innermost)) {
    if (where.function == kNone || where.block == kNone) break;
    const int frame = numbers_.frame(where, context);
    const auto bar = barred_within(where.function, where.block, frame);
    if (bar && !comes_back(where.function, frame)) return bar;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::rules
