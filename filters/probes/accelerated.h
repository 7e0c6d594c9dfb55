// What only torch's Python side offers: the model under torch.compile or as a CUDA graph, and facts of the device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/worker/python_module.h"

namespace kernel_audit::filters {

// Median milliseconds of one forward pass of `model` (a Python object, from ModulePaths::model()). `kind`: "compile"
// or "graph". Compiling takes from seconds to minutes and cannot be interrupted.
Result<double> time_accelerated(const std::string& kind, const std::shared_ptr<void>& model,
                                const std::vector<worker::Argument>& inputs);

std::string device_name();                         // of CUDA device 0
std::optional<std::uint64_t> peak_device_bytes();  // of torch's allocator since the process started

}  // namespace kernel_audit::filters
