#include "filters/probes/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "filters/probes/huge_pages.h"

namespace kernel_audit::filters {
namespace {

constexpr int kLanes = 8;               // independent accumulators, so that the loop vectorises
constexpr std::int64_t kColumns = 512;  // width of a strip when the axis is not the last one

std::int64_t blocks_of(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

template <typename T>
Range range_of_block(const T* data, std::int64_t count) {
  Range range;
  range.minimum = std::numeric_limits<double>::infinity();
  range.maximum = -range.minimum;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = data[i];
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? range.nan : range.infinite);
      continue;
    }
    range.minimum = std::min(range.minimum, value);
    range.maximum = std::max(range.maximum, value);
    range.sum += value;
    range.sum_absolute += std::abs(value);
  }
  range.finite = count - range.nan - range.infinite;
  return range;
}

// Unbiased variance from sums of (x - first) and (x - first)^2. `first` is one of the values, so the shift is
// never far from them in terms of their own spread and the subtraction loses little.
double variance(double sum, double squares, std::int64_t count) {
  const double n = static_cast<double>(count);
  const double value = (squares - sum * sum / n) / (n - 1);
  return value < 0 ? 0 : value;  // NaN stays NaN
}

// Largest variance seen and whether all were finite.
struct Largest {
  double variance = 0;
  bool undefined = false;
  void add(double value) {
    if (!std::isfinite(value)) {
      undefined = true;
    } else if (value > variance) {
      variance = value;
    }
  }
  void merge(const Largest& other) {
    add(other.variance);
    undefined = undefined || other.undefined;
  }
};

template <typename T>
double row_variance(const T* row, std::int64_t count) {
  const double first = row[0];
  std::array<double, kLanes> sum{}, squares{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double shifted = row[i + lane] - first;
      sum[lane] += shifted;
      squares[lane] += shifted * shifted;
    }
  }
  for (; i < count; ++i) {
    const double shifted = row[i] - first;
    sum[0] += shifted;
    squares[0] += shifted * shifted;
  }
  double total = 0, total_squares = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    total += sum[lane];
    total_squares += squares[lane];
  }
  return variance(total, total_squares, count);
}

// One strip of up to kColumns neighbouring columns, each `count` values long with `stride` between them.
template <typename T>
void strip_variance(const T* data, std::int64_t columns, std::int64_t count, std::int64_t stride, Largest& largest) {
  std::array<double, kColumns> sum, squares;
  std::fill_n(sum.begin(), columns, 0.0);
  std::fill_n(squares.begin(), columns, 0.0);
  for (std::int64_t k = 1; k < count; ++k) {
    const T* row = data + k * stride;
    for (std::int64_t j = 0; j < columns; ++j) {
      const double shifted = static_cast<double>(row[j]) - data[j];
      sum[j] += shifted;
      squares[j] += shifted * shifted;
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    // A first value that is not finite makes every shifted value so, and is seen.
    largest.add(variance(sum[j], squares[j], count));
  }
}

template <typename T>
Largest largest_variance(const T* data, std::int64_t outer, std::int64_t count, std::int64_t inner) {
  const std::int64_t elements = outer * count * inner;
  if (inner == 1) {
    const std::int64_t rows = std::max<std::int64_t>(1, kBlockElements / count);
    std::vector<Largest> found(blocks_of(outer, rows));
    for_blocks(static_cast<std::int64_t>(found.size()), elements, [&](std::int64_t block) {
      const std::int64_t end = std::min(outer, (block + 1) * rows);
      for (std::int64_t row = block * rows; row < end; ++row) found[block].add(row_variance(data + row * count, count));
    });
    Largest largest;
    for (const Largest& part : found) largest.merge(part);
    return largest;
  }
  const std::int64_t strips = blocks_of(inner, kColumns), units = outer * strips;
  const std::int64_t per_block = std::max<std::int64_t>(1, kBlockElements / (count * std::min(inner, kColumns)));
  std::vector<Largest> found(blocks_of(units, per_block));
  for_blocks(static_cast<std::int64_t>(found.size()), elements, [&](std::int64_t block) {
    const std::int64_t end = std::min(units, (block + 1) * per_block);
    for (std::int64_t unit = block * per_block; unit < end; ++unit) {
      const std::int64_t row = unit / strips, column = unit % strips * kColumns;
      strip_variance(data + row * count * inner + column, std::min(kColumns, inner - column), count, inner,
                     found[block]);
    }
  });
  Largest largest;
  for (const Largest& part : found) largest.merge(part);
  return largest;
}

}  // namespace

void Range::merge(const Range& other) {
  if (other.finite > 0) {
    minimum = finite > 0 ? std::min(minimum, other.minimum) : other.minimum;
    maximum = finite > 0 ? std::max(maximum, other.maximum) : other.maximum;
  }
  finite += other.finite;
  nan += other.nan;
  infinite += other.infinite;
  sum += other.sum;
  sum_absolute += other.sum_absolute;
}

double Range::largest_magnitude() const { return std::max(std::abs(minimum), std::abs(maximum)); }

