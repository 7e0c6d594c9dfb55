// KA007 redundant-operation: calls that the output needs, and that on the task's inputs do nothing: the result equals
// an argument, or is one constant.
#include "filters/rules/calls.h"
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA007",          "redundant-operation", "An operator changes nothing on the task's inputs",
                        Severity::kError, Confidence::kHigh,     Stage::kFilters,
                        Effect::kDrop,    {63, 65, 67}};

struct Group {
  const char* why;
  bool exact;
  const char* fact;
};

constexpr Group kGroups[] = {
    {"identity", true,
     " returns its argument unchanged: passing the argument through leaves the output equal bit for bit"},
    {"identity", false,
     " may return its argument instead: passing the argument through changes the output by less than the benchmark "
     "notices"},
    {"constant result", true, " returns one constant whatever the inputs are"},
    {"constant result", false, " returns nearly one constant whatever the inputs are"},
};

std::vector<const OperatorCall*> calls_of(const TaskEvidence& evidence, const Policy& policy, const Group& group) {
  std::vector<const OperatorCall*> calls;
  for (const OperatorCall& call : evidence.calls) {
    if (is_guard(call, policy)) continue;
    if (call.verdict == call_verdict::kRedundant && call.why == group.why && call.exact == group.exact) {
      calls.push_back(&call);
    }
  }
  return calls;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kMutationProbe)) return {could_not_tell(kInfo, *reason)};
  if (!evidence.mutation) return {};  // not asked for
  const auto drop = threshold(policy, "filters.redundant-operation.drop_share");
  std::vector<Finding> findings;
  for (const Group& group : kGroups) {
    const auto calls = calls_of(evidence, policy, group);
    if (calls.empty()) continue;
    std::string message = "On the task's own inputs " + call_names(calls) + group.fact;
    const auto share = share_of(evidence, calls);
    if (share) message += " (" + format_number(100 * share->share) + " % of the reference's " + share->of + ")";
    Finding& finding = findings.emplace_back(filter_finding(kInfo, policy, message + "."));
    finding.evidence = {
        measured("redundant_calls", static_cast<double>(calls.size()), "calls that change nothing", Hint::kCount)};
    if (share) {
      finding.evidence.push_back(
          measured("redundant_share", share->share, "share of the work of all calls", Hint::kPercent));
    }
    if (!group.exact || !drop || !share || share->share < *drop) lower_to_review(finding);
  }
  return findings;
}

}  // namespace

Rule redundant_operation_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
