// KA006 dead-computation: calls of the reference whose result does not reach the output, or is swallowed on the way.
#include "filters/rules/calls.h"
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA006",          "dead-computation", "The output does not depend on what an operator computes",
                        Severity::kError, Confidence::kHigh,  Stage::kFilters,
                        Effect::kDrop,    {63, 65, 66}};

std::vector<const OperatorCall*> dead_calls(const TaskEvidence& evidence, bool exact) {
  std::vector<const OperatorCall*> calls;
  for (const OperatorCall& call : evidence.calls) {
    if (call.verdict == call_verdict::kDead && call.exact == exact) calls.push_back(&call);
  }
  return calls;
}

std::string reasons(const std::vector<const OperatorCall*>& calls) {
  bool unused = false, swallowed = false;
  for (const OperatorCall* call : calls) (call->why == "never used" ? unused : swallowed) = true;
  return unused && swallowed ? "never used, or swallowed by what follows"
         : unused            ? "never used"
                             : "swallowed by what follows";
}

// Copies alone are a matter of style: nothing is computed that a kernel could leave out.
bool computes(const std::vector<const OperatorCall*>& calls) {
  for (const OperatorCall* call : calls) {
    if (call->kind != call_kind::kCopy) return true;
  }
  return false;
}

Finding report(const std::vector<const OperatorCall*>& calls, bool exact, const TaskEvidence& evidence,
               const Policy& policy) {
  const auto share = share_of(evidence, calls);
  std::string message = "Replacing the result of " + call_names(calls) +
                        (exact ? " by other values leaves the output equal bit for bit"
                               : " by other values changes the output by less than the benchmark notices") +
                        ": it is " + reasons(calls);
  if (share) message += ", " + format_number(100 * share->share) + " % of the reference's " + share->of;
  Finding finding = filter_finding(kInfo, policy, message + ".");
  finding.evidence = {measured("dead_calls", static_cast<double>(calls.size()), "calls without effect", Hint::kCount)};
  if (share) {
    finding.evidence.push_back(measured("dead_share", share->share, "share of the work of all calls", Hint::kPercent));
  }
  const auto drop = threshold(policy, "filters.dead-computation.drop_share");
  if (!exact || !drop || !share || share->share < *drop) lower_to_review(finding);
  if (!computes(calls)) finding.effect = Effect::kNote;
  return finding;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kMutationProbe)) return {could_not_tell(kInfo, *reason)};
  if (!evidence.mutation) return {};  // not asked for
  std::vector<Finding> findings;
  for (const bool exact : {true, false}) {
    const auto calls = dead_calls(evidence, exact);
    if (!calls.empty()) findings.push_back(report(calls, exact, evidence, policy));
  }
  return findings;
}

}  // namespace

Rule dead_computation_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
