// KA212: something derived from a weight in an earlier call is used again, and nothing asks whether the weight is
// still the same.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/device_state.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::StateUse;

const RuleInfo kInfo{"KA212",
                     "stale-weights",
                     "a transform of a weight is kept from an earlier call, and no change of the weight renews it",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {19}};

// What a call is made on, behind variables and views that leave the elements in their order.
const facts::Statement* laid_out(const Model& model, facts::Id function, facts::Id value) {
  constexpr int kMostViews = 6;
  const facts::Statement* made = nullptr;
  for (int i = 0; i < kMostViews; ++i) {
    made = maker(model, function, value);
    if (made != nullptr && made->kind == facts::StatementKind::kLoad && made->location.base == facts::kNone)
      made = maker(model, function, behind(model, function, value));
    const bool view = made != nullptr && made->kind == facts::StatementKind::kCall &&
                      one_of(last_part(made->callee), {"detach", "view", "flatten", "reshape", "unsqueeze", "squeeze"});
    const bool data = made != nullptr && made->kind == facts::StatementKind::kLoad &&
                      made->location.storage != facts::kNone && made->location.base != facts::kNone &&
                      model.facts().storages[static_cast<std::size_t>(made->location.storage)].name == "data";
    if (!view && !data) return made;
    value = data ? made->location.base : made->receiver;
  }
  return made;
}

// weight.contiguous() of a weight as it is: that is the weight's own memory, if it is not kept turned.
bool is_weight_itself(const Model& model, const Node& node) {
  const facts::Statement* call = model.statement(node.where);
  if (call == nullptr || last_part(node.name) != "contiguous" || call->receiver == facts::kNone ||
      !call->args.empty() || !call->keywords.empty())
    return false;
  const facts::Statement* load = laid_out(model, node.where.function, call->receiver);
  if (load == nullptr || load->kind != facts::StatementKind::kLoad || load->location.element ||
      load->location.base == facts::kNone || load->location.storage == facts::kNone)
    return false;
  const facts::Storage& attribute = model.facts().storages[static_cast<std::size_t>(load->location.storage)];
  if (one_of(attribute.name, {"T", "mT", "H", "mH"})) return false;
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (const facts::Block& block : functions[f].blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.kind == facts::StatementKind::kStore && s.location.storage == load->location.storage &&
            slice_of(model, static_cast<facts::Id>(f), s.value)
                .names_any({"t", "T", "mT", "transpose", "permute", "swapaxes", "movedim", "expand", "slice"}))
          return false;
      }
    }
  }
  return true;
}

// Moves of the same numbers to where they are needed are left out: what is kept may be the weight itself.
bool transforms(const Model& model, const Node& node) {
  if (node.phase != facts::Phase::kForward) return false;
  if (node.kind == NodeKind::kCopy) {
    if (is_weight_itself(model, node)) return false;
    const std::string last = last_part(node.name);
    return last != "to" && last != "cuda" && last != "detach" && last != "float";
  }
  return node.kind == NodeKind::kFramework || node.kind == NodeKind::kLaunch || node.kind == NodeKind::kVendor ||
         node.kind == NodeKind::kNativeLoop;
}

NodeId transform_behind(const Model& model, const StateUse& use) {
  NodeId found = -1;
  model.provenance().walk({use.state}, [&](const Node& node, NodeId id) {
    if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
    if (found < 0 && transforms(model, node) && model.provenance().reaches({id}, NodeKind::kWeights)) found = id;
    return found < 0;
  });
  return found;
}

bool asks_version(const Model& model, const Guard& guard) {
  return looks_at(model, guard,
                  [](const Node& node) {
                    return node.kind == NodeKind::kIdentity && node.name.find("version") != std::string::npos;
                  }) ||
         slice_of(model, guard).names_any({"_version", "version", "current_version", "unsafe_version"});
}

// Nothing is stored: a decorator keeps what the function gives, or a buffer is filled unless that is done already.
bool made_once(const Model& model, const StateUse& use, NodeId transform) {
  const Node& node = model.provenance().at(transform);
  const auto& decorators = model.function(node.where.function).decorators;
  if (std::any_of(decorators.begin(), decorators.end(),
                  [](const std::string& each) { return each.starts_with("functools."); }))
    return true;
  // A weight that is laid out anew is the weight itself.
  return last_part(node.name) != "contiguous" &&
         std::any_of(use.guards.begin(), use.guards.end(),
                     [](const Guard& guard) { return guard.kind == facts::GuardKind::kNoneCheck; });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const StateUse& use : model.state_uses()) {
    if (use.depends_on_contents) continue;
    const NodeId transform = transform_behind(model, use);
    if (transform < 0 || (use.stored.empty() && !made_once(model, use, transform))) continue;
    const bool renewed = std::any_of(use.guards.begin(), use.guards.end(),
                                     [&](const Guard& guard) { return asks_version(model, guard); });
    // A decorator keeps it: there is no store.
    const SourceSpan stored = use.stored.empty() ? model.span_of(transform) : model.span(use.stored.front().where);
    if (renewed || once.seen(stored)) continue;
    const Node& state = model.provenance().at(use.state);
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " computes with what " + model.name_of_node(transform) +
                                       " made of a weight in an earlier call" +
                                       (state.name.empty() ? "" : ", kept in " + state.name) +
                                       ", and a change of the weight does not renew it.");
    finding.span = stored;
    finding.notes.push_back({model.span_of(transform), model.name_of_node(transform) + " derives it here"});
    add_guard_notes(use.guards, finding.notes);
    finding.notes.push_back({model.span(use.returned), "returned here"});
    findings.push_back(std::move(finding));
  }
  for (const DeviceGate& gate : device_gates(model)) {
    if (!gate.of_weights) continue;
    findings.push_back(finding_in_launched(
        kInfo, model, policy, gate.kernel, *gate.read,
        "takes in weights or not by " + gate.name + ", which earlier launches moved on and nothing sets back.",
        {{gate.changed->span, "moved on here"}}));
  }
  return findings;
}

}  // namespace

const Rule& stale_weights() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
