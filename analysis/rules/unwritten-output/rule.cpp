// KA531: forward returns memory that nothing has written.
#include <algorithm>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::NodeKind;

const RuleInfo kInfo{"KA531",
                     "unwritten-output",
                     "forward returns memory that nothing has written",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {57}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const bool authored = any_authored(model);
  const auto& problems = model.facts().problems;
  const bool unread = any_unknown(model) || std::any_of(problems.begin(), problems.end(),
                                                        [](const facts::Problem& p) { return p.blocks_clean; });
  const auto& blind = model.run().blind_launches;
  for (const Alternative& way : model.alternatives()) {
    if (model.provenance().at(way.node).kind != NodeKind::kAllocation) continue;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns the result of " + model.name_of_node(way.node) + ", which nothing writes.");
    const bool by_shape = std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& guard) {
      return guard.kind == GuardKind::kShape || guard.kind == GuardKind::kDevice;
    });
    if (!blind.empty() && !authored) {
      // A kernel ran on buffers that were lost from sight: it may have written this.
      finding.effect = Effect::kInconclusive;
      finding.severity = Severity::kWarning;
      finding.confidence = Confidence::kLow;
      finding.message = "Nothing is seen to write what " + entry_name(model) + " returns from " +
                        model.name_of_node(way.node) + ", but a kernel is launched on buffers that were not followed.";
      finding.notes.push_back({model.span(*blind.begin()), "launched here"});
    } else if (authored || unread) {
      // Empty inputs and the like, beside a kernel that does the work.
      const Effect at_most = authored && by_shape ? Effect::kNote : Effect::kReview;
      soften(finding, at_most);
      finding.severity = at_most == Effect::kNote ? Severity::kNote : Severity::kWarning;
      finding.confidence = Confidence::kMedium;
      finding.message = "On some paths " + finding.message;
    }
    finding.span = model.span_of(way.node);
    add_guard_notes(way.guards, finding.notes);
    if (!model.launches().empty() && !authored) {
      finding.notes.push_back({model.span(model.launches().front()), "this launch does not write it"});
    }
    finding.notes.push_back({model.span(way.returned), "returned here"});
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.message == finding.message; });
    if (!known) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& unwritten_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
