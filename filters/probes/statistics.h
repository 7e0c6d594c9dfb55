// Streaming statistics of one output over seeds, in fp64: feed each seed's values once, keep none of them.
// Range and spread along the output's own axes need no memory; the spread over seeds keeps a running mean
// and sum of squared deviations per element (Welford), 16 bytes each. Knows no torch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filters/evidence.h"
#include "filters/probes/values.h"

namespace kernel_audit::filters {

struct Range {
  std::int64_t finite = 0, nan = 0, infinite = 0;
  double minimum = 0, maximum = 0, sum = 0, sum_absolute = 0;  // of the finite values

  void merge(const Range& other);
  double largest_magnitude() const;
};
Range range_of(const Values& values);

// Largest unbiased standard deviation along `axis`; null when the axis has size 1 or any slice has a value
// that is not finite.
std::optional<double> axis_spread(const Values& values, std::size_t axis);

class SeedSpread {
 public:
  static std::uint64_t bytes_needed(std::int64_t elements) { return 16 * static_cast<std::uint64_t>(elements); }
  explicit SeedSpread(std::int64_t elements);

  void add(const Values& values);
  int seeds() const { return seeds_; }

  struct Result {
    std::optional<double> max, mean;  // over the elements with a finite deviation
    std::int64_t undefined = 0;
  };
  Result finish() const;  // needs two seeds, else every element is undefined

 private:
  std::int64_t elements_;
  int seeds_ = 0;
  std::unique_ptr<double[]> mean_, squares_;
};

// All of OutputStatistics for one output, from what each seed's values are found to be.
class OutputAccumulator {
 public:
  OutputAccumulator(std::string name, std::string dtype, const std::vector<std::int64_t>& shape);

  // `spread_along(axis)` as axis_spread(); not asked again for an axis that was undefined once.
  void add(const Range& range, const std::function<std::optional<double>(std::size_t)>& spread_along);
  const std::vector<Range>& ranges() const { return ranges_; }  // one per seed
  OutputStatistics finish(const SeedSpread::Result& spread) const;

 private:
  OutputStatistics statistics_;
  std::vector<Range> ranges_;
  std::vector<std::optional<double>> axes_;
  std::vector<bool> axis_undefined_;
};

}  // namespace kernel_audit::filters
