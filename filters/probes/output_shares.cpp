#include "filters/probes/output_shares.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kernel_audit::filters {
namespace {

// Sums `term(i)` over all elements, in blocks of fixed size combined in order.
template <typename Term>
double sum(std::int64_t elements, const Term& term) {
  const std::int64_t blocks = (elements + kBlockElements - 1) / kBlockElements;
  std::vector<double> parts(static_cast<std::size_t>(blocks), 0.0);
  for_blocks(blocks, elements, [&](std::int64_t block) {
    const std::int64_t end = std::min(elements, (block + 1) * kBlockElements);
    double part = 0;
    for (std::int64_t i = block * kBlockElements; i < end; ++i) part += term(i);
    parts[static_cast<std::size_t>(block)] = part;
  });
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

void lower(std::optional<double>& smallest, double share) {
  if (!smallest || share < *smallest) smallest = share;
}

Json or_null(const std::optional<double>& share) { return share ? Json(*share) : Json(nullptr); }

}  // namespace

void OutputShares::add(const Counts& counts) {
  elements_ = counts.elements;
  if (elements_ == 0) return;
  const auto all = static_cast<double>(elements_);
  lower(near_zero_, counts.near_zero / all);
  lower(near_mean_, counts.near_mean / all);
  if (counts.near_previous) lower(near_previous_, *counts.near_previous / all);
}

void OutputShares::add(const Values& values, const Values* previous) {
  Counts counts;
  counts.elements = values.elements();
  const double limit = distance_;
  visit_values(values, [&](const auto* data) {
    const auto count = [&](const auto& near) {
      return sum(counts.elements, [&](std::int64_t i) { return near(i) ? 1.0 : 0.0; });
    };
    counts.near_zero = count([&](std::int64_t i) { return std::abs(data[i]) < limit; });
    const double mean = sum(counts.elements, [&](std::int64_t i) { return static_cast<double>(data[i]); }) /
                        static_cast<double>(counts.elements);
    counts.near_mean = count([&](std::int64_t i) { return std::abs(data[i] - mean) < limit; });
    if (previous == nullptr || previous->elements() != counts.elements) return;
    visit_values(*previous, [&](const auto* before) {
      counts.near_previous = count([&](std::int64_t i) {
        return std::abs(static_cast<double>(data[i]) - static_cast<double>(before[i])) < limit;
      });
    });
  });
  add(counts);
}

Json OutputShares::finish() const {
  return {{"distance", distance_},
          {"elements", elements_},
          {"near_zero", or_null(near_zero_)},
          {"near_mean", or_null(near_mean_)},
          {"near_previous", or_null(near_previous_)}};
}

}  // namespace kernel_audit::filters
