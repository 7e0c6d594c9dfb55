#include "eval/derive.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kernel_audit::eval {
namespace {

Metric duration(const char* id, Origin origin, const char* description) {
  Metric metric;
  metric.id = id;
  metric.unit = "ns";
  metric.hint = Hint::kDuration;
  metric.origin = origin;
  metric.description = description;
  return metric;
}

Metric ratio(const char* id, Origin origin, const char* description) {
  Metric metric = duration(id, origin, description);
  metric.unit = "1";
  metric.hint = Hint::kRatio;
  return metric;
}

std::optional<Metric> filled(Metric metric, const std::optional<Estimate>& estimate) {
  if (!estimate || !std::isfinite(estimate->value)) return std::nullopt;
  metric.value = estimate->value;
  metric.interval = estimate->interval;
  return metric;
}

std::optional<Metric> null_metric(const std::vector<double>& null_ns) {
  if (null_ns.size() < 3) return std::nullopt;
  Metric metric = duration("null_time", Origin::kRefereeClock,
                           "Time of a window of the null worker, subtracted from every other party's windows.");
  metric.value = mean(null_ns);
  metric.interval = bootstrap_interval(null_ns.size(), [&](const std::vector<std::size_t>& indices) {
    double sum = 0;
    for (const std::size_t index : indices) sum += null_ns[index];
    return std::optional<double>(sum / static_cast<double>(indices.size()));
  });
  return metric;
}

// On a device that runs beside its host, the null worker's work per call overlaps with a candidate's kernels: taking
// its whole window away takes too much, and taking a single null call away takes too little (on an H200, windows of 200
// spins of 20 µs came out at 16.6 and 23.3 µs). The truth lies between, so intervals span both and the ratio is the
// smaller one.
bool host_overlaps(const EvalEvidence& evidence, CallMode mode) {
  return evidence.device != "cpu" && mode == CallMode::kWindow;
}

std::optional<Estimate> spanning(const std::optional<Estimate>& a, const std::optional<Estimate>& b, bool smaller) {
  if (!a || !b) return a ? a : b;
  Estimate both = *a;
  both.value = smaller ? std::min(a->value, b->value) : (a->value + b->value) / 2;
  both.interval.low = std::min(a->interval.low, b->interval.low);
  both.interval.high = std::max(a->interval.high, b->interval.high);
  return both;
}

std::optional<Estimate> proven(const EvalEvidence& evidence, Party party, CallMode mode, int calls, bool solo) {
  return proven_call_time(walls(evidence, party, mode, calls, solo), walls(evidence, Party::kNull, mode, calls, solo),
                          host_overlaps(evidence, mode) ? single_null_walls(evidence) : std::vector<double>(), calls);
}

std::optional<Estimate> ratio_of_rounds(const EvalEvidence& evidence, CallMode mode, int calls, std::string* why) {
  auto rounds = complete_rounds(evidence, mode, calls);
  const auto solo_ns = walls(evidence, Party::kBaseline, mode, calls, true);
  const auto whole = paired_speedup(rounds, solo_ns, walls(evidence, Party::kNull, mode, calls, true), why);
  auto single_null_ns = single_null_walls(evidence);
  if (!whole || !host_overlaps(evidence, mode) || single_null_ns.empty()) return whole;
  const double single_null = median(single_null_ns);
  for (Round& round : rounds) round.null_ns = single_null;
  return spanning(whole, paired_speedup(rounds, solo_ns, single_null_ns, why), true);
}

// Ratio of the medians of what both processes say of themselves: by events where there are events.
std::optional<Metric> claimed_speedup(const EvalEvidence& evidence) {
  for (const auto figure : {&CallTimes::event_ns, &CallTimes::host_ns}) {
    const auto candidate = claimed_median(evidence.claimed, figure);
    const auto baseline = claimed_median(evidence.claimed_baseline, figure);
    if (!candidate || !baseline || *candidate <= 0) continue;
    Metric metric = ratio("device_speedup", Origin::kCandidateProcess,
                          "Ratio of the times that both timed processes measured themselves; proves nothing.");
    metric.value = *baseline / *candidate;
    return metric;
  }
  return std::nullopt;
}

Metric missing(Metric metric, const std::string& reason) {
  metric.value.reset();
  metric.interval.reset();
  metric.missing_reason = reason;
  return metric;
}

Metric count(const char* id, double value, const char* description) {
  Metric metric;
  metric.id = id;
  metric.unit = "1";
  metric.hint = Hint::kCount;
  metric.origin = Origin::kRefereeMemory;
  metric.value = value;
  metric.description = description;
  return metric;
}

void append_claims(const EvalEvidence& evidence, std::vector<Metric>& list) {
  const struct {
    const char* id;
    double CallTimes::* figure;
    const char* description;
  } claims[] = {
      {"event_time", &CallTimes::event_ns,
       "Median time of one call between device events, measured by the candidate's process."},
      {"sync_time", &CallTimes::sync_ns,
       "Median time of one call up to a device-wide sync, host clock of the candidate's process."},
      {"host_time", &CallTimes::host_ns,
       "Median time of one call up to its return, host clock of the candidate's process."},
  };
  for (const auto& claim : claims) {
    Metric metric = duration(claim.id, Origin::kCandidateProcess, claim.description);
    metric.value = claimed_median(evidence.claimed, claim.figure);
    if (!metric.value) {
      metric.missing_reason = claim.figure == &CallTimes::event_ns && evidence.device == "cpu"
                                  ? "A CPU has no device events."
                                  : "The candidate's process measured no possible value.";
    }
    list.push_back(metric);
  }
}

}  // namespace

