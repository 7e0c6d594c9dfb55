// Hand-made evidence for tests: an honest evaluation in which the candidate is twice as fast as the
// baseline, to be spoiled in one respect by each test.
#pragma once

#include "eval/derive.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {

inline CheckResult accepted_check(int round, int call) {
  CheckResult check;
  check.round = round;
  check.call = call;
  check.benchmark_accepts = true;
  check.elements = 1024;
  return check;
}

inline CheckResult refused_check(int round, int call) {
  CheckResult check = accepted_check(round, call);
  check.benchmark_accepts = false;
  check.oracle_ran = true;
  check.mismatched = 1000;
  check.max_abs_error = 2;
  check.max_rel_error = 1;
  check.reference_error = 1e-6;
  check.candidate_error = 2;
  return check;
}

// Times in nanoseconds: null 300 µs, baseline 4 ms, candidate 2 ms per call, single calls.
inline EvalEvidence honest_evidence(double candidate_ns = 2e6, double baseline_ns = 4e6) {
  EvalEvidence e;
  e.device = "cpu";
  e.torch_version = "2";
  e.compat = "kernelbench";
  e.atol = e.rtol = 1e-4;
  e.rounds_planned = e.rounds_done = 10;
  e.checks_total = e.checks_accepted = 10;
  const double null_ns = 300e3;
  const auto window = [&e](Party party, int round, double wall_ns, bool solo) {
    ProvenWindow w;
    w.party = party;
    w.round = round;
    w.wall_ns = wall_ns;
    w.solo = solo;
    e.windows.push_back(w);
  };
  for (int round = 0; round < 10; ++round) {
    const double jitter = 1e3 * ((round * 7) % 5 - 2);
    window(Party::kNull, round, null_ns + jitter, true);
    window(Party::kBaseline, round, null_ns + baseline_ns - jitter, true);
    window(Party::kNull, round, null_ns - jitter, false);
    window(Party::kBaseline, round, null_ns + baseline_ns + 2 * jitter, false);
    window(Party::kCandidate, round, null_ns + candidate_ns - jitter, false);
    e.claimed.push_back({round, 0, {-1, candidate_ns + 10e3, candidate_ns}});
    e.claimed_baseline.push_back({round, 0, {-1, baseline_ns + 10e3, baseline_ns}});
  }
  derive_times(e);
  return e;
}

inline void refuse(EvalEvidence& e, const CheckResult& check) {
  e.checks.push_back(check);
  ++e.checks_total;
}

}  // namespace kernel_audit::eval
