#include "eval/referee/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "eval/protocol.h"

namespace kernel_audit::eval {
namespace {

TEST(Layout, BlocksAreAlignedDisjointAndInside) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t i = 0; i <= random.below(5); ++i) sizes.push_back(random.below(10000));
    const int calls = 1 + static_cast<int>(random.below(20));
    const std::uint64_t arena = arena_bytes(sizes, calls);
    const auto offsets = draw_offsets(sizes, calls, arena, random);
    ASSERT_EQ(offsets.size(), sizes.size() * static_cast<std::size_t>(calls));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      EXPECT_EQ(offsets[i] % kArenaAlignment, 0u);
      blocks.emplace_back(offsets[i], offsets[i] + std::max<std::uint64_t>(sizes[i % sizes.size()], 1));
    }
    std::sort(blocks.begin(), blocks.end());
    for (std::size_t i = 1; i < blocks.size(); ++i) EXPECT_LE(blocks[i - 1].second, blocks[i].first);
    EXPECT_LE(blocks.back().second, arena);
  }
}

TEST(Layout, AddressesVaryAndCallsAreNotInOrder) {
  Random random(2);
  const std::vector<std::uint64_t> sizes = {4096, 4096};
  std::set<std::uint64_t> first;
  bool ordered = true;
  for (int i = 0; i < 50; ++i) {
    const auto offsets = draw_offsets(sizes, 4, arena_bytes(sizes, 4), random);
    first.insert(offsets[0]);
    ordered = ordered && std::is_sorted(offsets.begin(), offsets.end());
  }
  EXPECT_GT(first.size(), 45u);
  EXPECT_FALSE(ordered);
}

}  // namespace
}  // namespace kernel_audit::eval
