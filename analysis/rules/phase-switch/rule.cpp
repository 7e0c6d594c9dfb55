// KA617: how often forward was called, or a mode of the framework, decides by which code the result is computed.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/device_state.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::Node;
using facts::NodeKind;

const RuleInfo kInfo{"KA617",
                     "phase-switch",
                     "how often forward was called, or in which mode, decides by which code the result is computed",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {17, 42}};

// A number or flag that calls change, not a value that they keep.
const Node* state_behind(const Model& model, const Guard& guard) {
  const Node* state = nullptr;
  if (guard.kind != GuardKind::kState) return state;
  looks_at(model, guard, [&](const Node& node) {
    if (node.kind == NodeKind::kState && node.slots.empty()) state = &node;
    return state != nullptr;
  });
  return state;
}

// Whether each call changes it by what it was: a counter. A flag or a choice that one call makes is none.
bool is_counter(const Model& model, const Node& state) {
  const auto stores = model.run().stores.find(state.storage);
  if (stores == model.run().stores.end()) return false;
  return std::any_of(stores->second.begin(), stores->second.end(), [&](const facts::StateStore& store) {
    const facts::Statement* statement = model.statement(store.where);
    if (statement == nullptr || store.phase != facts::Phase::kForward) return false;
    const Slice& slice = slice_of(model, store.where.function, statement->value);
    return std::any_of(slice.storages.begin(), slice.storages.end(),
                       [&](facts::Id storage) { return model.run().canonical_storage(storage) == state.storage; });
  });
}

// An iterator that gives each call the next number, kept by the module or by an object.
bool counts_calls(const Model& model, const Slice& slice) {
  if (!slice.names.contains("builtins.next")) return false;
  if (slice.names.contains("itertools.count")) return true;
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (const facts::Block& block : functions[f].blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.kind != facts::StatementKind::kStore || !slice.storages.contains(s.location.storage)) continue;
        const facts::Statement* made = maker(model, static_cast<facts::Id>(f), s.value);
        if (made != nullptr && made->callee == "itertools.count") return true;
      }
    }
  }
  return false;
}

// What a benchmark sets for checking and not for timing, or the other way round.
bool asks_mode(const Slice& slice) {
  for (const char* name : {"at::GradMode::is_enabled", "c10::GradMode::is_enabled", "c10::InferenceMode::is_enabled"}) {
    if (slice.names.contains(name)) return true;
  }
  return asks_capture(slice) ||
         slice.names_any({"is_grad_enabled", "is_inference_mode_enabled", "are_deterministic_algorithms_enabled",
                          "gettrace", "getprofile", "_is_profiler_enabled", "is_anomaly_enabled"});
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const Alternative& way : model.alternatives()) {
    if (!computes(model, way)) continue;
    const Node& top = model.provenance().at(way.node);
    for (const Guard& guard : way.guards) {
      const Node* state = state_behind(model, guard);
      const bool mode = guard.kind == GuardKind::kSetting && asks_mode(slice_of(model, guard));
      const bool counter = state != nullptr && is_counter(model, *state);
      if ((state == nullptr && !mode) || (!counter && !mode && !way.replays.empty())) continue;
      const bool other =
          leaves_another_way(model, guard, way.returned, 0) || leaves_another_way(model, guard, top.where, top.context);
      if (!other || once.seen(guard.span)) continue;
      Finding finding = make_finding(kInfo, policy,
                                     std::string(counter ? "How often forward was called"
                                                 : mode  ? "A mode of the framework"
                                                         : "What an earlier call noted") +
                                         " decides whether " + entry_name(model) + " returns the result of " +
                                         model.name_of_node(way.node) + ".");
      if (!counter && !mode) {
        soften(finding, Effect::kNote);  // a method chosen, or found missing, once: mostly tuning
        finding.severity = Severity::kNote;
      }
      finding.span = guard.span;
      finding.notes.push_back({model.span_of(way.node), "computed here on one side"});
      findings.push_back(std::move(finding));
    }
  }
  // One kernel on all sides, of which one gives it less to do or another place to do it.
  for (const LaunchChoice& choice : launch_choices(model)) {
    const Node* state = state_behind(model, choice.guard);
    const Slice& slice = slice_of(model, choice.guard);
    const bool counter = (state != nullptr && is_counter(model, *state)) || counts_calls(model, slice);
    if ((!counter && !asks_mode(slice)) || once.seen(choice.guard.span)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     std::string(counter ? "How often forward was called" : "A mode of the framework") + " decides " +
                         choice.what + " of a launch that " + entry_name(model) + " makes.");
    finding.span = choice.guard.span;
    finding.notes.push_back({model.span(choice.launch), "launched here"});
    findings.push_back(std::move(finding));
  }
  for (const DeviceGate& gate : device_gates(model)) {
    if (gate.of_weights) continue;  // stale-weights tells of those
    findings.push_back(finding_in_launched(
        kInfo, model, policy, gate.kernel, *gate.read,
        "writes or not by " + gate.name + ", which earlier launches moved on and nothing sets back.",
        {{gate.changed->span, "moved on here"}}));
  }
  return findings;
}

}  // namespace

const Rule& phase_switch() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
