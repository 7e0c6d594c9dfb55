// When are more seeds worth their time? While a number that a rule compares with a threshold is near it. Knows no
// torch.
#pragma once

#include <optional>
#include <string>

#include "auditor/core/policy.h"
#include "filters/evidence.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {

// A value within this factor of its threshold, either way, is near it: five seeds give a deviation to about a third.
inline constexpr double kNearFactor = 1.5;

// Names the first threshold that a statistic of the output is near; nothing when all are far.
std::optional<std::string> near_threshold(const OutputStatistics& output, const Tolerance& tolerance,
                                          const Policy& policy);

// A task is dropped for what no seed contradicts: so many seeds are asked before that is believed, where time allows.
// An output that is zero but for one element in a thousand is zero on five seeds now and then.
inline constexpr int kConfirmingSeeds = 20;

// Names the first statistic of the output that lies below a line which drops the task; nothing when none does.
std::optional<std::string> below_dropping_line(const OutputStatistics& output, const Tolerance& tolerance,
                                               const Policy& policy);

}  // namespace kernel_audit::filters
