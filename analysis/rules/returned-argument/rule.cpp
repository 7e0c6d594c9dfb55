// KA501: forward returns one of its arguments, at most viewed or copied.
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA501",
                     "returned-argument",
                     "forward returns an argument unchanged",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {62}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const bool work = any_authored(model);
  for (const Alternative& way : model.alternatives()) {
    if (!way.is_argument) continue;
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " returns its " + model.name_of_node(way.node) + " as it is" +
                                       (work ? " on some paths." : ", without any work on it."));
    if (work) {
      // A branch for an empty input, evaluation mode or a size without work.
      soften(finding, Effect::kNote);
      finding.severity = Severity::kNote;
    }
    finding.span = model.span(way.returned);
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
    break;
  }
  return findings;
}

}  // namespace

const Rule& returned_argument() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
