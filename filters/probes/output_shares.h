// Shares of an output's elements within an absolute distance of zero, of the output's own mean and of the previous
// seed's value, seed by seed. No torch; one pass for the mean and one for the rest.
#pragma once

#include <cstdint>
#include <optional>

#include "auditor/core/json.h"
#include "filters/probes/values.h"

namespace kernel_audit::filters {

class OutputShares {
 public:
  // `distance` is compared as fp32, like the published filter's.
  explicit OutputShares(double distance) : distance_(static_cast<float>(distance)) {}

  // Of one seed's values.
  struct Counts {
    std::int64_t elements = 0;
    double near_zero = 0, near_mean = 0;
    std::optional<double> near_previous;
  };
  void add(const Counts& counts);

  // `previous`: the same output under the seed before, of the same form; null for the first. Elements that are not
  // finite are near nothing.
  void add(const Values& values, const Values* previous);

  float distance() const { return distance_; }

  // {"distance": …, "elements": …, "near_zero": …, "near_mean": …, "near_previous": …}: each the smallest share over
  // the seeds, so that a share above a limit is above it on every seed. Null where there is none.
  Json finish() const;

 private:
  float distance_;
  std::int64_t elements_ = 0;
  std::optional<double> near_zero_, near_mean_, near_previous_;
};

}  // namespace kernel_audit::filters
