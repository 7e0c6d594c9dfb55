// KA352: a kernel of another process was on the device although every timed party was frozen.
#include "eval/guards/guard.h"

#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard work_after_return();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{
      "KA352",
      "work-after-return",
      "The device was still busy after a timed party had reported its calls done and was frozen.",
      Severity::kWarning,
      Confidence::kMedium,
      Stage::kEval,
      Effect::kReview,
      {26, 27, 28, 29, 36}};
  return rule;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  std::uint64_t probed = 0, busy = 0, others_busy = 0;
  for (const ProvenWindow& window : evidence.windows) {
    if (!window.gap_checked) continue;
    const bool candidate = window.party == Party::kCandidate;
    if (candidate) ++probed;
    if (!window.device_idle) ++(candidate ? busy : others_busy);
  }
  std::vector<Finding> findings;
  if (others_busy > 0) {
    findings.push_back(with_effect(
        make_finding(info(), policy,
                     "After " + std::to_string(others_busy) +
                         " windows of our own workers, all of them frozen, another process kept the device busy."),
        policy, Effect::kInconclusive));
  } else if (busy > 0) {
    findings.push_back(
        make_finding(info(), policy,
                     "After " + std::to_string(busy) + " of " + std::to_string(probed) +
                         " probed windows the device was still busy although the candidate had reported its "
                         "calls done and was frozen."));
  }
  for (Finding& finding : findings) {
    finding.origin = Origin::kRefereeClock;
    finding.evidence = {count_metric("busy_windows", static_cast<double>(busy + others_busy)),
                        count_metric("probed_windows", static_cast<double>(probed))};
  }
  return findings;
}

}  // namespace

Guard work_after_return() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
