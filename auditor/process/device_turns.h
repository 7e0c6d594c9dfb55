// How a process of ours shares the device with others: work is done beside theirs, times are taken alone
// (device_lock.h). A new pass begins only when no one wants the device alone. Time spent waiting is nobody's fault: it
// counts against no limit, here or in the supervisor, which is told when a wait begins and ends.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "auditor/core/json.h"
#include "auditor/process/device_lock.h"

namespace kernel_audit::process {

inline const std::string kNotAlone = "the device could not be had alone: ";

class DeviceTurns {
 public:
  using Tell = std::function<void(const Json&)>;  // {"kind":"waiting"}, then {"kind":"going-on"}
  explicit DeviceTurns(Tell tell) : tell_(std::move(tell)) {}

  void open(const std::string& device);
  // Before work on the device, all earlier work being done: gives way to a process that wants it alone.
  void work();
  // No work for a while: others may have the device alone.
  void rest();

  // Has the device alone while it lives, whatever work() and rest() are called meanwhile; then as before.
  class Alone {
   public:
    explicit Alone(DeviceTurns& turns);
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    const std::optional<std::string>& missing() const { return missing_; }  // why it could not be had

   private:
    DeviceTurns& turns_;
    bool worked_;  // before
    std::optional<std::string> missing_;
  };

  // So far, in seconds; clocks subtract it.
  const double& waited_s() const { return waited_s_; }

 private:
  template <typename Take>
  bool wait_for(Take take);
  bool is_alone() const { return lock_ && lock_->held() == DeviceLock::Held::kAlone; }

  Tell tell_;
  std::optional<DeviceLock> lock_;
  std::string missing_ = "no device was named";
  double waited_s_ = 0;
};

}  // namespace kernel_audit::process
