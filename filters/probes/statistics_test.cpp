// The streaming statistics against a plain two-pass computation on every generated shape, and the
// published definitions on small cases worked out by hand.
#include "filters/probes/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace kernel_audit::filters {
namespace {

using Shape = std::vector<std::int64_t>;

std::vector<float> random_values(std::int64_t count, unsigned seed, double offset = 0) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(static_cast<float>(offset), 1.0f);
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

Values view(const std::vector<float>& values, const Shape& shape) {
  return {Values::Kind::kFloat, values.data(), shape};
}

double two_pass(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double naive_axis_spread(const std::vector<float>& values, const Shape& shape, std::size_t axis) {
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  double largest = 0;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t j = 0; j < inner; ++j) {
      std::vector<double> slice;
      for (std::int64_t k = 0; k < shape[axis]; ++k) slice.push_back(values[(o * shape[axis] + k) * inner + j]);
      largest = std::max(largest, two_pass(slice));
    }
  }
  return largest;
}

TEST(AxisSpread, AgreesWithTwoPassesOnManyShapes) {
  const std::vector<Shape> shapes = {{7},       {2, 3},      {3, 1025},   {1025, 3},      {2, 3, 4},
                                     {5, 1, 9}, {600, 1200}, {2, 700000}, {3, 5, 2, 130}, {2, 2, 2, 2, 9}};
  for (const Shape& shape : shapes) {
    const auto values = random_values(view({}, shape).elements(), 17, 100.0);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const auto spread = axis_spread(view(values, shape), axis);
      if (shape[axis] == 1) {
        EXPECT_FALSE(spread.has_value());
        continue;
      }
      ASSERT_TRUE(spread.has_value());
      EXPECT_NEAR(*spread, naive_axis_spread(values, shape, axis), 1e-9) << shape.size() << "-d, axis " << axis;
    }
  }
}

TEST(AxisSpread, ConstantSlicesGiveExactlyZero) {
  const std::vector<float> values(12, 0.1f);
  EXPECT_EQ(axis_spread(view(values, {3, 4}), 0), 0.0);
  EXPECT_EQ(axis_spread(view(values, {3, 4}), 1), 0.0);
}

TEST(AxisSpread, OneValueThatIsNotFiniteLeavesItUndefined) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    for (std::size_t at = 0; at < 12; ++at) {
      std::vector<float> values(12, 1.0f);
      values[at] = bad;
      EXPECT_FALSE(axis_spread(view(values, {3, 4}), 0).has_value()) << at;
      EXPECT_FALSE(axis_spread(view(values, {3, 4}), 1).has_value()) << at;
    }
  }
}

TEST(SeedSpread, AgreesWithTwoPasses) {
  const std::int64_t count = 3 * kBlockElements + 5;  // several blocks, the last one partial
  SeedSpread spread(count);
  std::vector<std::vector<float>> seeds;
  for (unsigned seed = 0; seed < 5; ++seed) {
    seeds.push_back(random_values(count, seed, 1000.0));
    spread.add(view(seeds.back(), {count}));
  }
  double largest = 0, sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<double> element;
    for (const auto& values : seeds) element.push_back(values[i]);
    const double deviation = two_pass(element);
    largest = std::max(largest, deviation);
    sum += deviation;
  }
  const SeedSpread::Result result = spread.finish();
  ASSERT_TRUE(result.max.has_value());
  EXPECT_NEAR(*result.max, largest, 1e-9);
  EXPECT_NEAR(*result.mean, sum / static_cast<double>(count), 1e-9);
  EXPECT_EQ(result.undefined, 0);
}

TEST(SeedSpread, CountsWhatIsUndefined) {
  SeedSpread spread(3);
  const std::vector<float> first = {1, std::nanf(""), 2}, second = {3, 1, std::numeric_limits<float>::infinity()};
  spread.add(view(first, {3}));
  EXPECT_EQ(spread.finish().undefined, 3);  // one seed has no spread
  spread.add(view(second, {3}));
  const SeedSpread::Result result = spread.finish();
  EXPECT_EQ(result.undefined, 2);
  EXPECT_NEAR(*result.max, std::sqrt(2.0), 1e-12);
}

// As the probes feed it.
class Accumulated {
 public:
  explicit Accumulated(const std::vector<std::int64_t>& shape)
      : figures_("output", "float32", shape), spread_(Values{Values::Kind::kFloat, nullptr, shape}.elements()) {}
  void add(const Values& values) {
    figures_.add(range_of(values), [&](std::size_t axis) { return axis_spread(values, axis); });
    spread_.add(values);
  }
  OutputStatistics finish() const { return figures_.finish(spread_.finish()); }

 private:
  OutputAccumulator figures_;
  SeedSpread spread_;
};

TEST(OutputAccumulator, StacksTheSeedAxisFirst) {
  Accumulated output({2, 1, 3});
  const std::vector<float> first = {1, 2, 3, 1, 2, 3}, second = {1, 2, 5, 1, 2, 5};
  output.add(view(first, {2, 1, 3}));
  output.add(view(second, {2, 1, 3}));
  const OutputStatistics statistics = output.finish();
  ASSERT_EQ(statistics.axis_std_max.size(), 4u);
  EXPECT_NEAR(*statistics.axis_std_max[0], std::sqrt(2.0), 1e-12);  // 3 against 5
  EXPECT_EQ(statistics.axis_std_max[1], 0.0);                       // both rows are equal
  EXPECT_FALSE(statistics.axis_std_max[2].has_value());             // size 1
  EXPECT_NEAR(*statistics.axis_std_max[3], two_pass({1, 2, 5}), 1e-12);
  EXPECT_EQ(statistics.minimum, 1.0);
  EXPECT_EQ(statistics.maximum, 5.0);
  EXPECT_NEAR(*statistics.mean, 28.0 / 12, 1e-12);
}

TEST(OutputAccumulator, ScalarsAndValuesThatAreNotFinite) {
  Accumulated scalar({});
  for (const float value : {2.0f, 2.5f}) scalar.add(view({value}, {}));
  EXPECT_EQ(scalar.finish().axis_std_max.size(), 1u);
  EXPECT_NEAR(*scalar.finish().seed_std_max, std::sqrt(0.125), 1e-12);

  Accumulated broken({2});
  const std::vector<float> values = {std::nanf(""), -std::numeric_limits<float>::infinity()};
  for (int seed = 0; seed < 2; ++seed) broken.add(view(values, {2}));
  const OutputStatistics statistics = broken.finish();
  EXPECT_FALSE(statistics.minimum.has_value());
  EXPECT_FALSE(statistics.seed_std_max.has_value());
  EXPECT_FALSE(statistics.axis_std_max[0].has_value());
  EXPECT_EQ(statistics.nan_count, 2);
  EXPECT_EQ(statistics.infinite_count, 2);
}

}  // namespace
}  // namespace kernel_audit::filters
