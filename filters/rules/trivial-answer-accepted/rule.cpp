// KA005 trivial-answer-accepted: the benchmark's own check passes an answer that needs no work.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {
    "KA005",          "trivial-answer-accepted", "The benchmark accepts an answer that needs no work",
    Severity::kError, Confidence::kHigh,         Stage::kFilters,
    Effect::kDrop,    {18, 62, 63, 64, 67}};

// One finding for all answers of a kind: those accepted on every seed, and those accepted on some.
Finding report(const std::vector<const TrivialAnswer*>& answers, bool on_every_seed, const TaskEvidence& evidence,
               const Policy& policy) {
  std::string list;
  for (const TrivialAnswer* answer : answers) {
    list += (list.empty() ? "" : "; ") + answer->answer;
    if (!on_every_seed) {
      list += " on " + std::to_string(answer->seeds_accepted) + " of " + std::to_string(answer->seeds_tried) + " seeds";
    }
    if (answer->max_error) list += " (largest error " + format_number(*answer->max_error) + ")";
  }
  Finding finding = filter_finding(kInfo, policy,
                                   "Under atol " + format_number(evidence.atol) + ", rtol " +
                                       format_number(evidence.rtol) + " the benchmark accepts " +
                                       (on_every_seed ? "on every seed" : "on some seeds") + ": " + list + ".");
  for (const TrivialAnswer* answer : answers) {
    if (answer->max_error) {
      finding.evidence.push_back(
          measured("answer_max_error", *answer->max_error, "largest |answer - expected| of " + answer->answer));
    }
  }
  if (!on_every_seed) lower_to_review(finding);
  return finding;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kTrivialProbe)) return {could_not_tell(kInfo, *reason)};
  const auto review_seeds = threshold(policy, "filters.trivial-answer-accepted.review_seeds");
  std::vector<const TrivialAnswer*> always, sometimes, half;
  for (const TrivialAnswer& answer : evidence.trivial_answers) {
    // Lower precision is work all the same, and so is half of it: neither is an answer that needs none.
    if (answer.kind == "low-precision") continue;
    const bool half_of_it = answer.kind == "half-rows" || answer.kind == "half-reduction";
    if (answer.accepted && half_of_it) {
      half.push_back(&answer);
    } else if (answer.accepted) {
      always.push_back(&answer);
    } else if (review_seeds && answer.seeds_accepted > 0 && answer.seeds_accepted >= *review_seeds) {
      sometimes.push_back(&answer);
    }
  }
  // Where an answer without any work passes, that half of the work does too adds nothing.
  if (always.empty()) sometimes.insert(sometimes.end(), half.begin(), half.end());
  std::vector<Finding> findings;
  if (!always.empty()) findings.push_back(report(always, true, evidence, policy));
  if (!sometimes.empty()) findings.push_back(report(sometimes, false, evidence, policy));
  return findings;
}

}  // namespace

Rule trivial_answer_accepted_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
