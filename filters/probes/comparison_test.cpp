#include "filters/probes/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kernel_audit::filters {
namespace {

Values view(const std::vector<float>& values) {
  return {Values::Kind::kFloat, values.data(), {static_cast<std::int64_t>(values.size())}};
}

Range range(double minimum, double maximum) {
  Range result;
  result.finite = 2;
  result.minimum = minimum;
  result.maximum = maximum;
  return result;
}

const Tolerance kTight = {1e-4, 1e-4};

TEST(Compare, RelativePartIsTakenFromTheAnswer) {
  const Tolerance tolerance = {0.0, 0.5};
  EXPECT_EQ(compare(view({1.4f}), view({1.0f}), tolerance).rejected, 0);  // 0.4 <= 0.5 * 1
  EXPECT_EQ(compare(view({1.0f}), view({0.6f}), tolerance).rejected, 1);  // 0.4 >  0.5 * 0.6
}

TEST(Compare, CountsAndMeasures) {
  const Comparison result = compare(view({1, 2, 3}), view({1, 2.5f, 2}), kTight);
  EXPECT_EQ(result.rejected, 2);
  EXPECT_EQ(result.max_difference, 1.0);
}

TEST(Compare, NotFinite) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(compare(view({nan}), view({nan}), kTight).rejected, 1);
  EXPECT_EQ(compare(view({nan}), view({nan}), kTight).finiteness_changed, 0);
  EXPECT_EQ(compare(view({inf}), view({inf}), kTight).rejected, 0);
  EXPECT_EQ(compare(view({inf}), view({-inf}), kTight).rejected, 1);
  EXPECT_EQ(compare(view({inf}), view({1}), kTight).finiteness_changed, 1);
  EXPECT_EQ(compare(view({1}), view({nan}), kTight).rejected, 1);
}

TEST(Compare, SpansBlocks) {
  std::vector<float> a(2 * kBlockElements + 3, 1.0f), b = a;
  b[kBlockElements] = 2;
  b.back() = 4;
  const Comparison result = compare(view(a), view(b), kTight);
  EXPECT_EQ(result.rejected, 2);
  EXPECT_EQ(result.max_difference, 3.0);
}

// Every answer of accepted_constant() must be accepted, and where it gives none a fine grid finds none.
TEST(AcceptedConstant, AgreesWithAGrid) {
  const Tolerance tolerance = {0.01, 0.1};
  for (int i = -16; i <= 16; ++i) {
    const double low = 0.0625 * i;
    for (double width : {0.0, 0.01, 0.03, 0.1, 0.15, 0.2, 0.4}) {
      const Range values = range(low, low + width);
      const auto constant = accepted_constant(values, tolerance);
      bool grid = false;
      for (int j = -1600; j <= 1600; ++j) grid = grid || accepts_constant(values, 0.001 * j, tolerance);
      if (constant) {
        EXPECT_TRUE(accepts_constant(values, *constant, {tolerance.atol + 1e-12, tolerance.rtol}))
            << low << " " << width;
      } else {
        EXPECT_FALSE(grid) << low << " " << width;
      }
    }
  }
}

TEST(AcceptedConstant, NeedsFiniteValues) {
  Range values = range(1, 1);
  EXPECT_EQ(accepted_constant(values, kTight), 1.0);
  values.nan = 1;
  EXPECT_FALSE(accepted_constant(values, kTight).has_value());
  EXPECT_FALSE(accepts_constant(values, 1.0, kTight));
}

TEST(AcceptedConstant, ErrorIsToTheFartherEnd) { EXPECT_EQ(constant_error(range(-1, 3), 0), 3.0); }

}  // namespace
}  // namespace kernel_audit::filters
