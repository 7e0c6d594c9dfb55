// KA151: a returned tensor whose type is a subclass of torch.Tensor.
#include "eval/guards/guard.h"

#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard subclass_output();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{"KA151",
                             "subclass-output",
                             "Returned tensors are of a subclass of torch.Tensor, which can compute when it is read.",
                             Severity::kWarning,
                             Confidence::kMedium,
                             Stage::kEval,
                             Effect::kReview,
                             {34, 35}};
  return rule;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  if (evidence.subclass_outputs == 0) return {};
  Finding finding = make_finding(info(), policy,
                                 std::to_string(evidence.subclass_outputs) +
                                     " returned tensors are of a subclass of torch.Tensor, which can put work off "
                                     "until somebody looks at it.");
  finding.origin = Origin::kCandidateProcess;
  finding.evidence = {count_metric("subclass_outputs", evidence.subclass_outputs, finding.origin)};
  return {finding};
}

}  // namespace

Guard subclass_output() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
