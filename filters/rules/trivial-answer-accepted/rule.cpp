// KA005 trivial-answer-accepted: the benchmark's own check passes an answer that needs no work.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {
    "KA005",          "trivial-answer-accepted", "The benchmark accepts an answer that needs no work",
    Severity::kError, Confidence::kHigh,         Stage::kFilters,
    Effect::kDrop,    {18, 62, 63, 64, 67}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto enabled = threshold(policy, "filters.trivial-answer-accepted.enabled"); enabled && *enabled == 0) {
    return {};
  }
  if (const auto reason = not_measured(evidence, kTrivialProbe)) return {could_not_tell(kInfo, *reason)};
  std::vector<Finding> findings;
  const auto review_seeds = threshold(policy, "filters.trivial-answer-accepted.review_seeds");
  for (const TrivialAnswer& answer : evidence.trivial_answers) {
    const bool on_some = review_seeds && answer.seeds_accepted >= *review_seeds && answer.seeds_accepted > 0;
    if (!answer.accepted && !on_some) continue;
    std::string message = "The answer '" + answer.answer + "' is accepted under atol " + format_number(evidence.atol) +
                          ", rtol " + format_number(evidence.rtol) + " on " + std::to_string(answer.seeds_accepted) +
                          " of " + std::to_string(answer.seeds_tried) + " seeds";
    if (answer.max_error) message += "; its largest error is " + format_number(*answer.max_error);
    Finding finding = filter_finding(kInfo, policy, message + ".");
    if (answer.max_error) {
      finding.evidence.push_back(measured("answer_max_error", *answer.max_error, "largest |answer - expected|"));
    }
    finding.evidence.push_back(
        measured("seeds_accepted", answer.seeds_accepted, "seeds on which it is accepted", Hint::kCount));
    if (!answer.accepted) lower_to_review(finding);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

Rule trivial_answer_accepted_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
