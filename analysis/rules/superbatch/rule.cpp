// KA213: forward collects what it is handed until enough calls came along, and then computes for all of them at once.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/containers.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;
using facts::StateStore;

const RuleInfo kInfo{"KA213",
                     "superbatch",
                     "arguments of several calls are collected, and one call computes for all of them",
                     Severity::kError,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {24}};

bool counts_calls(const Model& model, const Guard& guard, Id container) {
  if (looks_at(model, guard, [](const Node& node) { return node.kind == NodeKind::kState && node.slots.empty(); }))
    return true;  // a number that earlier calls changed
  const Slice& slice = slice_of(model, guard);
  const bool lasting = std::any_of(slice.storages.begin(), slice.storages.end(), [&](Id storage) {
    return model.facts().storages[static_cast<std::size_t>(storage)].lifetime != facts::Lifetime::kCall;
  });
  if (lasting && slice.names_any({"next", "__next__", "send"})) return true;  // of an iterator that calls step on
  return slice.storages.contains(container) && slice.names_any({"len", "size", "__len__", "empty"});
}

bool is_compute(const Node& node) {
  return node.kind == NodeKind::kFramework || node.kind == NodeKind::kLaunch || node.kind == NodeKind::kVendor ||
         node.kind == NodeKind::kNativeLoop;
}

// What this call was handed, as it is or copied.
bool is_current(const facts::Provenance& graph, NodeId id) {
  bool argument = false, other = false;
  graph.walk({id}, [&](const Node& node, NodeId) {
    argument = argument || node.kind == NodeKind::kArgument;
    other = other || (node.kind != NodeKind::kArgument && node.kind != NodeKind::kCopy);
    return node.kind == NodeKind::kCopy;
  });
  return argument && !other;
}

std::vector<StateStore> collected(const Model& model) {
  std::vector<StateStore> all = model.run().appends;
  for (const auto& [storage, stores] : model.run().stores) {
    for (const StateStore& store : stores) {
      const Statement* statement = model.statement(store.where);
      if (statement != nullptr && store.phase == facts::Phase::kForward && statement->location.element)
        all.push_back(store);
    }
  }
  return all;
}

// The call returns without any work on what it was handed.
bool returns_placeholder(const Model& model) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const Alternative& way) {
    const NodeKind kind = model.provenance().at(way.node).kind;
    return kind == NodeKind::kAllocation || kind == NodeKind::kConstant || kind == NodeKind::kState ||
           kind == NodeKind::kArgument;
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto& graph = model.provenance();
  Once once;
  if (!returns_placeholder(model)) return findings;
  for (const StateStore& store : collected(model)) {
    const Id container = container_of(model, store);
    if (container == kNone || !graph.reaches(store.nodes, NodeKind::kArgument)) continue;
    const SourceSpan span = model.span(store.where);
    for (NodeId id = 0; id < static_cast<NodeId>(graph.size()); ++id) {
      const Node& node = graph.at(id);
      if (!is_compute(node) || node.phase != facts::Phase::kForward) continue;
      bool earlier = false, current = false;
      for (const auto& slot : node.slots) {
        for (const NodeId operand : slot) {
          earlier =
              earlier || (graph.reaches({operand}, NodeKind::kState) && graph.reaches({operand}, NodeKind::kArgument));
          current = current || is_current(graph, operand);
        }
      }
      if (!earlier || !current) continue;
      const std::vector<Guard>& guards = model.guards_of(node.where, node.context);
      const auto counted = std::find_if(guards.begin(), guards.end(),
                                        [&](const Guard& guard) { return counts_calls(model, guard, container); });
      if (counted == guards.end() || once.seen(span)) continue;
      Finding finding = make_finding(kInfo, policy,
                                     entry_name(model) + " collects what it is handed in " +
                                         model.facts().storages[static_cast<std::size_t>(container)].name + ", and " +
                                         model.name_of_node(id) + " computes for several calls at once.");
      finding.span = span;
      finding.notes.push_back({counted->span, "decided by how many calls came before here"});
      finding.notes.push_back({model.span_of(id), model.name_of_node(id) + " computes here"});
      findings.push_back(std::move(finding));
      break;
    }
  }
  return findings;
}

}  // namespace

const Rule& superbatch() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
