#include "eval/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/timing/random.h"

namespace kernel_audit::eval {
namespace {

constexpr std::uint64_t kBootstrapSeed = 0x6b65726e656c2121ULL;  // fixed: the same evidence gives the same report

std::vector<double> pick(const std::vector<double>& values, Random& random) {
  std::vector<double> picked(values.size());
  for (double& value : picked) value = values[random.below(values.size())];
  return picked;
}

Interval percentile_interval(std::vector<double> replicates, double level) {
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - level) / 2;
  return Interval{quantile(replicates, tail), quantile(replicates, 1 - tail), level};
}

double median_of(const std::vector<Round>& rounds, double Round::* figure) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(round.*figure);
  return median(std::move(values));
}

// Median of the per-round ratios. A candidate's window counts at least as `floor_ns`, what the referee's clock can
// tell from an empty one; absent when the baseline's cannot be told from it either.
std::optional<double> ratio_of(const std::vector<Round>& rounds, const std::vector<double>& solo_ns,
                               const std::vector<double>& solo_null_ns, double floor_ns,
                               std::vector<double>* each = nullptr) {
  double null_ns = median_of(rounds, &Round::null_ns);
  // A candidate that slows the null worker down would be charged too little: the smaller figure counts.
  if (!solo_null_ns.empty()) null_ns = std::min(null_ns, median(solo_null_ns));
  std::vector<double> ratios, baseline;
  for (const Round& round : rounds) {
    baseline.push_back(round.baseline_ns - null_ns);
    ratios.push_back(baseline.back() / std::max(round.candidate_ns - null_ns, floor_ns));
  }
  const double interleaved = median(std::move(baseline));
  if (interleaved < 3 * floor_ns) return std::nullopt;
  double ratio = median(ratios);
  double factor = 1;
  if (!solo_ns.empty() && !solo_null_ns.empty()) {
    const double alone = median(solo_ns) - median(solo_null_ns);
    if (alone < interleaved) factor = std::max(0.0, alone / interleaved);
  }
  if (each != nullptr) {
    for (double& value : ratios) value *= factor;
    *each = std::move(ratios);
  }
  return ratio * factor;
}

double spread_of_null(const std::vector<Round>& rounds) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(round.null_ns);
  return std::max(1.0, robust_deviation(values));
}

}  // namespace

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double position = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double weight = position - static_cast<double>(below);
  return values[below] * (1 - weight) + values[above] * weight;
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double robust_deviation(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::fabs(value - center));
  return 1.4826 * median(std::move(deviations));
}

double standard_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<Interval> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    double level, int replicates) {
  if (count == 0) return std::nullopt;
  Random random(kBootstrapSeed);
  std::vector<double> values;
  std::vector<std::size_t> indices(count);
  for (int i = 0; i < replicates; ++i) {
    for (std::size_t& index : indices) index = random.below(count);
    const std::optional<double> value = statistic(indices);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    values.push_back(*value);
  }
  return percentile_interval(std::move(values), level);
}

Interval median_interval(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  // P(Binomial(n, 1/2) ≤ k), summed up until both tails together would exceed what the level leaves.
  const std::size_t count = values.size();
  double term = std::pow(0.5, static_cast<double>(count)), tail = term;
  std::size_t cut = 0;
  while (cut + 1 < count / 2) {
    term *= static_cast<double>(count - cut) / static_cast<double>(cut + 1);
    if (2 * (tail + term) > 1 - level) break;
    tail += term;
    ++cut;
  }
  return Interval{values[cut], values[count - 1 - cut], level};
}

std::optional<Estimate> proven_time(const std::vector<double>& wall_ns, const std::vector<double>& null_ns, int calls) {
  if (wall_ns.size() < 3 || null_ns.size() < 3 || calls < 1) return std::nullopt;
  Random random(kBootstrapSeed);
  std::vector<double> replicates;
  for (int i = 0; i < kBootstrapReplicates; ++i) {
    replicates.push_back((mean(pick(wall_ns, random)) - mean(pick(null_ns, random))) / calls);
  }
  return Estimate{(mean(wall_ns) - mean(null_ns)) / calls, percentile_interval(std::move(replicates), 0.95)};
}

std::optional<Estimate> paired_speedup(const std::vector<Round>& rounds, const std::vector<double>& solo_ns,
                                       const std::vector<double>& solo_null_ns, std::string* why) {
  if (rounds.size() < kMinimumRounds) {
    *why = "Only " + std::to_string(rounds.size()) + " complete rounds were measured, " +
           std::to_string(kMinimumRounds) + " are needed.";
    return std::nullopt;
  }
  const double floor_ns = spread_of_null(rounds);
  std::vector<double> ratios;
  const std::optional<double> value = ratio_of(rounds, solo_ns, solo_null_ns, floor_ns, &ratios);
  Random solo_random(kBootstrapSeed + 1);
  const auto interval = bootstrap_interval(
      rounds.size(),
      [&](const std::vector<std::size_t>& indices) {
        std::vector<Round> resample;
        for (const std::size_t index : indices) resample.push_back(rounds[index]);
        return ratio_of(resample, pick(solo_ns, solo_random), pick(solo_null_ns, solo_random), floor_ns);
      },
      kSpeedupLevel);
  if (!value || !interval) {
    *why = "The baseline's windows are too short to be told from the null worker's by the referee's clock.";
    return std::nullopt;
  }
  const Interval ordered = median_interval(std::move(ratios), kSpeedupLevel);
  return Estimate{*value,
                  {std::min(interval->low, ordered.low), std::max(interval->high, ordered.high), kSpeedupLevel}};
}

}  // namespace kernel_audit::eval
