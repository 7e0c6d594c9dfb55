// A limit on host memory that is known before memory is touched. While one is alive, torch's CPU allocator
// refuses a request that would exceed the limit, so a task whose inputs need many GiB ends with a number
// instead of being killed half way. What libraries allocate behind torch's back (scratch space of oneDNN) is
// not seen; the supervisor's limit on resident size stands behind this one.
// One at a time per process. Memory allocated under it may outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kernel_audit::filters {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit_bytes);  // 0: no limit, only counting
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::uint64_t live_bytes() const;
  std::optional<std::uint64_t> room_bytes() const;  // what the limit leaves; absent without one
  // Would `bytes` more fit? If not, the sentence that says so: "… needs 17179869184 bytes …".
  std::optional<std::string> refuses(std::uint64_t bytes, const std::string& what) const;
  // Accounts for memory that does not come from torch's allocator; negative when it is given back.
  void account(std::int64_t bytes);
  // The first request that the allocator refused since the last call of this, as a sentence.
  std::optional<std::string> take_refusal();
  // Was anything refused so far, here or (note_refusal) by the device?
  bool refused() const;
  void note_refusal();
};

std::uint64_t peak_resident_bytes();  // of this process

}  // namespace kernel_audit::filters
