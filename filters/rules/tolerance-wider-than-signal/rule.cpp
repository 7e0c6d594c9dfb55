// KA011 tolerance-wider-than-signal: what the tolerance forgives is more than what another input does to an element.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA011",
                        "tolerance-wider-than-signal",
                        "The tolerance forgives more than the inputs change",
                        Severity::kWarning,
                        Confidence::kHigh,
                        Stage::kFilters,
                        Effect::kReview,
                        {63, 64, 71}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  // Without these statistics seed-std says why; what does not vary at all is its finding too.
  if (not_measured(evidence, kSeedsProbe) || !evidence.numerics) return {};
  const auto limit = threshold(policy, "filters.tolerance-wider-than-signal.review_ratio");
  const std::optional<double>& ratio = evidence.numerics->tolerance_over_spread;
  if (!limit || !ratio || *ratio < *limit) return {};
  Finding finding = filter_finding(
      kInfo, policy,
      "At the output's mean magnitude the tolerance (atol " + format_number(evidence.atol) + ", rtol " +
          format_number(evidence.rtol) + ") is " + format_number(*ratio) +
          " times the mean standard deviation of an element over seeds: for a typical element another seed's value "
          "passes.");
  finding.evidence = {
      measured("tolerance_over_spread", *ratio, "tolerance over the mean spread of an element", Hint::kRatio)};
  return {finding};
}

}  // namespace

Rule tolerance_wider_than_signal_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
