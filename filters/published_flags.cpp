#include "filters/published_flags.h"

#include <algorithm>

namespace kernel_audit::filters {
namespace {

constexpr float kLimit = 0.01f;  // compared as fp32, like the original

bool in_range(const OutputStatistics& output) {
  return output.nan_count + output.infinite_count == 0 && output.minimum && output.maximum &&
         *output.minimum > -static_cast<double>(kLimit) && *output.maximum < static_cast<double>(kLimit);
}

bool below(const std::optional<double>& spread) { return spread && *spread < static_cast<double>(kLimit); }

bool constant_over_seeds(const OutputStatistics& output) {
  return output.seed_std_undefined == 0 && below(output.seed_std_max);
}

// An axis of size 1, or one whose spread is undefined, has no number here and does not count.
bool uniform_axis(const OutputStatistics& output) {
  return std::any_of(output.axis_std_max.begin(), output.axis_std_max.end(), below);
}

}  // namespace

Json published_flags(const TaskEvidence& evidence) {
  Json flags = Json::object();
  const auto& outputs = evidence.outputs;
  if (!outputs.empty()) {
    flags["output_range"] = std::all_of(outputs.begin(), outputs.end(), in_range);
    flags["output_std"] = std::all_of(outputs.begin(), outputs.end(), constant_over_seeds);
    flags["output_axes"] = std::all_of(outputs.begin(), outputs.end(), uniform_axis);
  }
  for (const Influence& influence : evidence.influences) {
    if (influence.kind != "all-inputs") continue;
    if (influence.seed_std_max || influence.missing == kUndefinedSpread) {
      flags["input_impact"] = below(influence.seed_std_max);
    }
  }
  return flags;
}

}  // namespace kernel_audit::filters
