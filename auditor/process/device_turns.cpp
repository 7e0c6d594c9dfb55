#include "auditor/process/device_turns.h"

#include <chrono>

namespace kernel_audit::process {
namespace {

// Longer than anyone holds the device: its supervisor would have ended it.
constexpr std::chrono::minutes kPatience{10};

}  // namespace

void DeviceTurns::open(const std::string& device) {
  auto lock = DeviceLock::open(device);
  if (lock) {
    lock_.emplace(std::move(*lock));
  } else {
    missing_ = lock.error().describe();
  }
}

template <typename Take>
bool DeviceTurns::wait_for(Take take) {
  const auto start = std::chrono::steady_clock::now();
  bool told = false;
  const bool taken = take(kPatience, [&] {
    told = true;
    if (tell_) tell_({{"kind", "waiting"}});
  });
  waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (told && tell_) tell_({{"kind", "going-on"}});
  return taken;
}

void DeviceTurns::work() {
  if (!lock_ || is_alone()) return;
  // After kPatience the work is done all the same: whoever is alone that long is stopped, not computing.
  wait_for([&](auto limit, const auto& on_wait) { return lock_->share(limit, on_wait); });
}

void DeviceTurns::rest() {
  if (lock_ && !is_alone()) lock_->give_back();
}

DeviceTurns::Alone::Alone(DeviceTurns& turns)
    : turns_(turns), worked_(turns.lock_ && turns.lock_->held() != DeviceLock::Held::kNothing) {
  if (!turns.lock_) {
    missing_ = turns.missing_;
  } else if (!turns.wait_for([&](auto limit, const auto& wait) { return turns.lock_->take_alone(limit, wait); })) {
    missing_ = "other processes did not leave the device alone for ten minutes";
  }
}

DeviceTurns::Alone::~Alone() {
  if (!turns_.lock_) return;
  turns_.lock_->give_back();
  if (worked_) turns_.work();
}

}  // namespace kernel_audit::process
