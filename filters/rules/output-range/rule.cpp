// KA001 output-range: every value of the output is so small that zeros are (nearly) a right answer.
#include <cmath>

#include "filters/rules/outputs.h"
#include "filters/rules/rules.h"
#include "filters/rules/shares.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA001",          "output-range",    "Output values lie within the tolerance around zero",
                        Severity::kError, Confidence::kHigh, Stage::kFilters,
                        Effect::kDrop,    {63, 64, 67}};

Judgement published(const OutputStatistics& output, double limit) {
  // Compared as fp32 like the original; a NaN or infinity anywhere means "not within".
  const double bound = static_cast<float>(limit);
  if (output.nan_count + output.infinite_count > 0 || !output.minimum || !output.maximum) return {};
  if (*output.minimum <= -bound || *output.maximum >= bound) return {};
  return {Grade::kDegenerate,
          "All values of " + output.name + " lie between " + format_number(*output.minimum) + " and " +
              format_number(*output.maximum) + ", within the absolute limit of " + format_number(limit) + ".",
          {measured("output_minimum", *output.minimum, "smallest value over all seeds", Hint::kPlain),
           measured("output_maximum", *output.maximum, "largest value over all seeds", Hint::kPlain)}};
}

Judgement scale_aware(const OutputStatistics& output, const TaskEvidence& evidence, const Policy& policy) {
  const std::int64_t not_finite = output.nan_count + output.infinite_count;
  if (!output.minimum || !output.maximum || !output.mean_absolute) {
    return {Grade::kDegenerate,
            "No value of " + output.name + " is finite, so no answer can be compared with it.",
            {measured("not_finite", static_cast<double>(not_finite), "values that are NaN or infinite", Hint::kCount)}};
  }
  if (not_finite > 0) {
    return {Grade::kNear,
            std::to_string(not_finite) + " values of " + output.name + " over all seeds are NaN or infinite.",
            {measured("not_finite", static_cast<double>(not_finite), "values that are NaN or infinite", Hint::kCount)}};
  }
  const double largest = std::max(std::abs(*output.minimum), std::abs(*output.maximum));
  std::vector<Metric> numbers = {
      measured("output_magnitude_max", largest, "largest |output| over all seeds", Hint::kPlain),
      measured("output_magnitude_mean", *output.mean_absolute, "mean |output| over all seeds", Hint::kPlain),
      measured("atol", evidence.atol, "absolute tolerance of the benchmark")};
  const auto drop = threshold(policy, "filters.output-range.drop_atol");
  if (drop && largest <= *drop * evidence.atol) {
    return {Grade::kDegenerate,
            "The largest magnitude in " + output.name + " is " + format_number(largest) +
                ", within the benchmark's absolute tolerance of " + format_number(evidence.atol) + ".",
            std::move(numbers)};
  }
  const auto review = threshold(policy, "filters.output-range.review_atol");
  if (review && largest <= *review * evidence.atol) {
    return {Grade::kNear,
            "The largest magnitude in " + output.name + " is " + format_number(largest) + ", only " +
                format_number(largest / evidence.atol) + " times the benchmark's absolute tolerance.",
            std::move(numbers)};
  }
  const auto review_mean = threshold(policy, "filters.output-range.review_mean_atol");
  if (review_mean && *output.mean_absolute <= *review_mean * evidence.atol) {
    return {Grade::kNear,
            "The mean magnitude of " + output.name + " is " + format_number(*output.mean_absolute) +
                ", below the benchmark's absolute tolerance of " + format_number(evidence.atol) + ".",
            std::move(numbers)};
  }
  return {};
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto limit = threshold(policy, "filters.output-range.share_near_zero")) {
    return judge_shares(kInfo, evidence, policy, "near_zero", *limit, "zero");
  }
  auto findings = judge_outputs(kInfo, evidence, policy, kSeedsProbe, [&](const OutputStatistics& output) {
    if (const auto limit = threshold(policy, "filters.output-range.absolute")) return published(output, *limit);
    return scale_aware(output, evidence, policy);
  });
  if (!threshold(policy, "filters.output-range.absolute")) {
    review_shares(kInfo, evidence, policy, "near_zero", "filters.output-range.review_share_near_zero", "zero", 0,
                  findings);
  }
  return findings;
}

}  // namespace

Rule output_range_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
