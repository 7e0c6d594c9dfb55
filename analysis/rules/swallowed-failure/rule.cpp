// KA113: an exception handler returns framework compute where the candidate's kernel fails.
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA113",
                     "swallowed-failure",
                     "an exception handler returns framework compute",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {6}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  if (!any_authored(model) && !any_unknown(model)) return findings;  // KA101: no kernel at all
  std::set<facts::StatementRef> reported;
  for (const Alternative& way : model.alternatives()) {
    if (!way.in_handler || !way.launches.empty() || !way.unknown.empty() || way.framework.empty()) continue;
    if (!reported.insert(way.returned).second) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "An exception handler makes " + entry_name(model) + " return the result of " +
                         name_list(model, way.framework) + " of the framework when the candidate's kernel fails.");
    if (real_compute(model, way.framework).empty() || excused_by_device(way)) {
      soften(finding, Effect::kReview);
      finding.severity = Severity::kWarning;
    }
    finding.span = model.span_of(way.framework.front());
    finding.notes = notes_for(model, way, way.framework);
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& swallowed_failure() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
