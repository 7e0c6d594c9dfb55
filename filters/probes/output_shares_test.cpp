#include "filters/probes/output_shares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kernel_audit::filters {
namespace {

Values of(const std::vector<float>& data) {
  return {Values::Kind::kFloat, data.data(), {static_cast<std::int64_t>(data.size())}};
}

TEST(OutputShares, AreTheSmallestOverTheSeeds) {
  const std::vector<float> first = {0, 0, 0, 8}, second = {0, 0.005f, 1, 8}, third = {0, 0, 1, 8};
  OutputShares shares(0.01);
  const Values a = of(first), b = of(second), c = of(third);
  shares.add(a, nullptr);
  EXPECT_TRUE(shares.finish()["near_previous"].is_null());
  shares.add(b, &a);
  shares.add(c, &b);
  const Json result = shares.finish();
  EXPECT_EQ(result["elements"], 4);
  EXPECT_EQ(result["near_zero"], 0.5);
  EXPECT_EQ(result["near_mean"], 0.0);
  EXPECT_EQ(result["near_previous"], 0.75);
}

TEST(OutputShares, TheLimitItselfIsNotNear) {
  const std::vector<float> data = {0.01f, -0.01f, 0.0099f, 0.02f};
  OutputShares shares(0.01);
  shares.add(of(data), nullptr);
  EXPECT_EQ(shares.finish()["near_zero"], 0.25);
}

TEST(OutputShares, WhatIsNotFiniteIsNearNothing) {
  const std::vector<float> data = {NAN, INFINITY, 0, 0};
  OutputShares shares(0.01);
  shares.add(of(data), nullptr);
  EXPECT_EQ(shares.finish()["near_zero"], 0.5);
  EXPECT_EQ(shares.finish()["near_mean"], 0.0);
}

TEST(OutputShares, NothingOfNothing) {
  OutputShares shares(0.01);
  shares.add({Values::Kind::kFloat, nullptr, {0}}, nullptr);
  EXPECT_TRUE(shares.finish()["near_zero"].is_null());
}

}  // namespace
}  // namespace kernel_audit::filters
