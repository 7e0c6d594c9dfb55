#include <ATen/ATen.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "auditor/process/device_turns.h"
#include "filters/probes/accelerated.h"
#include "filters/probes/cost.h"
#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

// Fastest of several: a peak is what the device can do when nothing disturbs it.
template <typename Work>
double fastest_seconds(const std::string& device, int repeats, Work work) {
  double best = 0;
  for (int i = 0; i <= repeats; ++i) {  // the first is a warm-up
    const auto start = std::chrono::steady_clock::now();
    work();
    if (device == "cuda") at::detail::getCUDAHooks().deviceSynchronize(0);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i > 0 && (best == 0 || seconds < best)) best = seconds;
  }
  return best;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "cpu";
}

}  // namespace

DevicePeaks measure_peaks(const std::string& device, process::DeviceTurns& turns) {
  DevicePeaks peaks;
  peaks.device = device == "cpu" ? processor_name() : device_name();
  const process::DeviceTurns::Alone alone(turns);
  if (alone.missing()) {
    peaks.missing = process::kNotAlone + *alone.missing();
    return peaks;
  }
  const Status measured = guarded([&]() -> Status {
    const c10::AutoGradMode no_grad(false);
    const auto options = at::TensorOptions().device(at::Device(device)).dtype(at::kFloat);
    // On the CPU small enough to be quick, on an accelerator large enough to fill it.
    const std::int64_t size = device == "cpu" ? 1024 : 8192;
    {
      const at::Tensor a = at::ones({size, size}, options), b = at::ones({size, size}, options);
      at::Tensor c = at::empty({size, size}, options);
      const double n = static_cast<double>(size);
      peaks.matmul_flops_per_s = 2 * n * n * n / fastest_seconds(device, 3, [&] { at::mm_out(c, a, b); });
    }
    const std::int64_t elements = (device == "cpu" ? std::int64_t{1} << 25 : std::int64_t{1} << 28);
    const at::Tensor from = at::ones({elements}, options);
    at::Tensor to = at::empty({elements}, options);
    peaks.copy_bytes_per_s =
        2 * 4.0 * static_cast<double>(elements) / fastest_seconds(device, 3, [&] { to.copy_(from); });
    return Ok{};
  });
  if (!measured) peaks.missing = measured.error().describe();
  return peaks;
}

}  // namespace kernel_audit::filters
