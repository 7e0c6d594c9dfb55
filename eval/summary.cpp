#include "eval/summary.h"

#include <cmath>

#include "eval/derive.h"
#include "eval/guards/guard.h"
#include "eval/guards/text.h"
#include "eval/timing/statistics.h"

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

std::string percent_text(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

// Whether a speedup could hide behind an interval that does not lie above 1: it is wide, or it lies as low as it does
// because the machine was faster when the baseline ran alone.
std::string undecided(const EvalEvidence& evidence, const Interval& interval, const Policy& policy) {
  if (interval.low > 1) return "";
  const std::string disturbed = disturbance(evidence, policy);
  const bool wide = interval.high > policy.threshold("eval.speedup.resolution", 1.25);
  const bool lowered = !disturbed.empty() && interval.high * (1 + std::max(0.0, baseline_drift(evidence))) > 1;
  if (!wide && !lowered) return "";
  return "The interval of the proven speedup, " + guards::interval_text(interval) +
         ", cannot tell a speedup from none. " +
         (disturbed.empty() ? "The candidate's own times spread too far." : disturbed);
}

// The speedup that a verdict may rest on, or why there is none.
void read_speedup(const EvalEvidence& evidence, const Policy& policy, StageSummary& summary) {
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
  const Metric* metric = carrying_speedup(evidence);
  if (metric == nullptr) {
    summary.reason = evidence.speedup_missing.empty() ? "No speedup was measured." : evidence.speedup_missing;
    return;
  }
  // Rounds are planned before the candidate starts; one that did not get through them may only lose.
  if (evidence.rounds_done < evidence.rounds_planned && metric->interval->high >= 1) {
    summary.reason = "Only " + std::to_string(evidence.rounds_done) + " of " + std::to_string(evidence.rounds_planned) +
                     " planned rounds were measured in the time that was given.";
    return;
  }
  if (std::string reason = undecided(evidence, *metric->interval, policy); !reason.empty()) {
    summary.reason = reason;
    return;
  }
  summary.speedup = metric->value;
  summary.speedup_interval = metric->interval;
}

}  // namespace

const Metric* carrying_speedup(const EvalEvidence& evidence) {
  for (const auto* metric : {&evidence.graph_speedup, &evidence.speedup}) {
    if (*metric && (*metric)->value && (*metric)->interval) return &**metric;
  }
  return nullptr;
}

std::string disturbance(const EvalEvidence& evidence, const Policy& policy) {
  const double limit = policy.threshold("eval.baseline.unsteady", 0.1);
  const auto null_ns = walls(evidence, Party::kNull, evidence.measured_mode, evidence.calls_per_window, false);
  auto baseline_ns = walls(evidence, Party::kBaseline, evidence.measured_mode, evidence.calls_per_window, false);
  if (null_ns.size() < kMinimumRounds || baseline_ns.size() < kMinimumRounds) return "";
  const double center = median(baseline_ns) - median(null_ns);
  const Interval interval = median_interval(std::move(baseline_ns), kSpeedupLevel);
  const double half_width = (interval.high - interval.low) / 2;
  if (!(half_width <= limit * center)) {
    return "The machine was unsteady: the baseline's own time is known to " +
           (center > 0 ? percent_text(half_width / center) + " only." : "no better than the clock's noise.");
  }
  const double drift = baseline_drift(evidence);
  if (std::fabs(drift) <= limit) return "";
  return "The machine changed its speed: the baseline took " + percent_text(std::fabs(drift)) +
         (drift > 0 ? " more" : " less") + " time beside the candidate than alone.";
}

StageSummary summarize(const EvalEvidence& evidence, const Policy& policy) {
  StageSummary summary;
  summary.ran = true;
  read_faults(evidence, summary);
  for (const guards::Guard& guard : guards::registry()) {
    for (Finding& finding : guard.check(evidence, policy)) {
      finding.severity = severity_of(guard.info, finding.effect);
      summary.findings.push_back(std::move(finding));
    }
  }
  if (!evidence.not_comparable.empty()) {
    summary.not_comparable = true;
    summary.reason = evidence.not_comparable;
  } else if (evidence.outputs_vary_for_equal_input && any_refused(evidence)) {
    summary.not_comparable = true;
    summary.reason =
        "The reference draws random numbers, and with equal seeds the candidate's outputs differ from its own.";
  }
  read_speedup(evidence, policy, summary);
  return summary;
}

}  // namespace kernel_audit::eval
