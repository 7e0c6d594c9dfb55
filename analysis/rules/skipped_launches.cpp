#include "analysis/rules/skipped_launches.h"

#include <algorithm>
#include <functional>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::ContextId;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

namespace {

struct Condition {
  Id function = kNone, block = kNone;
};

// Calls `visit` with each condition in front of a launch, which way it has to go if that is one, and which it goes if
// that can be told, until it is content.
void for_each_condition(const Model& model, HostNumbers& host, const StatementRef& launch, ContextId innermost,
                        const std::function<bool(const Condition&, std::optional<bool>, std::optional<bool>)>& visit) {
  for (const auto& [where, context] : facts::call_chain(model.provenance(), launch, innermost)) {
    if (!where.known() || where.block == kNone) return;
    const int frame = host.frame(where, context);
    for (const Id decider : model.run().flow(where.function).deciders(where.block)) {
      const Id condition = model.function(where.function).blocks[static_cast<std::size_t>(decider)].condition;
      facts::Guard guard;
      guard.function = where.function;
      guard.block = decider;
      const auto needed = side_of(model, guard, where, context);
      if (condition == kNone) continue;
      if (visit({where.function, decider}, needed, host.goes(where.function, decider, frame))) return;
    }
  }
}

// TORCH_CHECK(condition): whoever fails it gets nothing.
bool other_side_raises(const Model& model, const Condition& at, std::optional<bool> needed) {
  const auto& blocks = model.function(at.function).blocks;
  if (!needed) return false;
  for (const facts::Edge& edge : blocks[static_cast<std::size_t>(at.block)].successors) {
    if (edge.kind != (*needed ? facts::EdgeKind::kFalse : facts::EdgeKind::kTrue)) continue;
    const auto& statements = blocks[static_cast<std::size_t>(edge.to)].statements;
    return !statements.empty() && statements.back().kind == StatementKind::kRaise;
  }
  return false;
}

}  // namespace

bool may_be_skipped(const Model& model, HostNumbers& host, const StatementRef& launch, ContextId context) {
  if (through_pointer(model, launch, context)) return true;
  const std::vector<facts::Guard>& guards = model.guards_of(launch, context);
  bool may = false;
  for_each_condition(model, host, launch, context,
                     [&](const Condition& at, std::optional<bool> needed, std::optional<bool> taken) {
                       if (taken && needed) return may = *taken != *needed;
                       // One of several that lead there, or not to be told.
                       return may = std::any_of(guards.begin(), guards.end(), [&](const facts::Guard& guard) {
                                return guard.function == at.function && guard.block == at.block &&
                                       (decides_by_size(model, guard) || asks_size(slice_of(model, guard)));
                              });
                     });
  return may;
}

bool certainly_runs(const Model& model, HostNumbers& host, const StatementRef& launch, ContextId context) {
  if (!host.knows_inputs() || through_pointer(model, launch, context)) return false;
  bool certain = true;
  for_each_condition(model, host, launch, context,
                     [&](const Condition& at, std::optional<bool> needed, std::optional<bool> taken) {
                       certain = (taken && needed && *taken == *needed) || other_side_raises(model, at, needed);
                       return !certain;
                     });
  return certain;
}

std::vector<std::pair<StatementRef, Id>> pointers_to(const Model& model, const StatementRef& launch,
                                                     ContextId innermost) {
  std::vector<std::pair<StatementRef, Id>> pointers;
  for (const auto& [where, context] : facts::call_chain(model.provenance(), launch, innermost)) {
    if (!where.known() || !model.native(where.function)) break;
    const Statement* s = model.statement(where);
    if (s != nullptr && s->callee_value != kNone && s->target == kNone &&
        model.value(s->callee_value).function == kNone)
      pointers.emplace_back(where, s->callee_value);
  }
  return pointers;
}

bool through_pointer(const Model& model, const StatementRef& launch, ContextId context) {
  const auto pointers = pointers_to(model, launch, context);
  return std::any_of(pointers.begin(), pointers.end(),
                     [&](const auto& each) { return model.statement(each.first)->callee.empty(); });
}

}  // namespace kernel_audit::analysis::rules
