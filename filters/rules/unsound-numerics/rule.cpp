// KA015 unsound-numerics: the reference returns NaN or infinity, or an exact answer would be refused.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA015",
                        "unsound-numerics",
                        "The reference is not accurate enough to judge others by",
                        Severity::kWarning,
                        Confidence::kHigh,
                        Stage::kFilters,
                        Effect::kReview,
                        {69, 70}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  std::vector<Finding> findings;
  for (const OutputStatistics& output : evidence.outputs) {
    if (output.nan_count + output.infinite_count == 0) continue;
    Finding& finding =
        findings.emplace_back(filter_finding(kInfo, policy,
                                             output.name + " holds " + std::to_string(output.nan_count) + " NaN and " +
                                                 std::to_string(output.infinite_count) + " infinite values over " +
                                                 std::to_string(evidence.seeds) + " seeds."));
    finding.evidence = {
        measured("nan_count", static_cast<double>(output.nan_count), "NaN over all seeds", Hint::kCount),
        measured("infinite_count", static_cast<double>(output.infinite_count), "infinities over all seeds",
                 Hint::kCount)};
  }
  if (!evidence.numerics || !evidence.numerics->fp64_rejected || *evidence.numerics->fp64_rejected == 0) {
    return findings;
  }
  const NumericsEvidence& numerics = *evidence.numerics;
  std::string message = "The benchmark's tolerance refuses " + std::to_string(*numerics.fp64_rejected) +
                        " elements of the reference when they are compared with the same computation in fp64";
  if (numerics.fp64_max_error) message += ", which differs by up to " + format_number(*numerics.fp64_max_error);
  Finding& finding = findings.emplace_back(filter_finding(kInfo, policy, message + "."));
  finding.evidence = {measured("fp64_rejected", static_cast<double>(*numerics.fp64_rejected),
                               "elements that differ from fp64 by more than the tolerance", Hint::kCount)};
  if (numerics.fp64_max_error) {
    finding.evidence.push_back(measured("fp64_max_error", *numerics.fp64_max_error, "largest difference from fp64"));
  }
  return findings;
}

}  // namespace

Rule unsound_numerics_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
