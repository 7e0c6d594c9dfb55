// KA201: what an earlier call computed from its arguments is returned, or used, instead of being computed.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "analysis/rules/conditions.h"
#include "analysis/rules/containers.h"
#include "analysis/rules/device_state.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::StateUse;

const RuleInfo kInfo{"KA201",
                     "result-cache",
                     "a value computed from an earlier call's arguments is returned again",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {13, 14, 15, 16, 17, 20, 21, 25}};

bool guarded(const StateUse& use, std::initializer_list<GuardKind> kinds) {
  return std::any_of(use.guards.begin(), use.guards.end(), [&](const Guard& guard) {
    return std::find(kinds.begin(), kinds.end(), guard.kind) != kinds.end();
  });
}

std::string guard_phrase(const StateUse& use) {
  for (const GuardKind kind :
       {GuardKind::kIdentity, GuardKind::kContents, GuardKind::kState, GuardKind::kNoneCheck, GuardKind::kShape}) {
    if (guarded(use, {kind})) return std::string(", decided by ") + describe(kind);
  }
  return "";
}

// What earlier calls left there was all made by replays, or part by part: in place, as this call does it too.
bool rewritten_in_place(const Model& model, const facts::Node& state) {
  bool any = false;
  for (const auto& slot : state.slots) {
    for (const facts::NodeId made : slot) {
      const facts::NodeKind kind = model.provenance().at(made).kind;
      if (kind != facts::NodeKind::kReplay && kind != facts::NodeKind::kPartial && kind != facts::NodeKind::kAllocation)
        return false;
      any = any || kind != facts::NodeKind::kAllocation;
    }
  }
  return any;
}

// Whether what decides about a place asks what is there already, or whether something has changed since.
bool asks_what_is_kept(const Model& model, const Guard& guard) {
  if (guard.kind != GuardKind::kShape && guard.kind != GuardKind::kDevice && guard.kind != GuardKind::kSetting)
    return true;
  const facts::Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const facts::Statement* test = maker(model, guard.function, condition);
  return test != nullptr && one_of(test->callee, {"operator.contains", "operator.not_contains",  // of `self.cache`
                                                  "static_local.is_uninitialised"});
}

// Kept as it came from the allocator: a workspace, and no result.
bool kept_unwritten(const Model& model, const facts::Node& state) {
  const auto stores = model.run().stores.find(state.storage);
  if (state.storage == facts::kNone || stores == model.run().stores.end()) return false;
  bool allocated = false, other = false;
  for (const facts::StateStore& store : stores->second) {
    for (const facts::NodeId id : store.nodes) {
      const facts::NodeKind kind = model.provenance().at(id).kind;
      allocated = allocated || kind == facts::NodeKind::kAllocation;
      other = other || (kind != facts::NodeKind::kAllocation && kind != facts::NodeKind::kConstant);
    }
  }
  return allocated && !other;
}

// Whether each call writes there again, by sizes and settings alone: whether it has when it is read is not told.
bool written_in_each_call(const Model& model, const facts::Node& state) {
  if (!kept_unwritten(model, state)) return false;
  return std::any_of(state.slots.begin(), state.slots.end(), [&](const facts::NodeSet& slot) {
    return std::any_of(slot.begin(), slot.end(), [&](facts::NodeId id) {
      const facts::Node& made = model.provenance().at(id);
      if (made.kind != facts::NodeKind::kLaunch && made.kind != facts::NodeKind::kCopy) return false;
      const std::vector<Guard>& guards = model.guards_of(made.where, made.context);
      return std::none_of(guards.begin(), guards.end(),
                          [&](const Guard& guard) { return asks_what_is_kept(model, guard); });
    });
  });
}

// Calls add to the container one after the other: which of its elements is used is not told apart.
bool added_to(const Model& model, facts::Id storage) {
  const auto& run = model.run();
  return storage != facts::kNone && std::any_of(run.appends.begin(), run.appends.end(), [&](const auto& added) {
           const facts::Id container = container_of(model, added);
           return container != facts::kNone && run.canonical_storage(container) == storage;
         });
}