std::optional<Estimate> proven_call_time(const std::vector<double>& wall_ns, const std::vector<double>& null_ns,
                                         const std::vector<double>& single_null_ns, int calls) {
  const auto whole = proven_time(wall_ns, null_ns, calls);
  if (single_null_ns.empty()) return whole;
  return spanning(whole, proven_time(wall_ns, single_null_ns, calls), false);
}

std::vector<double> walls(const EvalEvidence& evidence, Party party, CallMode mode, int calls, bool solo) {
  std::vector<double> result;
  for (const ProvenWindow& window : evidence.windows) {
    if (window.party == party && window.mode == mode && window.calls == calls && window.solo == solo &&
        !window.warmup) {
      result.push_back(window.wall_ns);
    }
  }
  return result;
}

std::vector<double> single_null_walls(const EvalEvidence& evidence) {
  std::vector<double> result;
  for (const ProvenWindow& window : evidence.windows) {
    if (window.party == Party::kNull && window.mode == CallMode::kSingle && window.calls == 1) {
      result.push_back(window.wall_ns);
    }
  }
  return result;
}

std::vector<Round> complete_rounds(const EvalEvidence& evidence, CallMode mode, int calls) {
  struct Partial {
    std::optional<double> party[3];
  };
  std::map<int, Partial> partial;
  for (const ProvenWindow& window : evidence.windows) {
    if (window.solo || window.warmup || window.mode != mode || window.calls != calls) continue;
    partial[window.round].party[static_cast<int>(window.party)] = window.wall_ns;
  }
  std::vector<Round> rounds;
  for (const auto& [number, round] : partial) {
    const auto& candidate = round.party[static_cast<int>(Party::kCandidate)];
    const auto& baseline = round.party[static_cast<int>(Party::kBaseline)];
    const auto& null = round.party[static_cast<int>(Party::kNull)];
    if (candidate && baseline && null) rounds.push_back({*candidate, *baseline, *null});
  }
  return rounds;
}

std::optional<double> claimed_median(const std::vector<ClaimedCall>& calls, double CallTimes::* figure) {
  std::vector<double> values;
  for (const ClaimedCall& call : calls) {
    const double value = call.times.*figure;
    if (std::isfinite(value) && value >= 0) values.push_back(value);
  }
  if (values.empty()) return std::nullopt;
  return median(std::move(values));
}

double baseline_drift(const EvalEvidence& evidence) {
  const auto& solo = evidence.baseline_solo_time;
  const auto& beside = evidence.baseline_time;
  if (!solo || !beside || !solo->value || !beside->value || *solo->value <= 0) return 0;
  // Intervals that overlap are noise, not drift.
  if (solo->interval && beside->interval && solo->interval->low <= beside->interval->high &&
      beside->interval->low <= solo->interval->high) {
    return 0;
  }
  return *beside->value / *solo->value - 1;
}