Range range_of(const Values& values) {
  const std::int64_t count = values.elements();
  std::vector<Range> found(blocks_of(count, kBlockElements));
  visit_values(values, [&](const auto* data) {
    for_blocks(static_cast<std::int64_t>(found.size()), count, [&](std::int64_t block) {
      const std::int64_t begin = block * kBlockElements;
      found[block] = range_of_block(data + begin, std::min(kBlockElements, count - begin));
    });
  });
  Range range;
  for (const Range& part : found) range.merge(part);
  return range;
}

std::optional<double> axis_spread(const Values& values, std::size_t axis) {
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= values.shape[i];
  for (std::size_t i = axis + 1; i < values.shape.size(); ++i) inner *= values.shape[i];
  const std::int64_t count = values.shape[axis];
  if (count < 2 || outer == 0 || inner == 0) return std::nullopt;
  const Largest largest =
      visit_values(values, [&](const auto* data) { return largest_variance(data, outer, count, inner); });
  if (largest.undefined) return std::nullopt;
  return std::sqrt(largest.variance);
}

SeedSpread::SeedSpread(std::int64_t elements)
    : elements_(elements), mean_(new double[elements]), squares_(new double[elements]) {
  prefer_huge_pages(mean_.get(), sizeof(double) * elements);
  prefer_huge_pages(squares_.get(), sizeof(double) * elements);
}

void SeedSpread::add(const Values& values) {
  ++seeds_;
  const double weight = 1.0 / seeds_;
  visit_values(values, [&](const auto* data) {
    for_blocks(blocks_of(elements_, kBlockElements), elements_, [&](std::int64_t block) {
      const std::int64_t begin = block * kBlockElements, end = std::min(elements_, begin + kBlockElements);
      double* const mean = mean_.get();
      double* const squares = squares_.get();
      if (seeds_ == 1) {
        for (std::int64_t i = begin; i < end; ++i) {
          mean[i] = data[i];
          squares[i] = 0;
        }
        return;
      }
      for (std::int64_t i = begin; i < end; ++i) {
        const double value = data[i], before = value - mean[i];
        mean[i] += before * weight;
        squares[i] += before * (value - mean[i]);
      }
    });
  });
}

SeedSpread::Result SeedSpread::finish() const {
  Result result;
  if (seeds_ < 2) {
    result.undefined = elements_;
    return result;
  }
  struct Part {
    double max = 0, sum = 0;
    std::int64_t undefined = 0;
  };
  std::vector<Part> parts(blocks_of(elements_, kBlockElements));
  for_blocks(static_cast<std::int64_t>(parts.size()), elements_, [&](std::int64_t block) {
    const std::int64_t begin = block * kBlockElements, end = std::min(elements_, begin + kBlockElements);
    Part& part = parts[block];
    for (std::int64_t i = begin; i < end; ++i) {
      const double deviation = std::sqrt(squares_[i] / (seeds_ - 1));
      if (!std::isfinite(deviation) || !std::isfinite(mean_[i])) {
        ++part.undefined;
        continue;
      }
      part.max = std::max(part.max, deviation);
      part.sum += deviation;
    }
  });
  double max = 0, sum = 0;
  for (const Part& part : parts) {
    max = std::max(max, part.max);
    sum += part.sum;
    result.undefined += part.undefined;
  }
  if (result.undefined < elements_) {
    result.max = max;
    result.mean = sum / static_cast<double>(elements_ - result.undefined);
  }
  return result;
}

OutputAccumulator::OutputAccumulator(std::string name, std::string dtype, const std::vector<std::int64_t>& shape)
    : axes_(shape.size()), axis_undefined_(shape.size(), false) {
  statistics_.name = std::move(name);
  statistics_.dtype = std::move(dtype);
  statistics_.shape = shape;
  statistics_.elements = Values{Values::Kind::kFloat, nullptr, shape}.elements();
}

void OutputAccumulator::add(const Range& range, const std::function<std::optional<double>(std::size_t)>& spread_along) {
  ranges_.push_back(range);
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (axis_undefined_[axis]) continue;
    const auto spread = spread_along(axis);
    if (!spread) axis_undefined_[axis] = true;
    axes_[axis] = spread ? std::max(axes_[axis].value_or(0), *spread) : spread;
  }
}

OutputStatistics OutputAccumulator::finish(const SeedSpread::Result& spread) const {
  OutputStatistics statistics = statistics_;
  Range all;
  for (const Range& range : ranges_) all.merge(range);
  if (all.finite > 0) {
    statistics.minimum = all.minimum;
    statistics.maximum = all.maximum;
    statistics.mean = all.sum / static_cast<double>(all.finite);
    statistics.mean_absolute = all.sum_absolute / static_cast<double>(all.finite);
  }
  statistics.nan_count = all.nan;
  statistics.infinite_count = all.infinite;
  statistics.seed_std_max = spread.max;
  statistics.seed_std_mean = spread.mean;
  statistics.seed_std_undefined = spread.undefined;
  statistics.axis_std_max.push_back(spread.undefined == 0 ? spread.max : std::nullopt);
  statistics.axis_std_max.insert(statistics.axis_std_max.end(), axes_.begin(), axes_.end());
  return statistics;
}

}  // namespace kernel_audit::filters
