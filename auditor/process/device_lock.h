// An advisory lock per device, between processes that know nothing of each other: those that work there share it,
// one that takes times has it alone. Two files of flock(2) in the folder for temporary files: whoever wants the device
// alone first holds the gate, through which every newcomer must pass, so that those who share cannot keep it waiting.
// A process that dies holds nothing any more. Nobody is forced: other programs on the device are not seen.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "auditor/core/result.h"
#include "auditor/process/fd.h"

namespace kernel_audit::process {

class DeviceLock {
 public:
  // `device` names it among all processes of this machine ("GPU-…", "cpu").
  static Result<DeviceLock> open(const std::string& device, const std::string& folder = "");
  // The files of `device`, for messages and tests.
  static std::string path_of(const std::string& device, const std::string& folder = "");

  // What is held is given back first. False after `limit`: nothing is held. `on_wait` is called once, when the wait
  // turns out to be one.
  bool share(std::chrono::milliseconds limit, const std::function<void()>& on_wait = {});
  bool take_alone(std::chrono::milliseconds limit, const std::function<void()>& on_wait = {});
  void give_back();

  enum class Held { kNothing, kShared, kAlone };
  Held held() const { return held_; }

 private:
  DeviceLock(Fd gate, Fd device) : gate_(std::move(gate)), device_(std::move(device)) {}
  bool take(int operation, std::chrono::milliseconds limit, const std::function<void()>& on_wait);

  Fd gate_, device_;
  Held held_ = Held::kNothing;
};

}  // namespace kernel_audit::process
