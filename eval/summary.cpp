#include "eval/summary.h"

#include "eval/guards/guard.h"
#include "eval/guards/text.h"

namespace kernel_audit::eval {
namespace {

// A fault of the candidate other than a malformed message (its guard speaks of that) breaks it; a fault of
// baseline or null worker says nothing about the candidate.
void read_faults(const EvalEvidence& evidence, StageSummary& summary) {
  for (const Fault& fault : evidence.faults) {
    if (fault.party == Party::kCandidate) {
      if (fault.kind == to_string(ErrorKind::kProtocol) || fault.kind == to_string(ErrorKind::kTool)) continue;
      if (guards::is_wrong_form(fault)) continue;  // wrong, says its guard
      summary.broken = true;
      summary.reason = "The candidate failed in phase " + fault.phase + " (" + fault.kind + "): " + fault.message;
      return;
    }
  }
}

bool own_fault(const EvalEvidence& evidence, std::string& reason) {
  for (const Fault& fault : evidence.faults) {
    const bool ours = fault.party != Party::kCandidate || fault.kind == to_string(ErrorKind::kTool);
    if (!ours) continue;
    reason = std::string("The ") + to_string(fault.party) + " worker failed in phase " + fault.phase + " (" +
             fault.kind + "): " + fault.message;
    return true;
  }
  return false;
}

bool candidate_fault(const EvalEvidence& evidence) {
  for (const Fault& fault : evidence.faults) {
    if (fault.party == Party::kCandidate) return true;
  }
  return false;
}

bool any_refused(const EvalEvidence& evidence) {
  for (const CheckResult& check : evidence.checks) {
    if (check.party == Party::kCandidate && guards::refused(check)) return true;
  }
  return evidence.checks_accepted < evidence.checks_total;
}

// The speedup that a verdict may rest on, or why there is none.
void read_speedup(const EvalEvidence& evidence, StageSummary& summary) {
  std::string fault;
  if (own_fault(evidence, fault)) {
    summary.reason = fault;
    return;
  }
  if (candidate_fault(evidence)) {
    if (summary.reason.empty()) summary.reason = "The candidate did not get through its measurement.";
    return;
  }
  if (evidence.checks_total == 0) {
    summary.reason = "No output of the candidate was compared.";
    return;
  }
  if (any_refused(evidence)) {
    if (summary.reason.empty()) summary.reason = "Outputs of the candidate were refused.";
    return;
  }
  const Metric* metric = evidence.speedup ? &*evidence.speedup : nullptr;
  // Host-bound work is proven by graph replays of both sides, where there are any.
  if (evidence.graph_speedup && evidence.graph_speedup->value && evidence.graph_speedup->interval) {
    metric = &*evidence.graph_speedup;
  }
  if (metric == nullptr || !metric->value || !metric->interval) {
    summary.reason = evidence.speedup_missing.empty() ? "No speedup was measured." : evidence.speedup_missing;
    return;
  }
  // Rounds are planned before the candidate starts; one that did not get through them may only lose.
  if (evidence.rounds_done < evidence.rounds_planned && metric->interval->high >= 1) {
    summary.reason = "Only " + std::to_string(evidence.rounds_done) + " of " + std::to_string(evidence.rounds_planned) +
                     " planned rounds were measured in the time that was given.";
    return;
  }
  summary.speedup = metric->value;
  summary.speedup_interval = metric->interval;
}

}  // namespace

StageSummary summarize(const EvalEvidence& evidence, const Policy& policy) {
  StageSummary summary;
  summary.ran = true;
  read_faults(evidence, summary);
  for (const guards::Guard& guard : guards::registry()) {
    for (Finding& finding : guard.check(evidence, policy)) summary.findings.push_back(std::move(finding));
  }
  if (!evidence.not_comparable.empty()) {
    summary.not_comparable = true;
    summary.reason = evidence.not_comparable;
  } else if (evidence.outputs_vary_for_equal_input && any_refused(evidence)) {
    summary.not_comparable = true;
    summary.reason =
        "The reference draws random numbers, and with equal seeds the candidate's outputs differ from its own.";
  }
  read_speedup(evidence, summary);
  return summary;
}

}  // namespace kernel_audit::eval
