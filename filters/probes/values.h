// Host values of one output, read-only and contiguous, as the torch-free statistics see them; and the
// loop that spreads blocks of work over threads. Blocks are fixed by size, not by the number of threads,
// and their results are combined in order, so every sum is reproducible.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace kernel_audit::filters {

struct Values {
  enum class Kind { kFloat, kDouble };
  Kind kind = Kind::kFloat;
  const void* data = nullptr;
  std::vector<std::int64_t> shape;

  std::int64_t elements() const;
};

// Calls `visit(const T* data)` with T float or double.
template <typename Visitor>
auto visit_values(const Values& values, Visitor visit) {
  if (values.kind == Values::Kind::kDouble) return visit(static_cast<const double*>(values.data));
  return visit(static_cast<const float*>(values.data));
}

// Runs `work(block)` for every block in [0, blocks), on all cores when there is enough of it.
// `cost` is the number of elements behind all blocks together. Returns when all are done.
void for_blocks(std::int64_t blocks, std::int64_t cost, const std::function<void(std::int64_t)>& work);

inline constexpr std::int64_t kBlockElements = std::int64_t{1} << 18;

}  // namespace kernel_audit::filters
