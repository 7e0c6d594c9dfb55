// KA951: the baseline beside the candidate against the baseline alone.
#include "eval/guards/guard.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "eval/derive.h"
#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard baseline_drift();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{"KA951",
                             "baseline-drift",
                             "The baseline is faster or slower beside the candidate than it was alone.",
                             Severity::kWarning,
                             Confidence::kMedium,
                             Stage::kEval,
                             Effect::kNote,
                             {95, 98, 103}};
  return rule;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  const double drift = baseline_drift(evidence);
  if (drift == 0 || std::fabs(drift) <= policy.threshold("eval.baseline.drift", 0.02)) return {};
  const auto& solo = evidence.baseline_solo_time;
  const auto& beside = evidence.baseline_time;
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.1f %%", 100 * std::fabs(drift));
  Finding finding =
      make_finding(info(), policy,
                   "The baseline took " + nanoseconds_text(*beside->value) + " per call beside the candidate and " +
                       nanoseconds_text(*solo->value) + " alone, " + percent + (drift > 0 ? " more" : " less") +
                       "; the faster figure counts.");
  // A candidate that makes the baseline slower beside it would gain by that, were the faster figure not taken.
  if (drift > policy.threshold("eval.baseline.review_drift", 1))
    finding = with_effect(finding, policy, Effect::kReview);
  finding.origin = Origin::kRefereeClock;
  finding.evidence = {*solo, *beside};
  return {finding};
}

}  // namespace

Guard baseline_drift() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
