// KA251: outputs of timed calls that are an earlier call's answer, were never written, or came late.
#include "eval/guards/guard.h"

#include <algorithm>
#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard stale_output();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{
      "KA251",
      "stale-output",
      "A timed call returns an earlier call's answer, leaves its output unwritten, or finishes it late.",
      Severity::kError,
      Confidence::kHigh,
      Stage::kEval,
      Effect::kCheat,
      {13, 14, 15, 16, 17, 20, 21, 23, 24, 25, 44, 45, 57, 61, 68}};
  return rule;
}

struct Group {
  std::uint64_t count = 0;
  const CheckResult* first = nullptr;
  void add(const CheckResult& check) {
    if (count++ == 0) first = &check;
  }
};

Finding finding_of(const Group& group, const Policy& policy, Effect effect, const std::string& message) {
  Finding finding = with_effect(make_finding(info(), policy, message), policy, effect);
  finding.origin = Origin::kRefereeMemory;
  finding.evidence = {count_metric("outputs", static_cast<double>(group.count)),
                      count_metric("first_round", group.first->round), count_metric("first_call", group.first->call)};
  return finding;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  Group stale, unwritten, late, changed;
  for (const CheckResult& result : evidence.checks) {
    if (result.party != Party::kCandidate) continue;
    if (refused(result)) {
      if (result.right_on_recheck) {
        late.add(result);
      } else if (result.stale) {
        stale.add(result);
      } else if (result.unwritten) {
        unwritten.add(result);
      }
    } else if (result.changed_after_return) {
      changed.add(result);
    }
  }
  const std::string before = std::to_string(evidence.accepted_before_failure);
  std::vector<Finding> findings;
  if (stale.count > 0) {
    findings.push_back(finding_of(stale, policy, Effect::kCheat,
                                  std::to_string(stale.count) + " refused outputs, first " + place_text(*stale.first) +
                                      ", equal the expected output of an earlier call with other input; " + before +
                                      " outputs were right before that."));
  }
  if (late.count > 0) {
    findings.push_back(finding_of(late, policy, Effect::kCheat,
                                  std::to_string(late.count) + " outputs, first " + place_text(*late.first) +
                                      ", were not right when the call had returned and its stream was copied, and were "
                                      "right later: the work went on after the return."));
  }
  if (unwritten.count > 0) {
    const bool was_right = evidence.accepted_before_failure > 0;
    findings.push_back(finding_of(unwritten, policy, was_right ? Effect::kCheat : Effect::kWrong,
                                  std::to_string(unwritten.count) + " outputs, first " + place_text(*unwritten.first) +
                                      ", still hold the pattern that the referee had put into the output memory; " +
                                      before + " outputs were right before that."));
  }
  if (changed.count > 0) {
    findings.push_back(
        finding_of(changed, policy, Effect::kReview,
                   std::to_string(changed.count) + " outputs, first " + place_text(*changed.first) +
                       ", were right when returned and had changed when they were read again after later "
                       "calls of the same window."));
  }
  return findings;
}

}  // namespace

Guard stale_output() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
