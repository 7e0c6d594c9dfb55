#include "eval/timing/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "eval/timing/random.h"

namespace kernel_audit::eval {
namespace {

double brute_force_quantile(std::vector<double> values, double fraction) {
  // Smallest value v of the piecewise linear inverse of the empirical distribution, found by scanning.
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double left = static_cast<double>(i) / static_cast<double>(values.size() - 1);
    const double right = static_cast<double>(i + 1) / static_cast<double>(values.size() - 1);
    if (fraction <= right) return values[i] + (values[i + 1] - values[i]) * (fraction - left) / (right - left);
  }
  return values.back();
}

TEST(Statistics, QuantilesAgreeWithAScan) {
  Random random(1);
  for (std::size_t size = 1; size < 40; ++size) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i) values.push_back(random.uniform());
    for (const double fraction : {0.0, 0.025, 0.5, 0.9, 1.0}) {
      EXPECT_NEAR(quantile(values, fraction), brute_force_quantile(values, fraction), 1e-12) << size << " " << fraction;
    }
  }
}

TEST(Statistics, MeanAndDeviationOfKnownNumbers) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 3, 6}), 3);
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_NEAR(standard_deviation({2, 4, 4, 4, 5, 5, 7, 9}), std::sqrt(32.0 / 7), 1e-12);
  EXPECT_EQ(standard_deviation({3}), 0);
}

TEST(Statistics, GeneratorIsFixed) {
  Random random(42);
  const std::uint64_t first = random.next();
  EXPECT_EQ(Random(42).next(), first);
  EXPECT_NE(Random(43).next(), first);
  // Every residue of a small bound is about equally often.
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

// All n^n resamples of a small set, weighted equally: the exact bootstrap distribution.
std::vector<double> exact_bootstrap_means(const std::vector<double>& values) {
  std::vector<double> means;
  const std::size_t n = values.size();
  std::size_t total = 1;
  for (std::size_t i = 0; i < n; ++i) total *= n;
  for (std::size_t code = 0; code < total; ++code) {
    double sum = 0;
    for (std::size_t i = 0, rest = code; i < n; ++i, rest /= n) sum += values[rest % n];
    means.push_back(sum / static_cast<double>(n));
  }
  return means;
}

TEST(Statistics, BootstrapAgreesWithEnumerationOfAllResamples) {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  const auto exact = exact_bootstrap_means(values);
  const auto interval = bootstrap_interval(
      values.size(),
      [&](const std::vector<std::size_t>& indices) {
        double sum = 0;
        for (const std::size_t index : indices) sum += values[index];
        return std::optional<double>(sum / static_cast<double>(indices.size()));
      },
      0.95, 40000);
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, quantile(exact, 0.025), 0.25);
  EXPECT_NEAR(interval->high, quantile(exact, 0.975), 0.25);
}

TEST(Statistics, ProvenTimeSubtractsTheNullWorker) {
  const std::vector<double> null_ns = {300, 310, 305, 295, 290};
  const std::vector<double> wall_ns = {1300, 1310, 1290, 1305, 1295};
  const auto estimate = proven_time(wall_ns, null_ns, 10);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, 100, 1e-9);
  EXPECT_LT(estimate->interval.low, 100);
  EXPECT_GT(estimate->interval.high, 100);
  EXPECT_FALSE(proven_time({1, 2}, null_ns, 1).has_value());
  EXPECT_FALSE(proven_time(wall_ns, {1, 2}, 1).has_value());
}

std::vector<Round> rounds_of(double candidate, double baseline, double null, double noise, std::uint64_t seed,
                             int count) {
  Random random(seed);
  std::vector<Round> rounds;
  const auto draw = [&](double center) { return null + center + noise * (random.uniform() - 0.5); };
  for (int i = 0; i < count; ++i) rounds.push_back({draw(candidate), draw(baseline), draw(0)});
  return rounds;
}

TEST(Statistics, PairedSpeedupCoversTheTruth) {
  int covered = 0;
  const int trials = 200;
  for (int seed = 0; seed < trials; ++seed) {
    std::string why;
    const auto estimate =
        paired_speedup(rounds_of(1000, 2000, 300, 200, static_cast<std::uint64_t>(seed), 12), {}, {}, &why);
    ASSERT_TRUE(estimate.has_value()) << why;
    covered += estimate->interval.low <= 2 && 2 <= estimate->interval.high;
  }
  EXPECT_GE(covered, trials * 97 / 100);
}

