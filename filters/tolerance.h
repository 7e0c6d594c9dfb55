// The tolerance by which a benchmark accepts an answer, and its form. KernelBench compares
// allclose(expected, answer): |expected - answer| <= atol + rtol * |answer|, so the relative part is
// taken from the answer, not from the expected value.
#pragma once

#include <string>

#include "auditor/core/result.h"

namespace kernel_audit::filters {

struct Tolerance {
  double atol = 0;
  double rtol = 0;
};

// `compat`: "kernelbench" (1e-4 for fp32, 1e-2 for fp16 and bf16), "kernelbench-v0" (always 1e-2) or
// "robust-kbench" (always 1e-5).
// `dtype`: torch's name of the output's type without "torch.", "float32"; integers compare as fp32.
Result<Tolerance> benchmark_tolerance(const std::string& compat, const std::string& dtype);

}  // namespace kernel_audit::filters
