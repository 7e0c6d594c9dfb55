// A probe job, read and checked; and the clock that its time limit is kept by.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "filters/presets.h"

namespace kernel_audit::filters {

struct ProbeRequest {
  std::string path, name;
  std::string device, compat;
  Preset preset;
  int seeds = 5;
  int weight_seeds = 5;
  double time_limit_s = 60;
  std::uint64_t memory_limit_bytes = 0;  // 0: none
};
Result<ProbeRequest> read_probe_request(const Json& job);

class Stopwatch {
 public:
  explicit Stopwatch(double limit_s) : limit_s_(limit_s) {}
  double elapsed_s() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double remaining_s() const { return limit_s_ - elapsed_s(); }
  double limit_s() const { return limit_s_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_s_;
};

std::string format_seconds(double value);  // "0.25 s", "61 s"

}  // namespace kernel_audit::filters
