// KA003 axis-uniformity: the output repeats itself along one of its axes.
#include "filters/rules/outputs.h"
#include "filters/rules/rules.h"
#include "filters/rules/shares.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA003",          "axis-uniformity",   "Output is uniform along an axis",
                        Severity::kError, Confidence::kMedium, Stage::kFilters,
                        Effect::kDrop,    {63, 65, 68}};

// Axis 0 of the stacked output is the seed; the others are the output's own.
std::string axis_name(const OutputStatistics& output, std::size_t stacked_axis) {
  if (stacked_axis == 0) return "the seed axis";
  return "axis " + std::to_string(stacked_axis - 1) + " (size " + std::to_string(output.shape[stacked_axis - 1]) + ")";
}

Judgement judge(const OutputStatistics& output, const TaskEvidence& evidence, const Policy& policy) {
  const auto limit = threshold(policy, "filters.axis-uniformity.absolute");
  const double scale = output.mean_absolute.value_or(0);
  const double tolerance = tolerance_at(evidence, scale);
  Judgement worst;
  for (std::size_t axis = limit ? 0 : 1; axis < output.axis_std_max.size(); ++axis) {
    if (!output.axis_std_max[axis]) {
      const bool has_extent = axis > 0 && output.shape[axis - 1] > 1;
      if (!limit && has_extent && worst.grade == Grade::kFine) {
        worst = {Grade::kUnknown,
                 "values that are not finite leave the spread along " + axis_name(output, axis) + " of " + output.name +
                     " undefined",
                 {}};
      }
      continue;
    }
    const double spread = *output.axis_std_max[axis];
    const std::string fact = "The standard deviation along " + axis_name(output, axis) + " of " + output.name +
                             " is nowhere above " + format_number(spread) + ", ";
    std::vector<Metric> numbers = {measured("axis_std_max", spread, "largest standard deviation along the axis")};
    if (limit) {
      if (spread < *limit) {
        return {Grade::kDegenerate, fact + "below the absolute limit of " + format_number(*limit) + ".",
                std::move(numbers)};
      }
      continue;
    }
    const auto drop = threshold(policy, "filters.axis-uniformity.drop_tolerance");
    if (drop && spread <= *drop * tolerance) {
      return {Grade::kDegenerate, fact + "within the benchmark's tolerance of " + format_number(tolerance) + ".",
              std::move(numbers)};
    }
    const auto relative = threshold(policy, "filters.axis-uniformity.review_relative");
    if (relative && spread <= *relative * scale && worst.grade != Grade::kNear) {
      worst = {Grade::kNear, fact + "which is " + format_number(100 * spread / scale) + " % of its mean magnitude.",
               std::move(numbers)};
    }
  }
  return worst;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto limit = threshold(policy, "filters.axis-uniformity.share_near_mean")) {
    const auto least = threshold(policy, "filters.axis-uniformity.share_least_elements");
    return judge_shares(kInfo, evidence, policy, "near_mean", *limit, "their own mean", least.value_or(0));
  }
  auto findings = judge_outputs(kInfo, evidence, policy, kSeedsProbe,
                                [&](const OutputStatistics& output) { return judge(output, evidence, policy); });
  if (!threshold(policy, "filters.axis-uniformity.absolute")) {
    review_shares(kInfo, evidence, policy, "near_mean", "filters.axis-uniformity.review_share_near_mean",
                  "their own mean", threshold(policy, "filters.axis-uniformity.share_least_elements").value_or(0),
                  findings);
  }
  return findings;
}

}  // namespace

Rule axis_uniformity_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
