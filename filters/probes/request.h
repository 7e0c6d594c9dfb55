// A probe job, read and checked; and the clock that its time limit is kept by.
#pragma once

#include <time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "filters/evidence_operators.h"
#include "filters/presets.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {

struct ProbeRequest {
  std::string path, name;
  std::string device, compat;
  Preset preset;
  std::optional<double> atol, rtol;  // in place of the benchmark's
  int seeds = 5;                     // to start with
  int max_seeds = 5;                 // while a verdict is near its threshold
  int weight_seeds = 5;
  std::vector<std::string> baselines;  // "compile", "graph": what to time beside eager
  std::optional<DevicePeaks> peaks;    // measured before on this device
  int tape_from_calls = 12;  // operator calls of a pass from which mutants are run on a tape: below, little is saved
  double time_limit_s = 120;
  std::uint64_t memory_limit_bytes = 0;  // 0: none

  Result<Tolerance> tolerance(const std::string& dtype) const;
  // Published flags are defined for a number of seeds; other presets take what fits and what is needed.
  // They are drawn as published, too: seeds from 0, the inputs first, then the weights from where those left off.
  bool fixed_seeds = false;
  std::uint64_t first_input_seed() const { return fixed_seeds ? 0 : 42; }
};
Result<ProbeRequest> read_probe_request(const Json& job);

// On the CPU the limit is on processor time of all threads of this process, so that a busy machine changes
// no result; with an accelerator, whose work that does not count, it is on wall time.
class Stopwatch {
 public:
  // `waited_s`, which must outlive the clock, is wall time that does not count.
  Stopwatch(double limit_s, bool processor_time, const double* waited_s = nullptr)
      : clock_(processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC),
        waited_s_(processor_time ? nullptr : waited_s),
        start_s_(now_s()),
        limit_s_(limit_s) {}
  double elapsed_s() const { return now_s() - start_s_; }
  double remaining_s() const { return limit_s_ - elapsed_s(); }
  double limit_s() const { return limit_s_; }
  // The same clock with a limit that leaves `seconds` for what comes later.
  Stopwatch leaving(double seconds) const {
    Stopwatch shorter = *this;
    shorter.limit_s_ -= seconds;
    return shorter;
  }
  const char* of_what() const { return clock_ == CLOCK_MONOTONIC ? "" : " of processor time"; }

 private:
  double now_s() const {
    timespec now{};
    clock_gettime(clock_, &now);
    const double waited = waited_s_ == nullptr ? 0 : *waited_s_;
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - waited;
  }
  clockid_t clock_;
  const double* waited_s_;
  double start_s_;
  double limit_s_;
};

std::string format_seconds(double value);  // "0.25 s", "61 s"

}  // namespace kernel_audit::filters
