// KA014 low-mutation-score: most wrong versions of the reference pass the benchmark's own comparison.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA014",
                        "low-mutation-score",
                        "The benchmark does not notice most errors in an operator",
                        Severity::kWarning,
                        Confidence::kMedium,
                        Stage::kFilters,
                        Effect::kReview,
                        {63, 64, 68, 71}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  // Where mutation did not run, dead-computation says why.
  if (!evidence.mutation) return {};
  const MutationEvidence& mutation = *evidence.mutation;
  const auto limit = threshold(policy, "filters.low-mutation-score.review_score");
  const auto least = threshold(policy, "filters.low-mutation-score.least_mutants");
  if (!limit || !mutation.score || (least && mutation.mutants < *least) || *mutation.score >= *limit) return {};
  std::string message = "Of " + std::to_string(mutation.mutants) +
                        " wrong versions of the reference, one operator each, " + "the benchmark's tolerance notices " +
                        std::to_string(mutation.noticed) + " (" + format_number(100 * *mutation.score) + " %)";
  if (mutation.score_exact) message += ", exact comparison " + std::to_string(mutation.noticed_exact);
  if (!mutation.all_intercepted) message += "; some operators escaped: " + mutation.not_intercepted;
  Finding finding = filter_finding(kInfo, policy, message + ".");
  finding.evidence = {measured("mutation_score", *mutation.score, "share of mutants noticed", Hint::kPercent),
                      measured("mutants", mutation.mutants, "mutants that ran", Hint::kCount)};
  return {finding};
}

}  // namespace

Rule low_mutation_score_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
