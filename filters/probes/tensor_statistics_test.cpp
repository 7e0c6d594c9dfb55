// The accelerator's statistics against the host's, on the same values.
#include "filters/probes/tensor_statistics.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "filters/probes/session.h"

namespace kernel_audit::filters {
namespace {

void expect_close(const std::optional<double>& a, const std::optional<double>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (a) {
    EXPECT_NEAR(*a, *b, 1e-9 * (1 + std::abs(*b)));
  }
}

std::vector<at::Tensor> cases() {
  at::manual_seed(5);
  std::vector<at::Tensor> all = {
      at::randn({}),         at::randn({7}),    at::randn({3, 1, 5}),  at::randn({4, 6, 2, 3}),
      at::randn({64, 1000}), at::empty({0, 3}), at::full({5, 4}, 3e7), at::randn({2, 9}).to(at::kDouble)};
  all.push_back(at::randn({6, 5}) + 1e6);  // much in common, little spread
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    all.push_back(at::randn({4, 5}));
    all.back()[2][3] = odd;
  }
  return all;
}

TEST(TensorStatistics, TorchAndTheHostsLoopsFindTheSameRange) {
  for (const at::Tensor& values : cases()) {
    const Range host = range_of(view_of(values)), torch = in_torch::range_of(values);
    EXPECT_EQ(host.finite, torch.finite);
    EXPECT_EQ(host.nan, torch.nan);
    EXPECT_EQ(host.infinite, torch.infinite);
    expect_close(host.sum, torch.sum);
    expect_close(host.sum_absolute, torch.sum_absolute);
    if (host.finite == 0) continue;
    EXPECT_EQ(host.minimum, torch.minimum);
    EXPECT_EQ(host.maximum, torch.maximum);
  }
}

TEST(TensorStatistics, TorchAndTheHostsLoopsFindTheSameSpreadAlongEachAxis) {
  for (const at::Tensor& values : cases()) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(values.dim()); ++axis) {
      expect_close(axis_spread(view_of(values), axis), in_torch::axis_spread(values, axis));
    }
  }
}

TEST(TensorStatistics, TorchAndTheHostsLoopsCountTheSameShares) {
  for (const at::Tensor& values : cases()) {
    OutputShares host(0.5), torch(0.5);
    const at::Tensor before = values + 0.4 * at::randn_like(values);
    add_shares(host, before, nullptr);
    in_torch::add_shares(torch, before, nullptr);
    EXPECT_EQ(host.finish(), torch.finish());
    add_shares(host, values, &before);
    in_torch::add_shares(torch, values, &before);
    EXPECT_EQ(host.finish(), torch.finish());
  }
}

TEST(TensorStatistics, TorchAndTheHostsLoopsFindTheSameSpreadOverSeeds) {
  MemoryBudget budget(0);
  for (const at::Tensor& values : cases()) {
    TensorSpread host(values, budget, false), torch(values, budget, true);
    for (int seed = 0; seed < 4; ++seed) {
      const at::Tensor drawn = seed == 0 ? values : at::randn_like(values) + values;
      for (TensorSpread* spread : {&host, &torch}) spread->add(drawn);
      const SeedSpread::Result a = host.finish(), b = torch.finish();
      EXPECT_EQ(a.undefined, b.undefined);
      expect_close(a.max, b.max);
      expect_close(a.mean, b.mean);
    }
  }
}

}  // namespace
}  // namespace kernel_audit::filters
