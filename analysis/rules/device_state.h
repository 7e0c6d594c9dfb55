// Numbers on the device that outlive a launch and decide whether a kernel writes anything: variables of the device, and
// buffers that are kept from call to call.
#pragma once

#include <string>
#include <vector>

#include "analysis/rules/device_code.h"

namespace kernel_audit::analysis::rules {

struct DeviceGate {
  DeviceFunction kernel;
  const facts::Statement* read = nullptr;     // what decides
  const facts::Statement* changed = nullptr;  // where a launch moves it on
  std::string name;
  bool of_weights = false;  // what the kernel reads comes of weights, and not of what forward was handed
};

// Kernels that ran in forward and write on one side alone of a test of a number that launches move on (count up, or
// set whatever the data) and that nothing sets back: neither a kernel nor anything on the host.
std::vector<DeviceGate> device_gates(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
