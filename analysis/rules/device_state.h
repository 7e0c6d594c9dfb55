// Variables of the device that outlive a launch and decide whether a kernel writes anything.
#pragma once

#include <string>
#include <vector>

#include "analysis/rules/device_code.h"

namespace kernel_audit::analysis::rules {

struct DeviceGate {
  DeviceFunction kernel;
  const facts::Statement* read = nullptr;     // the load that decides
  const facts::Statement* changed = nullptr;  // where a launch moves it on
  std::string name;
};

// Kernels that ran in forward and write on one side alone of a test of a variable that launches move on (count up, or
// set whatever the data) and that nothing sets back: neither a kernel nor anything on the host names it otherwise.
std::vector<DeviceGate> device_gates(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
