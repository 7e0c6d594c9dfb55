// KA851: outputs that are neither within the benchmark's tolerance nor as accurate as the reference.
#include "eval/guards/guard.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard wrong_output();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{
      "KA851",
      "wrong-output",
      "A timed call returns an output that the benchmark's tolerance and the fp64 oracle both refuse.",
      Severity::kError,
      Confidence::kHigh,
      Stage::kEval,
      Effect::kWrong,
      {17, 42, 49, 59, 63, 64, 66, 67, 68, 69, 70, 71, 72, 73, 75, 81, 83}};
  return rule;
}

std::string error_text(double value) {
  if (!std::isfinite(value)) return "not finite";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string message_of(const EvalEvidence& evidence, const CheckResult& first, std::uint64_t count) {
  std::string message =
      std::to_string(count) + " of " + std::to_string(evidence.checks_total) + " outputs are wrong, first " +
      place_text(first) + ": " + std::to_string(first.mismatched) + " of " + std::to_string(first.elements) +
      " elements differ by more than the tolerance, the largest error is " + error_text(first.max_abs_error);
  if (first.oracle_ran && first.candidate_error && first.reference_error) {
    message += "; against fp64 the candidate is off by " + error_text(*first.candidate_error) + ", the reference by " +
               error_text(*first.reference_error);
  } else {
    message += "; the fp64 oracle could not be asked";
  }
  message += "; " + std::to_string(evidence.accepted_before_failure) + " outputs were right before that.";
  if (!evidence.state_note.empty()) message += " " + evidence.state_note;
  return message;
}

// Outputs of another number, shape or type than the reference's: they never reached the arena.
void check_forms(const EvalEvidence& evidence, const Policy& policy, std::vector<Finding>& findings) {
  for (const Fault& fault : evidence.faults) {
    if (fault.party != Party::kCandidate || !is_wrong_form(fault)) continue;
    findings.push_back(make_finding(info(), policy, "A call returned what cannot be the answer: " + fault.message));
    findings.back().origin = Origin::kCandidateProcess;  // it can only accuse itself
    return;
  }
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  std::uint64_t plain = 0, explained = 0, baseline_refused = 0;
  const CheckResult* first = nullptr;
  for (const CheckResult& result : evidence.checks) {
    if (!refused(result)) continue;
    if (result.party == Party::kBaseline) ++baseline_refused;
    if (result.party != Party::kCandidate) continue;
    if (result.stale || result.unwritten || result.right_on_recheck) {
      ++explained;
    } else if (plain++ == 0) {
      first = &result;
    }
  }
  std::vector<Finding> findings;
  check_forms(evidence, policy, findings);
  if (baseline_refused > 0) {
    findings.push_back(with_effect(
        make_finding(
            info(), policy,
            std::to_string(baseline_refused) +
                " outputs of the baseline, which runs the reference itself, were refused: outputs of this task "
                "cannot be judged here."),
        policy, Effect::kInconclusive));
    findings.back().origin = Origin::kRefereeMemory;
  }
  // When most refused outputs are an earlier call's answer, the rest is older than what the referee still knows.
  if (plain == 0 || explained > plain) return findings;
  Finding finding = make_finding(info(), policy, message_of(evidence, *first, plain));
  finding.origin = Origin::kRefereeMemory;
  if (!first->oracle_ran) finding.confidence = Confidence::kMedium;
  if (baseline_refused > 0) {
    finding = with_effect(finding, policy, Effect::kInconclusive);
  } else if (evidence.weights_copied || evidence.outputs_vary_for_equal_input) {
    finding = with_effect(finding, policy, Effect::kReview);
  }
  finding.evidence = {count_metric("outputs", static_cast<double>(plain)),
                      count_metric("mismatched", static_cast<double>(first->mismatched)),
                      count_metric("elements", static_cast<double>(first->elements))};
  findings.push_back(std::move(finding));
  return findings;
}

}  // namespace

Guard wrong_output() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