TEST(Statistics, PairedSpeedupCancelsDriftThatBothSidesShare) {
  std::vector<Round> rounds;
  for (int i = 0; i < 10; ++i) {
    const double clock = 1 + 0.1 * i;  // the machine slows down over the rounds
    rounds.push_back({1000 * clock, 3000 * clock, 0});
  }
  std::string why;
  const auto estimate = paired_speedup(rounds, {}, {}, &why);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, 3, 1e-9);
  EXPECT_NEAR(estimate->interval.high - estimate->interval.low, 0, 1e-9);
}

TEST(Statistics, TheFasterBaselineCounts) {
  const auto rounds = rounds_of(1000, 2000, 300, 1, 5, 10);
  std::string why;
  const auto slower_beside =
      paired_speedup(rounds, std::vector<double>(6, 300 + 1000), std::vector<double>(6, 300), &why);
  ASSERT_TRUE(slower_beside.has_value());
  EXPECT_NEAR(slower_beside->value, 1, 0.01);
  const auto faster_beside =
      paired_speedup(rounds, std::vector<double>(6, 300 + 4000), std::vector<double>(6, 300), &why);
  ASSERT_TRUE(faster_beside.has_value());
  EXPECT_NEAR(faster_beside->value, 2, 0.01);
}

TEST(Statistics, ANullWorkerSlowedDownByTheCandidateGivesNoGain) {
  auto rounds = rounds_of(900, 1000, 300, 1, 5, 10);
  for (Round& round : rounds) round.null_ns = 1000;
  std::string why;
  const auto estimate = paired_speedup(rounds, std::vector<double>(6, 1300), std::vector<double>(6, 300), &why);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, 1000.0 / 900, 0.01);
}

TEST(Statistics, ACandidateThatIsShorterThanTheClockCanTellCountsAsWhatItCanTell) {
  std::string why;
  const auto estimate = paired_speedup(rounds_of(0, 20000, 300, 200, 1, 20), {}, {}, &why);
  ASSERT_TRUE(estimate.has_value()) << why;
  EXPECT_TRUE(std::isfinite(estimate->interval.high));
  EXPECT_GT(estimate->interval.low, 20);
  EXPECT_LT(estimate->interval.high, 20000 / 20);
}

TEST(Statistics, MedianIntervalsAreThoseOfTheBinomialDistribution) {
  std::vector<double> values;
  for (int i = 1; i <= 8; ++i) values.push_back(i);
  EXPECT_EQ(median_interval(values, 0.99).low, 1);  // 1 − 2/256 = 99.2 %; leaving one out: 93 %
  EXPECT_EQ(median_interval(values, 0.99).high, 8);
  EXPECT_EQ(median_interval(values, 0.92).low, 2);
  for (int i = 9; i <= 20; ++i) values.push_back(i);
  EXPECT_EQ(median_interval(values, 0.95).low, 6);  // the tabulated ranks for twenty values
  EXPECT_EQ(median_interval(values, 0.95).high, 15);
  EXPECT_EQ(median_interval({3}, 0.99).low, 3);
}

TEST(Statistics, EqualSidesWithHeavyNoiseAreRarelyToldApart) {
  int apart = 0;
  const int trials = 300;
  for (int seed = 0; seed < trials; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<Round> rounds;
    const auto draw = [&](double center) { return center - 300 * std::log(1 - random.uniform()); };  // long tail
    for (int i = 0; i < 8; ++i) rounds.push_back({draw(1300), draw(1300), draw(300)});
    std::string why;
    const auto estimate = paired_speedup(rounds, {}, {}, &why);
    apart += estimate && estimate->interval.low > 1;
  }
  EXPECT_LE(apart, trials * 2 / 100);
}

TEST(Statistics, OneStallOfTheMachineDoesNotMoveTheRatio) {
  auto rounds = rounds_of(1000, 2000, 300, 20, 1, 20);
  rounds[3].null_ns = 1e6;
  rounds[7].candidate_ns = 1e6;
  rounds[11].baseline_ns = 1e6;
  std::string why;
  const auto estimate = paired_speedup(rounds, {}, {}, &why);
  ASSERT_TRUE(estimate.has_value()) << why;
  EXPECT_NEAR(estimate->value, 2, 0.05);
  EXPECT_NEAR(estimate->interval.low, 2, 0.1);
  EXPECT_NEAR(estimate->interval.high, 2, 0.1);
}

TEST(Statistics, WhatCannotBeEstimatedIsAbsentWithAReason) {
  std::string why;
  EXPECT_FALSE(paired_speedup(rounds_of(1000, 2000, 300, 1, 1, 7), {}, {}, &why).has_value());
  EXPECT_NE(why.find("rounds"), std::string::npos);
  EXPECT_FALSE(paired_speedup(rounds_of(0, 20, 300, 200, 1, 12), {}, {}, &why).has_value());
  EXPECT_NE(why.find("too short"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::eval
