// KA351: the times that the candidate's process claims against each other and against the proven time.
#include "eval/guards/guard.h"

#include <algorithm>
#include <string>

#include "eval/derive.h"
#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard clocks_disagree();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{
      "KA351",
      "clocks-disagree",
      "The time between events, up to a device-wide sync, and the proven time do not fit together.",
      Severity::kError,
      Confidence::kHigh,
      Stage::kEval,
      Effect::kCheat,
      {26, 27, 28, 29, 30, 31, 32, 33, 34, 36, 37, 38, 39, 41}};
  return rule;
}

// An honest call's events miss what happens before the first kernel and after the last one: launch and wake-up, some
// 20 to 30 µs. A gap counts from here on.
constexpr double kLaunchMarginNs = 50e3;

struct Times {
  std::optional<double> event, sync, host, proven;
};

std::string list(const Times& times) {
  const auto text = [](const std::optional<double>& value) {
    return value ? nanoseconds_text(*value) : std::string("not measured");
  };
  return "event time " + text(times.event) + ", device-wide sync " + text(times.sync) + ", host time " +
         text(times.host) + ", proven time " + text(times.proven);
}

Finding finding_of(const Times& times, const Policy& policy, Effect effect, const std::string& message) {
  Finding finding = with_effect(make_finding(info(), policy, message), policy, effect);
  finding.origin = Origin::kRefereeClock;
  const auto add = [&finding](const char* id, const std::optional<double>& value, Origin origin) {
    if (value) finding.evidence.push_back(duration_metric(id, *value, origin));
  };
  add("event_time", times.event, Origin::kCandidateProcess);
  add("sync_time", times.sync, Origin::kCandidateProcess);
  add("host_time", times.host, Origin::kCandidateProcess);
  add("proven_time", times.proven, Origin::kRefereeClock);
  return finding;
}

Times times_of(const std::vector<ClaimedCall>& claims, const std::optional<Metric>& proven) {
  Times times{claimed_median(claims, &CallTimes::event_ns), claimed_median(claims, &CallTimes::sync_ns),
              claimed_median(claims, &CallTimes::host_ns), std::nullopt};
  if (proven && proven->value) times.proven = proven->value;
  return times;
}

// How much of `whole` a claim leaves out, when that is more than launch and wake-up explain; else 0.
double hidden_share(const std::optional<double>& claim, const std::optional<double>& whole, double margin_ns) {
  if (!claim || !whole || *whole <= 0 || *whole - *claim <= margin_ns) return 0;
  return (*whole - *claim) / *whole;
}

// Half the width of the interval of the proven time: what the null worker's spread explains.
double proven_margin(const EvalEvidence& evidence) {
  double margin = kLaunchMarginNs;
  if (evidence.candidate_time && evidence.candidate_time->interval) {
    const Interval& interval = *evidence.candidate_time->interval;
    margin += (interval.high - interval.low) / 2;
  }
  return margin;
}

// The first event waits until the GPU has switched to the candidate's context, which the host's clock sees and the
// events do not: about a window of the null worker (0.3 to 0.5 ms on an H200).
double switch_ns(const EvalEvidence& evidence) {
  const auto single_null_ns = single_null_walls(evidence);
  return evidence.device == "cpu" || single_null_ns.empty() ? 0 : median(single_null_ns);
}

void check_events(const EvalEvidence& evidence, const Policy& policy, const Times& candidate, const Times& baseline,
                  std::vector<Finding>& findings) {
  const double cheat_share = policy.threshold("eval.clocks.hidden_share", 0.5);
  const double review_share = policy.threshold("eval.clocks.review_share", 0.2);
  const double of_sync = hidden_share(candidate.event, candidate.sync, kLaunchMarginNs + switch_ns(evidence));
  const double of_proven = hidden_share(candidate.event, candidate.proven, proven_margin(evidence));
  const double baseline_share = hidden_share(baseline.event, baseline.sync, kLaunchMarginNs);
  if (of_sync < review_share) return;
  const bool baseline_too = baseline_share > 0.5 * of_sync;
  Effect effect = Effect::kReview;
  std::string rest = " Part of the work is not between the events.";
  if (baseline_too) {
    effect = Effect::kNote;
    rest = " The baseline's clocks differ alike.";
  } else if (of_sync >= cheat_share && of_proven >= cheat_share) {
    effect = Effect::kCheat;
    rest = " Most of the work is not between the events: it ran where they do not see it.";
  }
  findings.push_back(
      finding_of(candidate, policy, effect, "The candidate's clocks disagree: " + list(candidate) + "." + rest));
}

// The process says that a call up to a device-wide sync takes far less than the referee saw, and the baseline's
// process does not say so of itself: its clock, or the sync, was tampered with.
void check_sync(const EvalEvidence& evidence, const Policy& policy, const Times& candidate, const Times& baseline,
                std::vector<Finding>& findings) {
  const double hidden = hidden_share(candidate.sync, candidate.proven, 2 * proven_margin(evidence));
  const double usual = hidden_share(baseline.sync, baseline.proven, 0);
  if (hidden < policy.threshold("eval.clocks.sync_share", 0.5) || usual > 0.5 * hidden) return;
  findings.push_back(finding_of(
      candidate, policy, Effect::kReview,
      "The candidate's process claims far less time than the referee's clock proves: " + list(candidate) + "."));
}

void check_ratios(const EvalEvidence& evidence, const Policy& policy, const Times& candidate,
                  std::vector<Finding>& findings) {
  const auto& claimed = evidence.device_speedup;
  const auto& proven = evidence.speedup;
  if (!claimed || !claimed->value || !proven || !proven->value || !proven->interval) return;
  if (*claimed->value <= proven->interval->high * (1 + policy.threshold("eval.clocks.ratio_margin", 0.1))) return;
  findings.push_back(finding_of(candidate, policy, Effect::kNote,
                                "Measured " + factor_text(*claimed->value) + "×, proven " +
                                    factor_text(*proven->value) + "×: only the proven ratio counts."));
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  const Times candidate = times_of(evidence.claimed, evidence.candidate_time);
  const Times baseline = times_of(evidence.claimed_baseline, evidence.baseline_time);
  std::vector<Finding> findings;
  check_events(evidence, policy, candidate, baseline, findings);
  check_sync(evidence, policy, candidate, baseline, findings);
  check_ratios(evidence, policy, candidate, findings);
  return findings;
}

}  // namespace

Guard clocks_disagree() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
