// Output of a child up to a cap: the head and the tail are kept, the middle is dropped and counted, so
// that a flood costs no memory and both the first error and the last words survive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernel_audit::process {

class CappedOutput {
 public:
  explicit CappedOutput(std::size_t cap_bytes) : half_(cap_bytes / 2) {}

  void append(std::string_view bytes) {
    const std::size_t room = half_ - head_.size();
    head_.append(bytes.substr(0, room));
    if (bytes.size() <= room) return;
    tail_.append(bytes.substr(room));
    // Trimmed only when it has doubled: the cost per byte stays constant.
    if (tail_.size() > 2 * half_) trim();
  }

  std::uint64_t dropped_bytes() {
    trim();
    return dropped_;
  }

  std::string text() {
    if (dropped_bytes() == 0) return head_ + tail_;
    return head_ + "\n[" + std::to_string(dropped_) + " bytes dropped]\n" + tail_;
  }

 private:
  void trim() {
    if (tail_.size() <= half_) return;
    dropped_ += tail_.size() - half_;
    tail_.erase(0, tail_.size() - half_);
  }

  std::size_t half_;
  std::string head_, tail_;
  std::uint64_t dropped_ = 0;
};

}  // namespace kernel_audit::process
