#include "filters/probes/comparison.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kernel_audit::filters {
namespace {

template <typename A, typename B>
Comparison compare_block(const A* expected, const B* answer, std::int64_t count, const Tolerance& tolerance) {
  Comparison result;
  for (std::int64_t i = 0; i < count; ++i) {
    const double e = expected[i], a = answer[i], difference = std::abs(e - a);
    if (std::isfinite(difference)) {
      result.max_difference = std::max(result.max_difference, difference);
      result.rejected += !(difference <= tolerance.atol + tolerance.rtol * std::abs(a));
    } else {
      result.rejected += !(e == a);  // equal infinities are equal
      result.finiteness_changed += !(e == a || (std::isnan(e) && std::isnan(a)));
    }
  }
  return result;
}

}  // namespace

Comparison compare(const Values& expected, const Values& answer, const Tolerance& tolerance) {
  const std::int64_t count = expected.elements();
  std::vector<Comparison> parts((count + kBlockElements - 1) / kBlockElements);
  visit_values(expected, [&](const auto* e) {
    visit_values(answer, [&](const auto* a) {
      for_blocks(static_cast<std::int64_t>(parts.size()), count, [&](std::int64_t block) {
        const std::int64_t begin = block * kBlockElements;
        parts[block] = compare_block(e + begin, a + begin, std::min(kBlockElements, count - begin), tolerance);
      });
    });
  });
  Comparison result;
  for (const Comparison& part : parts) {
    result.max_difference = std::max(result.max_difference, part.max_difference);
    result.rejected += part.rejected;
    result.finiteness_changed += part.finiteness_changed;
  }
  return result;
}

std::optional<double> accepted_constant(const Range& range, const Tolerance& tolerance) {
  if (range.finite == 0 || range.nan + range.infinite > 0) return std::nullopt;
  const double middle = range.minimum + (range.maximum - range.minimum) / 2;
  if (accepts_constant(range, middle, tolerance)) return middle;
  // The tolerance grows with |c|. For c > 0 it needs max <= c + atol + rtol c and min >= c - atol - rtol c,
  // which holds from `low` to `high`; the smallest such c is as good as any. For c < 0 mirror the range.
  const double low = (range.maximum - tolerance.atol) / (1 + tolerance.rtol);
  const double high = (range.minimum + tolerance.atol) / (1 - tolerance.rtol);
  if (low > 0 && low <= high) return low;
  const double low_mirrored = (-range.minimum - tolerance.atol) / (1 + tolerance.rtol);
  const double high_mirrored = (-range.maximum + tolerance.atol) / (1 - tolerance.rtol);
  if (low_mirrored > 0 && low_mirrored <= high_mirrored) return -low_mirrored;
  return std::nullopt;
}

bool accepts_constant(const Range& range, double constant, const Tolerance& tolerance) {
  if (range.finite == 0 || range.nan + range.infinite > 0) return false;
  return constant_error(range, constant) <= tolerance.atol + tolerance.rtol * std::abs(constant);
}

double constant_error(const Range& range, double constant) {
  return std::max(std::abs(range.maximum - constant), std::abs(range.minimum - constant));
}

}  // namespace kernel_audit::filters
