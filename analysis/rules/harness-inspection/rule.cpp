// KA612: the candidate looks at its callers' frames, at the main program or at everybody's objects.
#include <algorithm>
#include <set>

#include "analysis/facts/surroundings.h"
#include "analysis/rules/amounts.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Surroundings;

const RuleInfo kInfo{"KA612",
                     "harness-inspection",
                     "callers' frames, the main program or other objects of the process are read",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {76, 78, 79, 80, 92}};

// Attributes of frames that give what the caller holds.
constexpr std::string_view kFrameContents[] = {"f_locals", "f_globals", "f_builtins"};

// Which surroundings decide branches or how much is computed, or are part of a returned value.
std::set<NodeId> used_nodes(const Model& model) {
  std::set<NodeId> used;
  const auto collect = [&](const facts::NodeSet& from) {
    model.provenance().walk(from, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kSurroundings) used.insert(id);
      return true;
    });
  };
  for (const auto& [where, nodes] : model.run().conditions) collect(nodes);
  for (const auto& returned : model.run().returns) {
    for (const auto& part : returned.parts) collect(part);
  }
  for (const Amount& amount : amounts_from_around(model, [](Surroundings) { return true; })) used.insert(amount.source);
  return used;
}

bool frame_contents_read(const Model& model) {
  for (const facts::Storage& storage : model.facts().storages) {
    if (storage.kind == facts::StorageKind::kOtherAttribute &&
        std::find(std::begin(kFrameContents), std::end(kFrameContents), storage.name) != std::end(kFrameContents))
      return true;
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const auto used = used_nodes(model);
  const bool contents = frame_contents_read(model);
  const auto is_used = [&](const facts::StatementRef& where) {
    return std::any_of(used.begin(), used.end(), [&](NodeId id) { return model.provenance().at(id).where == where; });
  };
  const auto kind_of = [](const std::string& name) { return facts::surroundings_of(name); };
  const auto wanted = [&](const std::string& name) {
    return kind_of(name) == Surroundings::kStack || kind_of(name) == Surroundings::kProgram;
  };
  for (const Ran& call : ran(model, wanted)) {
    const bool program = kind_of(call.name) == Surroundings::kProgram;
    const bool decides = is_used(call.where);
    const bool certain = program || contents || decides;
    // Frames looked at while the file is imported, for its own path: nothing that anyone is fooled with.
    if (!certain && !call.record->in_forward) continue;
    if (once.seen(call.statement->span)) continue;
    const std::string what = program    ? "the objects of the whole process"
                             : contents ? "what its callers hold"
                                        : "its callers' frames";
    Finding finding = make_finding(kInfo, policy,
                                   "The candidate reads " + what + " through " + call.name + " " + when(*call.record) +
                                       (decides ? ", and what it finds decides what is computed." : "."));
    if (!certain) {
      soften_to_review(finding);
    }
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  // Things of the main program that were read without a call.
  std::set<std::string> reported;
  for (std::size_t i = 0; i < model.provenance().size(); ++i) {
    const Node& node = model.provenance().at(static_cast<NodeId>(i));
    if (node.kind != NodeKind::kSurroundings || node.where.known()) continue;
    if (kind_of(node.name) != Surroundings::kProgram || !reported.insert(node.name).second) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "The candidate reads " + node.name + ", which belongs to the program that runs it.");
    finding.span = span_of_symbol(model, node.name);
    if (once.seen(finding.span)) continue;
    findings.push_back(std::move(finding));
  }
  // What is unpickled may name any object of the process.
  static constexpr std::string_view unpicklers[] = {"pickle.loads", "_pickle.loads", "pickle._loads", "dill.loads",
                                                    "cloudpickle.loads"};
  for (const Ran& call : ran(model, unpicklers)) {
    if (!call.record->in_forward || once.seen(call.statement->span)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        "The candidate unpickles " + when(*call.record) + ", by which any object of the process is found.");
    soften_to_review(finding);
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  // The state of random number generators that the program around it seeded.
  static constexpr std::string_view generators[] = {"random.getstate",          "torch.get_rng_state",
                                                    "torch.cuda.get_rng_state", "torch.random.get_rng_state",
                                                    "numpy.random.get_state",   "torch.initial_seed"};
  for (const Ran& call : ran(model, generators)) {
    if (once.seen(call.statement->span)) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "The candidate reads the state of the process's random numbers through " +
                                       call.name + " " + when(*call.record) + ".");
    soften_to_review(finding);
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& harness_inspection() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
