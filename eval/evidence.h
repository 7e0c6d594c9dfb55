// EvalEvidence: what one evaluation of task × candidate measured. The referee fills it; guards
// (supervisor side, pure functions) turn it into findings; the journal keeps it. Every number says
// who stands behind it by the struct it sits in: `Proven*` and `Check*` are the referee's, `Claimed*`
// come from the candidate's process and can only accuse or explain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/metric.h"
#include "eval/protocol.h"

namespace kernel_audit::eval {

enum class Party { kCandidate, kBaseline, kNull };
const char* to_string(Party party);
const char* to_string(CallMode mode);      // "single", "window", "graph"
const char* to_string(CallStatus status);  // "ok", "exception", "shape", …

// One window as the referee's clock saw it.
struct ProvenWindow {
  Party party = Party::kCandidate;
  int round = 0;
  int calls = 1;  // K
  CallMode mode = CallMode::kSingle;
  bool warmup = false;
  bool solo = false;   // baseline measured before the candidate existed
  double wall_ns = 0;  // t1 − t0
  bool gap_checked = false;
  bool device_idle = true;  // of the gap probe after freezing
};

// One output comparison in the referee's memory.
struct CheckResult {
  Party party = Party::kCandidate;
  int round = 0, call = 0, output = 0;
  CallMode mode = CallMode::kSingle;
  bool benchmark_accepts = false;     // allclose form with the benchmark's atol, rtol
  bool oracle_ran = false;            // it runs when the benchmark refuses, and on a sample
  bool oracle_accepts = false;        // at least as accurate as the reference against fp64; false when it did not run
  bool unwritten = false;             // poison left in it
  bool stale = false;                 // equals an earlier call's expected output, not this one's
  bool changed_after_return = false;  // Recheck differs from the first copy
  bool right_on_recheck = false;      // the first copy was refused, the recheck's would be accepted
  double max_abs_error = 0, max_rel_error = 0;  // against the reference; not finite (null in JSON): NaN or Inf met
  std::optional<double> reference_error, candidate_error;  // against fp64
  std::int64_t mismatched = 0, elements = 0, nan_count = 0;
};

struct ClaimedCall {
  int round = 0, call = 0;
  CallTimes times;
};

struct Fault {
  Party party = Party::kCandidate;
  std::string phase;  // "build", "load", "run", "recheck"
  std::string kind;   // to_string(ErrorKind) or to_string(CallStatus)
  std::string message;
};

struct PhaseTime {  // where the time of an evaluation went
  std::string phase;
  double ns = 0;
};

struct EvalEvidence {
  int protocol_version = kProtocolVersion;
  std::string device, torch_version, compat;
  double atol = 0, rtol = 0;
  std::string freeze_method, arena_kind;
  std::vector<std::string> sandbox_missing;
  std::vector<ProvenWindow> windows;
  std::vector<CheckResult> checks;                      // failures in full; of the accepted ones a count and the worst
  std::uint64_t checks_total = 0, checks_accepted = 0;  // of the candidate's outputs
  std::uint64_t accepted_before_failure = 0;            // candidate outputs accepted before the first refused one
  std::uint64_t rechecks = 0;                           // outputs copied a second time and compared with the first copy
  std::uint64_t oracle_checks = 0;
  std::vector<ClaimedCall> claimed;  // single calls of the candidate
  std::vector<ClaimedCall> claimed_baseline;
  std::uint64_t impossible_claims = 0;  // claimed times that were not finite, negative or absurd, and dropped
  std::vector<Fault> faults;
  std::vector<PhaseTime> phases;              // in order, by the referee's clock
  bool outputs_vary_for_equal_input = false;  // of the reference: random or stateful forward
  std::string not_comparable;                 // reason, empty when comparable
  std::string state_note;       // how the candidate's weights relate to the reference's, when not simply equal
  bool weights_copied = false;  // values of equal names differed and were copied
  int rounds_planned = 0, rounds_done = 0;  // planned before the candidate started
  int calls_per_window = 1;                 // K of the measured windows
  CallMode measured_mode = CallMode::kSingle;
  std::uint32_t aliased_outputs = 0, subclass_outputs = 0;  // of the candidate, as its process counts them
  std::uint32_t baseline_aliased_outputs = 0;
  // Derived by eval/timing/statistics from the windows, all by the referee's clock.
  std::optional<Metric> null_time, candidate_time, baseline_time, baseline_solo_time, speedup;
  std::string speedup_missing;           // why there is no speedup
  std::optional<Metric> device_speedup;  // from claimed event times (CPU: host times), candidate process
  std::optional<Metric> graph_speedup;   // the same by graph replays of both sides
  std::string graph_missing;             // why there is none
};

void to_json(Json& json, const EvalEvidence& evidence);
Result<EvalEvidence> eval_evidence_from_json(const Json& json, const std::string& what);

}  // namespace kernel_audit::eval
