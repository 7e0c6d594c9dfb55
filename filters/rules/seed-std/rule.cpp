// KA002 seed-std: the output is (nearly) the same whatever the inputs and weights are.
#include "filters/rules/outputs.h"
#include "filters/rules/rules.h"
#include "filters/rules/shares.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA002",          "seed-std",        "Output does not vary with the seed",
                        Severity::kError, Confidence::kHigh, Stage::kFilters,
                        Effect::kDrop,    {16, 63, 65}};

std::vector<Metric> numbers(const OutputStatistics& output) {
  std::vector<Metric> list = {
      measured("seed_std_max", *output.seed_std_max, "largest per-element standard deviation over seeds")};
  if (output.seed_std_mean) {
    list.push_back(measured("seed_std_mean", *output.seed_std_mean, "mean per-element standard deviation over seeds"));
  }
  return list;
}

Judgement judge(const OutputStatistics& output, const TaskEvidence& evidence, const Policy& policy) {
  const auto limit = threshold(policy, "filters.seed-std.absolute");
  if (limit && output.seed_std_undefined > 0) return {};  // published: NaN < limit is false
  if (!output.seed_std_max) {
    return {Grade::kUnknown, "no element of " + output.name + " has a defined standard deviation over seeds", {}};
  }
  const double spread = *output.seed_std_max;
  if (limit) {
    if (spread >= *limit) return {};
    return {Grade::kDegenerate,
            "No element of " + output.name + " has a standard deviation over " + std::to_string(evidence.seeds) +
                " seeds above " + format_number(spread) + ", below the absolute limit of " + format_number(*limit) +
                ".",
            numbers(output)};
  }
  const double scale = output.mean_absolute.value_or(0);
  const double tolerance = tolerance_at(evidence, scale);
  const std::string fact = "The largest standard deviation over " + std::to_string(evidence.seeds) + " seeds in " +
                           output.name + " is " + format_number(spread) + ", ";
  const auto drop = threshold(policy, "filters.seed-std.drop_tolerance");
  if (drop && spread <= *drop * tolerance) {
    return {Grade::kDegenerate, fact + "within the benchmark's tolerance of " + format_number(tolerance) + ".",
            numbers(output)};
  }
  const auto near = threshold(policy, "filters.seed-std.review_tolerance");
  if (near && spread <= *near * tolerance) {
    return {Grade::kNear, fact + "only " + format_number(spread / tolerance) + " times the benchmark's tolerance.",
            numbers(output)};
  }
  const auto relative = threshold(policy, "filters.seed-std.review_relative");
  if (relative && spread <= *relative * scale) {
    return {Grade::kNear, fact + "which is " + format_number(100 * spread / scale) + " % of its mean magnitude.",
            numbers(output)};
  }
  return {};
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto limit = threshold(policy, "filters.seed-std.share_near_previous")) {
    return judge_shares(kInfo, evidence, policy, "near_previous", *limit, "their value under the seed before");
  }
  auto findings = judge_outputs(kInfo, evidence, policy, kSeedsProbe,
                                [&](const OutputStatistics& output) { return judge(output, evidence, policy); });
  if (!threshold(policy, "filters.seed-std.absolute")) {
    review_shares(kInfo, evidence, policy, "near_previous", "filters.seed-std.review_share_near_previous",
                  "their value under the seed before", 0, findings);
  }
  return findings;
}

}  // namespace

Rule seed_std_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
