#include "filters/probes/memory_budget.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/util/Exception.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "filters/probes/huge_pages.h"

namespace kernel_audit::filters {
namespace {

// Process-wide, because torch's allocator is: tensors may be freed by any thread at any later time.
std::atomic<std::int64_t> live{0};
std::atomic<std::uint64_t> limit{0};
std::atomic<std::uint64_t> refused_request{0};
std::atomic<std::int64_t> refused_at_live{0};
std::atomic<bool> any_refused{false};

void release(void* pointer) {
  live -= static_cast<std::int64_t>(malloc_usable_size(pointer));
  c10::free_cpu(pointer);
}

class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    const std::uint64_t most = limit;
    if (most != 0 && static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0)) + bytes > most) {
      any_refused = true;
      std::uint64_t none = 0;
      if (refused_request.compare_exchange_strong(none, bytes)) refused_at_live = live.load();
      TORCH_CHECK_WITH(OutOfMemoryError, false, "a tensor of ", bytes, " bytes beside ", live.load(),
                       " bytes in use exceeds the memory limit of ", most, " bytes");
    }
    void* const pointer = c10::alloc_cpu(bytes);
    if (pointer == nullptr) return {nullptr, nullptr, &release_nothing, c10::Device(c10::DeviceType::CPU)};
    live += static_cast<std::int64_t>(malloc_usable_size(pointer));
    prefer_huge_pages(pointer, bytes);
    return {pointer, pointer, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    std::memcpy(destination, source, bytes);
  }

 private:
  static void release_nothing(void*) {}
};

CountingAllocator counting;
c10::Allocator* previous = nullptr;

std::string describe(const std::string& what, std::uint64_t bytes, std::int64_t in_use, std::uint64_t most) {
  return what + " needs " + std::to_string(bytes) + " bytes beside " + std::to_string(in_use) +
         " bytes in use, and the memory limit is " + std::to_string(most) + " bytes";
}

}  // namespace

MemoryBudget::MemoryBudget(std::uint64_t limit_bytes) {
  limit = limit_bytes;
  refused_request = 0;
  any_refused = false;
  previous = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&counting);
}

MemoryBudget::~MemoryBudget() {
  limit = 0;
  c10::SetCPUAllocator(previous);
}

std::uint64_t MemoryBudget::live_bytes() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0)); }

std::optional<std::uint64_t> MemoryBudget::room_bytes() const {
  const std::uint64_t most = limit;
  if (most == 0) return std::nullopt;
  return most - std::min(most, live_bytes());
}

std::optional<std::string> MemoryBudget::refuses(std::uint64_t bytes, const std::string& what) const {
  if (limit == 0 || live_bytes() + bytes <= limit) return std::nullopt;
  any_refused = true;
  return describe(what, bytes, live, limit);
}

bool MemoryBudget::refused() const { return any_refused; }

void MemoryBudget::note_refusal() { any_refused = true; }

void MemoryBudget::account(std::int64_t bytes) { live += bytes; }

std::optional<std::string> MemoryBudget::take_refusal() {
  const std::uint64_t bytes = refused_request.exchange(0);
  if (bytes == 0) return std::nullopt;
  return describe("a tensor", bytes, refused_at_live, limit);
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace kernel_audit::filters