void derive_times(EvalEvidence& evidence) {
  const CallMode mode = evidence.measured_mode;
  const int calls = evidence.calls_per_window;
  const auto null_ns = walls(evidence, Party::kNull, mode, calls, false);
  evidence.null_time = null_metric(null_ns.empty() ? walls(evidence, Party::kNull, mode, calls, true) : null_ns);
  evidence.candidate_time = filled(duration("proven_time", Origin::kRefereeClock,
                                            "Proven time of one call of the candidate, by the referee's clock."),
                                   proven(evidence, Party::kCandidate, mode, calls, false));
  evidence.baseline_time = filled(duration("baseline_time", Origin::kRefereeClock,
                                           "Proven time of one call of the baseline, interleaved with the candidate."),
                                  proven(evidence, Party::kBaseline, mode, calls, false));
  evidence.baseline_solo_time =
      filled(duration("baseline_solo_time", Origin::kRefereeClock,
                      "Proven time of one call of the baseline before the candidate existed."),
             proven(evidence, Party::kBaseline, mode, calls, true));
  std::string why;
  evidence.speedup = filled(ratio("proven_speedup", Origin::kRefereeClock,
                                  "Median ratio of proven times, baseline over candidate, of paired rounds."),
                            ratio_of_rounds(evidence, mode, calls, &why));
  if (evidence.speedup) {
    evidence.speedup_missing.clear();
  } else if (evidence.speedup_missing.empty()) {
    evidence.speedup_missing = why;
  }
  evidence.device_speedup = claimed_speedup(evidence);
  std::string graph_why;
  const auto graph_rounds = complete_rounds(evidence, CallMode::kGraph, calls);
  if (graph_rounds.empty()) {
    evidence.graph_speedup.reset();
    return;
  }
  evidence.graph_speedup = filled(ratio("graph_speedup", Origin::kRefereeClock,
                                        "Median ratio of proven times of graph replays, baseline over candidate."),
                                  paired_speedup(graph_rounds, {}, {}, &graph_why));
  if (!evidence.graph_speedup && evidence.graph_missing.empty()) evidence.graph_missing = graph_why;
}

std::vector<Metric> metrics(const EvalEvidence& evidence) {
  std::vector<Metric> list;
  const auto add = [&list](const std::optional<Metric>& metric, Metric shape, const std::string& reason) {
    list.push_back(metric ? *metric : missing(std::move(shape), reason.empty() ? "It was not measured." : reason));
  };
  const std::string few = "Fewer than three windows were measured.";
  add(evidence.speedup,
      ratio("proven_speedup", Origin::kRefereeClock, "Ratio of proven times, baseline over candidate."),
      evidence.speedup_missing);
  add(evidence.device_speedup, ratio("device_speedup", Origin::kCandidateProcess, "Ratio of claimed times."),
      "No call was timed by both processes themselves.");
  add(evidence.candidate_time, duration("proven_time", Origin::kRefereeClock, "Proven time of the candidate."), few);
  add(evidence.baseline_time, duration("baseline_time", Origin::kRefereeClock, "Proven time of the baseline."), few);
  add(evidence.baseline_solo_time, duration("baseline_solo_time", Origin::kRefereeClock, "The baseline alone."), few);
  add(evidence.null_time, duration("null_time", Origin::kRefereeClock, "Time of an empty window."), few);
  if (evidence.graph_speedup || !evidence.graph_missing.empty()) {
    add(evidence.graph_speedup,
        ratio("graph_speedup", Origin::kRefereeClock, "Ratio of proven times of graph replays."),
        evidence.graph_missing);
  }
  append_claims(evidence, list);
  list.push_back(count("calls_per_window", evidence.calls_per_window, "Calls of one measured window."));
  list.push_back(count("rounds", evidence.rounds_done, "Measured rounds of candidate, baseline and null worker."));
  list.push_back(count("checks", static_cast<double>(evidence.checks_total), "Candidate outputs that were compared."));
  list.push_back(count("checks_accepted", static_cast<double>(evidence.checks_accepted),
                       "Candidate outputs that the benchmark's tolerance or the fp64 oracle accepts."));
  Metric error = count("max_abs_error", 0, "Largest absolute difference from the reference in any candidate output.");
  error.hint = Hint::kError;
  double worst = 0;
  for (const CheckResult& check : evidence.checks) {
    if (check.party == Party::kCandidate) worst = std::max(worst, check.max_abs_error);
  }
  error.value = worst;
  if (evidence.checks_total == 0) error = missing(error, "No output was compared.");
  if (!std::isfinite(worst)) error = missing(error, "An output holds NaN or infinity where the reference does not.");
  list.push_back(error);
  return list;
}

}  // namespace kernel_audit::eval
