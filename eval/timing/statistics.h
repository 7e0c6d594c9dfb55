// Statistics of measured times: plain estimators and bootstrap intervals with a generator of our own,
// so equal samples give equal intervals everywhere. Pure functions; what cannot be estimated is absent.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "auditor/core/metric.h"

namespace kernel_audit::eval {

double mean(const std::vector<double>& values);                // values not empty
double median(std::vector<double> values);                     // values not empty
double quantile(std::vector<double> values, double fraction);  // linear between order statistics, not empty
double standard_deviation(const std::vector<double>& values);  // unbiased; 0 for fewer than two

// Standard deviation as outliers do not move it: 1.4826 times the median absolute deviation. Values not empty.
double robust_deviation(const std::vector<double>& values);

inline constexpr int kBootstrapReplicates = 2000;

// Percentile bootstrap. `statistic` gets the indices of one resample of `count` items, drawn with
// replacement, and returns its value; a value that is absent or not finite makes the interval absent.
std::optional<Interval> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    double level = 0.95, int replicates = kBootstrapReplicates);

// The raw windows of one measured round: wall time of each party, in nanoseconds.
struct Round {
  double candidate_ns = 0;
  double baseline_ns = 0;
  double null_ns = 0;
};

// Distribution-free interval of a median: the order statistics whose binomial coverage reaches `level`, or the
// smallest and the largest value when none does. Values not empty.
Interval median_interval(std::vector<double> values, double level);

struct Estimate {
  double value = 0;
  Interval interval;
};

// Proven time per call, (W − mean(null)) / K, as the mean over the windows with its bootstrap interval
// (windows and null windows resampled apart). Absent for fewer than three windows or null windows.
std::optional<Estimate> proven_time(const std::vector<double>& wall_ns, const std::vector<double>& null_ns, int calls);

// Ratio of proven times baseline / candidate: median of the ratios of paired rounds, less the median null window,
// the interval at kSpeedupLevel: the wider of resampling whole rounds and of order statistics, which need no
// assumption about the noise. Medians, because one stall of the machine outweighs all else in a mean.
// `solo_ns`: windows of the baseline alone, with their null windows; when the baseline was faster alone, its median
// there counts, and so does the null worker's when it was. A candidate's window counts at least as the spread of
// the null worker's, so a ratio is bounded by what the clock can tell. Absent, with `why` set, for fewer than
// kMinimumRounds rounds or when the baseline's windows cannot be told from empty ones.
std::optional<Estimate> paired_speedup(const std::vector<Round>& rounds, const std::vector<double>& solo_ns,
                                       const std::vector<double>& solo_null_ns, std::string* why);

inline constexpr std::size_t kMinimumRounds = 8;  // fewer give no interval for a median at kSpeedupLevel
inline constexpr double kSpeedupLevel = 0.99;

}  // namespace kernel_audit::eval
