// What outlives a launch on the device and decides what a kernel does: variables of the device, and buffers that are
// kept from call to call.
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

// Kernels that compare what they kept in a buffer with something that they read of their input, and on one side alone
// keep something new: where both are the same, what was kept has to do.
struct DeviceMemo {
  DeviceFunction kernel;
  const facts::Statement* test = nullptr;
  const facts::Statement* kept = nullptr;  // where it is renewed
};
std::vector<DeviceMemo> device_memos(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
