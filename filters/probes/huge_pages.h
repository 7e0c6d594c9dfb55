// Asks for huge pages behind a large block that was just allocated and not yet touched. Outputs and running
// sums of several GiB are touched once or twice each, so the cost of their page faults is most of their cost.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace kernel_audit::filters {

inline void prefer_huge_pages(void* block, std::size_t bytes) {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (address + bytes) / kHugePage * kHugePage;
  // Advice only: a refusal changes nothing.
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace kernel_audit::filters