// Whether what was left behind was made by several kernels at one launch, as `for kernel, arguments in steps` has it:
// which of them is handed what, and which runs first, is not told apart there.
bool made_by_one_of_several(const Model& model, const facts::Node& state) {
  std::map<std::pair<std::string, std::size_t>, std::set<std::string>> kernels;  // by place in the source
  for (const facts::NodeSet& slot : state.slots) {
    for (const facts::NodeId id : slot) {
      const facts::Node& made = model.provenance().at(id);
      if (made.kind == facts::NodeKind::kLaunch && !model.native(made.where.function))
        kernels[{model.span_of(id).file, model.span_of(id).begin}].insert(model.name_of_node(id));
    }
  }
  return std::any_of(kernels.begin(), kernels.end(), [](const auto& launch) { return launch.second.size() > 1; });
}

// A running average that only training moves on, as normalisation by batches keeps it.
bool trained_average(const Model& model, const StateUse& use) {
  const facts::Id kept = model.provenance().at(use.state).storage;
  return !use.stored.empty() && std::all_of(use.stored.begin(), use.stored.end(), [&](const facts::StateStore& store) {
    bool moved_on = false;  // of this object, or of another of its class
    model.provenance().walk(store.nodes, [&](const facts::Node& node, facts::NodeId) {
      moved_on = moved_on || (node.kind == facts::NodeKind::kState && node.storage == kept);
      return !moved_on;
    });
    const std::vector<Guard>& guards = model.guards_of(store.where, store.context);
    return moved_on && std::any_of(guards.begin(), guards.end(), [&](const Guard& guard) {
             return slice_of(model, guard).names_any({"training"}) &&
                    side_of(model, guard, store.where, store.context) == true;
           });
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const StateUse& use : model.state_uses()) {
    if (!use.depends_on_contents || (!use.direct && trained_average(model, use))) continue;
    const auto& node = model.provenance().at(use.state);
    if (!use.direct && made_by_one_of_several(model, node)) continue;
    const std::string place = node.name.empty() ? "a buffer that outlives the call" : node.name;
    Finding finding = make_finding(kInfo, policy, "");
    if (use.direct) {
      finding.message = entry_name(model) + " returns what an earlier call computed from its arguments and left in " +
                        place + guard_phrase(use) + ".";
    } else if (use.refreshed && guarded(use, {GuardKind::kIdentity, GuardKind::kNoneCheck, GuardKind::kShape,
                                              GuardKind::kContents, GuardKind::kState})) {
      finding.message = entry_name(model) +
                        " computes its result from what an earlier call derived from its arguments and left in " +
                        place + guard_phrase(use) + ".";
      if (use.beside_current || added_to(model, node.storage) ||
          !guarded(use, {GuardKind::kIdentity, GuardKind::kNoneCheck, GuardKind::kShape})) {
        soften(finding, Effect::kReview);
        finding.confidence = Confidence::kMedium;
      }
    } else {
      continue;  // recurrent state: part of the function that is computed
    }
    const bool in_place =
        model.run().graph_storages.contains(node.storage) || (!use.direct && rewritten_in_place(model, node));
    if (in_place && !use.direct &&
        !guarded(use, {GuardKind::kIdentity, GuardKind::kShape, GuardKind::kContents, GuardKind::kState}))
      continue;  // made once, rewritten by every call
    if (in_place || (!use.direct && written_in_each_call(model, node))) {
      // Replaying a captured graph rewrites it, and so do stores to its parts one after the other; on which paths that
      // happens, and whether to all of it, is not told apart here.
      soften(finding, Effect::kReview);
      finding.confidence = Confidence::kLow;
    }
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
      return f.message == finding.message && f.span == model.span(use.returned);
    });
    if (same != findings.end()) continue;
    for (const facts::StateStore& stored : use.stored) {
      finding.notes.push_back({model.span(stored.where), "stored in " + place + " here"});
    }
    for (const auto& slot : node.slots) {
      for (const facts::NodeId made : slot) {
        if (finding.notes.size() < 6)
          finding.notes.push_back({model.span_of(made), model.name_of_node(made) + " made it here"});
      }
    }
    add_guard_notes(use.guards, finding.notes);
    finding.span = model.span(use.returned);
    finding.notes.push_back({finding.span, "returned here"});
    findings.push_back(std::move(finding));
  }
  for (const DeviceMemo& memo : device_memos(model)) {
    Finding finding =
        finding_in_launched(kInfo, model, policy, memo.kernel, *memo.test,
                            "compares what it reads with what an earlier call left in a buffer, and where "
                            "they are the same does with what was kept.",
                            {{memo.kept->span, "kept here"}});
    soften_to_review(finding);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& result_cache() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
