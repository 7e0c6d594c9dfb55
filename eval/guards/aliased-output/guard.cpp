// KA551: a returned tensor that shares its storage with an input or with another call's output.
#include "eval/guards/guard.h"

#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard aliased_output();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{"KA551",
                             "aliased-output",
                             "Returned tensors share their storage with an input or with another call's output.",
                             Severity::kWarning,
                             Confidence::kMedium,
                             Stage::kEval,
                             Effect::kReview,
                             {25, 60, 62}};
  return rule;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  if (evidence.aliased_outputs == 0) return {};
  // What the reference does itself is no fault of the candidate.
  const bool reference_too = evidence.baseline_aliased_outputs != 0;
  Finding finding =
      make_finding(info(), policy,
                   std::to_string(evidence.aliased_outputs) +
                       " returned tensors share their storage with an input or with another call's output" +
                       (reference_too ? ", as those of the reference do." : "; those of the reference do not."));
  if (reference_too) finding = with_effect(finding, policy, Effect::kNote);
  finding.origin = Origin::kCandidateProcess;
  finding.evidence = {count_metric("aliased_outputs", evidence.aliased_outputs, finding.origin),
                      count_metric("baseline_aliased_outputs", evidence.baseline_aliased_outputs, finding.origin)};
  return {finding};
}

}  // namespace

Guard aliased_output() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
