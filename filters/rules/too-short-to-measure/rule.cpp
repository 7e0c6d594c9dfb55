// KA012 too-short-to-measure: a pass of the reference is over before a timer can tell it from its own overhead.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA012",
                        "too-short-to-measure",
                        "A pass takes no longer than the overhead of measuring it",
                        Severity::kWarning,
                        Confidence::kMedium,
                        Stage::kFilters,
                        Effect::kReview,
                        {63}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (!evidence.numerics) return {};  // not asked for
  const auto limit = threshold(policy, "filters.too-short-to-measure.review_ms");
  const std::optional<double>& fastest = evidence.numerics->fastest_forward_ms;
  if (!fastest) {
    const auto found = evidence.numerics->missing.find("fastest_forward_ms");
    return {could_not_tell(kInfo, found == evidence.numerics->missing.end() ? "no pass was timed" : found->second)};
  }
  if (!limit || *fastest >= *limit) return {};
  Finding finding = filter_finding(kInfo, policy,
                                   "The fastest pass took " + format_number(1e3 * *fastest) + " µs, below " +
                                       format_number(1e3 * *limit) +
                                       " µs: launching and timing it take a like share of what is measured.");
  Metric metric = measured("fastest_forward", *fastest * 1e6, "fastest pass, synchronised", Hint::kDuration);
  metric.unit = "ns";
  finding.evidence = {metric};
  return {finding};
}

}  // namespace

Rule too_short_to_measure_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
