#include "eval/referee/layout.h"

#include <algorithm>
#include <numeric>

#include "eval/protocol.h"

namespace kernel_audit::eval {
namespace {

constexpr std::uint64_t kAlignment = kArenaAlignment;
constexpr std::uint64_t kLeastSlack = std::uint64_t{1} << 20, kMostSlack = std::uint64_t{1} << 28;

std::uint64_t aligned(std::uint64_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t used_bytes(const std::vector<std::uint64_t>& tensor_bytes, int calls) {
  std::uint64_t total = 0;
  for (const std::uint64_t bytes : tensor_bytes) total += aligned(bytes);
  return total * static_cast<std::uint64_t>(calls);
}

}  // namespace

std::uint64_t arena_bytes(const std::vector<std::uint64_t>& tensor_bytes, int calls) {
  const std::uint64_t used = used_bytes(tensor_bytes, calls);
  return used + std::clamp(used / 4, kLeastSlack, kMostSlack);
}

std::vector<std::uint64_t> draw_offsets(const std::vector<std::uint64_t>& tensor_bytes, int calls, std::uint64_t arena,
                                        Random& random) {
  const std::size_t count = tensor_bytes.size() * static_cast<std::size_t>(calls);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  // The slack before each block: sorted random cuts of all the slack there is.
  const std::uint64_t slack = (arena - used_bytes(tensor_bytes, calls)) / kAlignment;
  std::vector<std::uint64_t> cuts(count);
  for (std::uint64_t& cut : cuts) cut = random.below(slack + 1);
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::uint64_t> offsets(count);
  std::uint64_t filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    offsets[order[i]] = filled + cuts[i] * kAlignment;
    filled += aligned(tensor_bytes[order[i] % tensor_bytes.size()]);
  }
  return offsets;
}

}  // namespace kernel_audit::eval
