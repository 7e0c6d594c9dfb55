#include "filters/probes/seed_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "filters/presets.h"

namespace kernel_audit::filters {
namespace {

bool is_near(const std::optional<double>& value, double limit) {
  return value && limit > 0 && *value >= limit / kNearFactor && *value <= limit * kNearFactor;
}

}  // namespace

std::optional<std::string> near_threshold(const OutputStatistics& output, const Tolerance& tolerance,
                                          const Policy& policy) {
  const double scale = output.mean_absolute.value_or(0);
  const double allowed = tolerance.atol + tolerance.rtol * scale;
  std::optional<double> largest;
  if (output.minimum && output.maximum) largest = std::max(std::abs(*output.minimum), std::abs(*output.maximum));
  std::optional<double> flattest;
  for (std::size_t axis = 1; axis < output.axis_std_max.size(); ++axis) {
    const auto& value = output.axis_std_max[axis];
    if (value && (!flattest || *value < *flattest)) flattest = value;
  }
  struct Line {
    const char* id;
    const std::optional<double>& value;
    double unit;
  };
  const std::array lines = {
      Line{"filters.output-range.drop_atol", largest, tolerance.atol},
      Line{"filters.output-range.review_atol", largest, tolerance.atol},
      Line{"filters.output-range.review_mean_atol", output.mean_absolute, tolerance.atol},
      Line{"filters.seed-std.drop_tolerance", output.seed_std_max, allowed},
      Line{"filters.seed-std.review_tolerance", output.seed_std_max, allowed},
      Line{"filters.seed-std.review_relative", output.seed_std_max, scale},
      Line{"filters.axis-uniformity.drop_tolerance", flattest, allowed},
      Line{"filters.axis-uniformity.review_relative", flattest, scale},
  };
  for (const Line& line : lines) {
    const auto limit = threshold(policy, line.id);
    if (limit && is_near(line.value, *limit * line.unit)) return std::string(line.id) + " of " + output.name;
  }
  return std::nullopt;
}

std::optional<std::string> below_dropping_line(const OutputStatistics& output, const Tolerance& tolerance,
                                               const Policy& policy) {
  const double allowed = tolerance.atol + tolerance.rtol * output.mean_absolute.value_or(0);
  const auto range = threshold(policy, "filters.output-range.drop_atol");
  if (range && output.minimum && output.maximum &&
      std::max(std::abs(*output.minimum), std::abs(*output.maximum)) <= *range * tolerance.atol) {
    return "the range of " + output.name;
  }
  const auto spread = threshold(policy, "filters.seed-std.drop_tolerance");
  if (spread && output.seed_std_max && *output.seed_std_max <= *spread * allowed) {
    return "the spread over seeds of " + output.name;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::filters
