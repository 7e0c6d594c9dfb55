// Which branches host code takes with the numbers that HostNumbers knows.
#include <algorithm>
#include <cmath>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {
constexpr int kDeepest = 60;
}

std::optional<bool> HostNumbers::truth(Id value, int frame, int depth) {
  if (value == kNone || frame < 0 || depth > kDeepest) return std::nullopt;
  const Made made = origin(value, frame, depth + 1);
  if (made.statement == nullptr || model_.value(value).constant) {
    const Value known = of(value, frame, depth + 1);
    return known.number ? std::optional(*known.number != 0) : std::nullopt;
  }
  const Statement& s = *made.statement;
  const auto inner = [&](std::size_t i) { return truth(s.args[i], made.frame, depth + 1); };
  if (s.kind == StatementKind::kPhi && (s.callee == "and" || s.callee == "or")) {
    const bool decides = s.callee == "or";  // one of them that is so is enough
    bool all = true;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      const auto part = inner(i);
      if (part == decides) return decides;
      all = all && part.has_value();
    }
    return all ? std::optional(!decides) : std::nullopt;
  }
  if (s.callee == "operator.not_" && s.args.size() == 1) {
    const auto part = inner(0);
    return part ? std::optional(!*part) : std::nullopt;
  }
  if (s.kind == StatementKind::kCall && s.args.size() == 2 && s.callee.starts_with("operator.")) {
    const auto a = of(s.args[0], made.frame, depth + 1).number, b = of(s.args[1], made.frame, depth + 1).number;
    const std::string name = last_part(s.callee);
    if (a && b && name == "lt") return *a < *b;
    if (a && b && name == "le") return *a <= *b;
    if (a && b && name == "gt") return *a > *b;
    if (a && b && name == "ge") return *a >= *b;
    if (a && b && name == "eq") return *a == *b;
    if (a && b && name == "ne") return *a != *b;
  }
  const Value known = of(value, frame, depth + 1);
  return known.number ? std::optional(*known.number != 0) : std::nullopt;
}

// A loop over range(…) that has no turn.
bool HostNumbers::no_turn(const Statement& next, int frame) {
  const Made iter = origin(next.args.empty() ? kNone : next.args[0], frame);
  if (iter.statement == nullptr || iter.statement->callee != "builtins.iter" || iter.statement->args.empty())
    return false;
  const Made range = origin(iter.statement->args[0], iter.frame);
  if (range.statement == nullptr || range.statement->callee != "builtins.range" || range.statement->star_args)
    return false;
  std::vector<double> bounds;
  for (const Id arg : range.statement->args) {
    const auto known = of(arg, range.frame).number;
    if (!known) return false;
    bounds.push_back(*known);
  }
  if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
  return bounds.size() == 2 && bounds[0] >= bounds[1];
}

bool HostNumbers::kept_from(Id block, int frame) {
  const Id function = frames_[static_cast<std::size_t>(frame)].function;
  const facts::FlowGraph& flow = model_.run().flow(function);
  const auto& blocks = model_.function(function).blocks;
  for (const Id decider : flow.deciders(block)) {
    for (const facts::Edge& edge : blocks[static_cast<std::size_t>(decider)].successors) {
      const bool yes = edge.kind == facts::EdgeKind::kTrue, no = edge.kind == facts::EdgeKind::kFalse;
      if ((!yes && !no) || flow.predecessors(edge.to).size() != 1 || !flow.dominates(edge.to, block)) continue;
      const facts::Block& deciding = blocks[static_cast<std::size_t>(decider)];
      const auto next = std::find_if(deciding.statements.begin(), deciding.statements.end(),
                                     [](const Statement& s) { return s.callee == "builtins.next"; });
      if (next != deciding.statements.end() ? yes && no_turn(*next, frame) : truth(deciding.condition, frame) == no)
        return true;
    }
  }
  return false;
}

// The operand of `a if test else b` that the numbers choose, kNone when they do not.
Id HostNumbers::chosen(const Statement& phi, const facts::StatementRef& where, int frame) {
  if (!phi.callee.empty() || phi.args.size() != 2) return kNone;
  const facts::FlowGraph& flow = model_.run().flow(where.function);
  const auto& blocks = model_.function(where.function).blocks;
  for (const Id before : flow.predecessors(where.block)) {
    if (!kept_from(before, frame)) continue;
    for (const Id decider : flow.deciders(before)) {
      for (const facts::Edge& edge : blocks[static_cast<std::size_t>(decider)].successors) {
        if (!flow.dominates(edge.to, before) || flow.dominates(edge.to, where.block)) continue;
        if (edge.kind == facts::EdgeKind::kTrue) return phi.args[1];
        if (edge.kind == facts::EdgeKind::kFalse) return phi.args[0];
      }
    }
  }
  return kNone;
}

bool HostNumbers::never_runs(const facts::StatementRef& where, facts::ContextId context) {
  Id block = where.block;
  for (int at = frame(where, context); at >= 0; at = frames_[static_cast<std::size_t>(at)].around) {
    if (kept_from(block, at)) return true;
    if (context <= 0) break;
    block = model_.provenance().context_at(context).call.block;
    context = model_.provenance().context_at(context).parent;
  }
  return false;
}

}  // namespace kernel_audit::analysis::rules
