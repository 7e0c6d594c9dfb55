// Comparing an answer with the expected values as the benchmark does, and bounding what any constant could
// achieve. Knows no torch.
#pragma once

#include <cstdint>
#include <optional>

#include "filters/probes/statistics.h"
#include "filters/probes/values.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {

struct Comparison {
  double max_difference = 0;            // over pairs of finite values
  std::int64_t rejected = 0;            // |expected - answer| > atol + rtol * |answer|, or a NaN on either side
  std::int64_t finiteness_changed = 0;  // one side finite (or another kind of not finite), the other not
};

// Both of equal shape. A NaN never equals anything, as in allclose without equal_nan.
Comparison compare(const Values& expected, const Values& answer, const Tolerance& tolerance);

// A constant accepted for every value in [range.minimum, range.maximum], when there is one. It is the one
// in the middle of the range unless the relative tolerance favours another.
std::optional<double> accepted_constant(const Range& range, const Tolerance& tolerance);

// Would `constant` be accepted for all values of `range`? False when any of them is not finite.
bool accepts_constant(const Range& range, double constant, const Tolerance& tolerance);
double constant_error(const Range& range, double constant);  // largest |value - constant|

}  // namespace kernel_audit::filters
