// KA615: a returned value is made of what was read from a file.
#include "analysis/facts/surroundings.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA615",          "result-file",     "the returned value is read from a file",
                     Severity::kError, Confidence::kHigh, Stage::kAnalysis,
                     Effect::kCheat,   {23, 91}};

// Weights that a file gave at construction end in a parameter, and are not walked into.
NodeId file_in(const Model& model, const facts::Alternative& way) {
  NodeId found = -1;
  model.provenance().walk({way.node}, [&](const facts::Node& node, NodeId id) {
    if (node.kind == NodeKind::kSurroundings && facts::surroundings_of(node.name) == facts::Surroundings::kFile)
      found = id;
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity && node.kind != NodeKind::kWeights;
  });
  return found;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const facts::Alternative& way : model.alternatives()) {
    const NodeId file = file_in(model, way);
    if (file < 0) continue;
    const auto& node = model.provenance().at(file);
    if (once.seen(model.span(node.where))) continue;
    const bool in_call = node.phase == facts::Phase::kForward;
    const bool computed = !way.launches.empty() || !way.framework.empty();
    Finding finding =
        make_finding(kInfo, policy,
                     entry_name(model) + (computed ? " computes its result from what " : " returns what ") + node.name +
                         " read from a file " + when(node.phase) + ".");
    if (computed || !in_call) {
      soften_to_review(finding);
    }
    finding.span = model.span(node.where);
    for (const Ran& call : ran(model, [](const std::string& name) {
           return name == "torch.save" || name == "numpy.save" || name == "pickle.dump";
         })) {
      if (call.record->in_forward)
        finding.notes.push_back({call.statement->span, "forward writes a file with " + call.name + " here"});
    }
    add_guard_notes(way.guards, finding.notes);
    finding.notes.push_back({model.span(way.returned), "returned here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& result_file() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
