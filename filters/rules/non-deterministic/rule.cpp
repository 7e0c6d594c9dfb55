// KA010 non-deterministic: the reference differs from itself, draws random numbers, or writes to its inputs.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA010",          "non-deterministic", "The reference does not give the same answer twice",
                        Severity::kError, Confidence::kHigh,   Stage::kFilters,
                        Effect::kDrop,    {60, 61, 63}};

double output_scale(const TaskEvidence& evidence) {
  double scale = 0;
  for (const OutputStatistics& output : evidence.outputs) scale = std::max(scale, output.mean_absolute.value_or(0));
  return scale;
}

Finding differs(const TaskEvidence& evidence, double change, const Policy& policy) {
  const double tolerance = tolerance_at(evidence, output_scale(evidence));
  const auto drop = threshold(policy, "filters.non-deterministic.drop_tolerance");
  const bool beyond = drop && change > *drop * tolerance;
  Finding finding = filter_finding(
      kInfo, policy,
      "Equal weights, inputs and random numbers give outputs that differ by up to " + format_number(change) +
          (beyond ? ", more than the benchmark's tolerance of " : ", within the benchmark's tolerance of ") +
          format_number(tolerance) + ".");
  finding.evidence = {measured("repeat_max_change", change, "largest difference between two equal runs")};
  if (!beyond) finding.effect = Effect::kNote;
  return finding;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kNumericsProbe)) return {could_not_tell(kInfo, *reason)};
  if (!evidence.numerics) return {};  // not asked for
  const NumericsEvidence& numerics = *evidence.numerics;
  std::vector<Finding> findings;
  if (numerics.deterministic && !*numerics.deterministic) {
    if (numerics.repeat_max_change) {
      findings.push_back(differs(evidence, *numerics.repeat_max_change, policy));
    } else {
      findings.push_back(could_not_tell(kInfo, "two equal runs differ, by how much was not measured"));
    }
  }
  if (numerics.random_forward && *numerics.random_forward) {
    findings.push_back(filter_finding(
        kInfo, policy,
        "forward draws random numbers: a benchmark that does not reset the generator before both forwards compares "
        "different draws."));
    lower_to_review(findings.back());
  }
  if (numerics.changes_inputs && *numerics.changes_inputs) {
    findings.push_back(filter_finding(
        kInfo, policy, "forward writes to its inputs: a second call on the same tensors computes something else."));
    lower_to_review(findings.back());
  }
  return findings;
}

}  // namespace

Rule non_deterministic_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
