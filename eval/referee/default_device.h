// Where torch's factory functions make tensors, for as long as this object lives: a task's get_inputs then draws
// on the device at hand instead of on the host. Needs the GIL.
#pragma once

#include <string>

namespace kernel_audit::eval {

class DefaultDevice {
 public:
  explicit DefaultDevice(const std::string& device);
  ~DefaultDevice();
  DefaultDevice(const DefaultDevice&) = delete;
  DefaultDevice& operator=(const DefaultDevice&) = delete;
  bool active() const { return active_; }

 private:
  bool active_ = false;
};

}  // namespace kernel_audit::eval
