#include "eval/check/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "eval/timing/random.h"

namespace kernel_audit::eval {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr Tolerance kTolerance = {1e-4, 1e-4};

Comparison floats(const std::vector<float>& actual, const std::vector<float>& expected, std::uint64_t poison = 0) {
  return compare(actual.data(), expected.data(), actual.size() * sizeof(float), Scalar::kFloat32, kTolerance, poison);
}

TEST(Compare, AllcloseFormWithBothTerms) {
  EXPECT_TRUE(floats({1.0f, 1000.0f}, {1.0001f, 1000.09f}).accepted());
  EXPECT_FALSE(floats({0.0002f}, {0.0f}).accepted());
  EXPECT_TRUE(floats({0.00009f}, {0.0f}).accepted());
  const Comparison result = floats({1.0f, 3.0f}, {1.0f, 2.0f});
  EXPECT_EQ(result.mismatched, 1);
  EXPECT_DOUBLE_EQ(result.max_abs_error, 1);
  EXPECT_DOUBLE_EQ(result.max_rel_error, 0.5);
}

TEST(Compare, NaNAndInfinityOnlyWhereExpected) {
  EXPECT_TRUE(floats({kNaN, kInfinity, -kInfinity}, {kNaN, kInfinity, -kInfinity}).accepted());
  EXPECT_FALSE(floats({kNaN}, {1.0f}).accepted());
  EXPECT_FALSE(floats({1.0f}, {kNaN}).accepted());
  EXPECT_FALSE(floats({kInfinity}, {-kInfinity}).accepted());
  EXPECT_FALSE(floats({1e30f}, {kInfinity}).accepted());
  EXPECT_EQ(floats({kNaN}, {1.0f}).max_abs_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(floats({kNaN, 1.0f}, {kNaN, 1.0f}).nan_count, 1);
}

TEST(Compare, LargeIntegersAreExact) {
  const std::int64_t a = (std::int64_t{1} << 60) + 1, b = std::int64_t{1} << 60;
  EXPECT_FALSE(compare(&a, &b, 8, Scalar::kInt64, Tolerance{1, 1}, 0).accepted());
  EXPECT_TRUE(compare(&a, &a, 8, Scalar::kInt64, Tolerance{0, 0}, 0).accepted());
}

TEST(Compare, HalvesAreReadAsNumbers) {
  const std::uint16_t half[] = {0x3c00, 0xc000, 0x0001, 0x7c00, 0x3555};  // 1, -2, 2^-24, inf, 0.33325
  const double exact[] = {1, -2, std::ldexp(1, -24), std::numeric_limits<double>::infinity(), 0.333251953125};
  EXPECT_EQ(oracle_error(half, exact, 5, Scalar::kFloat16).max, 0);
  const std::uint16_t brain[] = {0x3f80, 0xc000, 0x7f80};
  const double exact_brain[] = {1, -2, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(oracle_error(brain, exact_brain, 3, Scalar::kBFloat16).max, 0);
}

TEST(Compare, PoisonOfEveryTypeIsFoundAgainAndNeverAccepted) {
  Random random(3);
  for (const Scalar scalar : {Scalar::kFloat32, Scalar::kFloat64, Scalar::kFloat16, Scalar::kBFloat16, Scalar::kInt8,
                              Scalar::kUint8, Scalar::kBool, Scalar::kInt16, Scalar::kInt32, Scalar::kInt64}) {
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t poison = poison_word(scalar, random.next());
      std::vector<std::uint64_t> actual(32, poison), expected(32, 0);
      const Comparison result = compare(actual.data(), expected.data(), 256, scalar, kTolerance, poison);
      EXPECT_EQ(result.mismatched, result.elements);
      EXPECT_EQ(result.unwritten, result.elements);
      EXPECT_TRUE(result.holds_poison(scalar));
      EXPECT_FALSE(compare(expected.data(), expected.data(), 256, scalar, kTolerance, poison).holds_poison(scalar));
      if (is_floating(scalar)) {
        EXPECT_EQ(result.nan_count, result.elements);
      }
    }
  }
}

TEST(Compare, OneUnwrittenElementIsEnoughInAWideType) {
  const std::uint64_t poison = poison_word(Scalar::kFloat32, 12345);
  std::vector<float> actual(1000, 1.0f), expected(1000, 1.0f);
  std::memcpy(&actual[777], &poison, 4);
  const Comparison result = floats(actual, expected, poison);
  EXPECT_EQ(result.unwritten, 1);
  EXPECT_TRUE(result.holds_poison(Scalar::kFloat32));
}

TEST(Compare, ABenchmarksToleranceByDtype) {
  EXPECT_EQ(benchmark_tolerance("kernelbench", Scalar::kFloat32)->atol, 1e-4);
  EXPECT_EQ(benchmark_tolerance("kernelbench", Scalar::kBFloat16)->rtol, 1e-2);
  EXPECT_EQ(benchmark_tolerance("kernelbench-v0", Scalar::kFloat32)->rtol, 1e-2);
  EXPECT_EQ(benchmark_tolerance("kernelbench", Scalar::kInt64)->atol, 0);
  EXPECT_FALSE(benchmark_tolerance("other", Scalar::kFloat32).ok());
}

TEST(Compare, AsAccurateAsTheReferenceUpToScatter) {
  EXPECT_TRUE(as_accurate({1e-6, 5e-6}, {1e-6, 4e-6}));
  EXPECT_FALSE(as_accurate({1e-3, 5e-3}, {1e-6, 4e-6}));
  EXPECT_FALSE(as_accurate({1e-6, std::numeric_limits<double>::infinity()}, {1e-6, 1e-6}));
  EXPECT_TRUE(as_accurate({0, 0}, {0, 0}));
}

}  // namespace
}  // namespace kernel_audit::eval
