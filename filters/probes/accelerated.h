// What only torch's Python side offers: the model under torch.compile or as a CUDA graph, and facts of the device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/worker/python_module.h"

namespace kernel_audit::process {
class DeviceTurns;  // auditor/process/device_turns.h
}

namespace kernel_audit::filters {

// Median milliseconds of one forward pass of `model` (a Python object, from ModulePaths::model()). `kind`: "compile"
// or "graph". Compiling takes from seconds to minutes and cannot be interrupted;
// the device is had alone for the timed passes only.
Result<double> time_accelerated(const std::string& kind, const std::shared_ptr<void>& model,
                                const std::vector<worker::Argument>& inputs, process::DeviceTurns& turns);

// While it lives, what Python code makes without naming a device is made on this one.
class DefaultDevice {
 public:
  explicit DefaultDevice(const std::string& device);
  ~DefaultDevice();
  DefaultDevice(const DefaultDevice&) = delete;
  DefaultDevice& operator=(const DefaultDevice&) = delete;

 private:
  std::shared_ptr<void> context_;  // a Python object
};

std::string device_name();                         // of CUDA device 0
std::optional<std::uint64_t> peak_device_bytes();  // of torch's allocator since the process started

}  // namespace kernel_audit::filters
