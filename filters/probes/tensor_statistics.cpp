#include "filters/probes/tensor_statistics.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "filters/probes/session.h"

namespace kernel_audit::filters {
namespace {

constexpr std::int64_t kSlice = std::int64_t{1} << 25;  // elements, 256 MiB in fp64
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Calls `work(flat slice in fp64, offset)` for all of a tensor.
template <typename Work>
void for_slices(const at::Tensor& values, const Work& work) {
  const at::Tensor flat = values.reshape(-1);
  for (std::int64_t at = 0; at < flat.numel(); at += kSlice) {
    work(flat.narrow(0, at, std::min(kSlice, flat.numel() - at)).to(at::kDouble), at);
  }
}

at::Tensor zero_on(const at::Tensor& like) {
  return at::zeros({}, at::TensorOptions().device(like.device()).dtype(at::kDouble));
}

// All at once: each value that is fetched waits for the device.
std::vector<double> fetch(const std::vector<at::Tensor>& scalars) {
  const at::Tensor all = at::stack(scalars).cpu();
  const double* const data = all.const_data_ptr<double>();
  return {data, data + scalars.size()};
}

// Largest variance of the rows that `block` (rows, count, columns) has along its second axis, and whether all are
// finite.
void largest_variance(const at::Tensor& block, at::Tensor& largest, at::Tensor& undefined) {
  // Shifted by a value of each row, as on the host: what they have in common costs no digits.
  const at::Tensor variance = block.sub(block.narrow(1, 0, 1)).var(1, /*unbiased=*/true);
  const at::Tensor finite = variance.isfinite();
  largest = at::maximum(largest, at::where(finite, variance, at::zeros_like(variance)).max());
  undefined = undefined + finite.logical_not().sum();
}

}  // namespace

at::Tensor to_values(const at::Tensor& tensor) {
  TORCH_CHECK(!tensor.is_complex(), "the output is complex, which the statistics do not cover");
  const bool integer = c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
  const at::ScalarType type = integer || tensor.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  return tensor.detach().to(type).contiguous();
}

Range range_of(const at::Tensor& values) {
  return values.is_cpu() ? range_of(view_of(values)) : in_torch::range_of(values);
}

std::optional<double> axis_spread(const at::Tensor& values, std::size_t axis) {
  return values.is_cpu() ? axis_spread(view_of(values), axis) : in_torch::axis_spread(values, axis);
}

void add_shares(OutputShares& shares, const at::Tensor& values, const at::Tensor* previous) {
  if (!values.is_cpu()) return in_torch::add_shares(shares, values, previous);
  if (previous == nullptr) return shares.add(view_of(values), nullptr);
  const Values before = view_of(*previous);
  shares.add(view_of(values), &before);
}

void in_torch::add_shares(OutputShares& shares, const at::Tensor& values, const at::Tensor* previous) {
  OutputShares::Counts counts;
  counts.elements = values.numel();
  if (counts.elements == 0) return shares.add(counts);
  const c10::AutoGradMode no_grad(false);
  const double limit = shares.distance();
  at::Tensor sum = zero_on(values), near_zero = zero_on(values), near_mean = zero_on(values);
  at::Tensor near_previous = zero_on(values);
  for_slices(values, [&](const at::Tensor& slice, std::int64_t) { sum = sum + slice.sum(); });
  const at::Tensor mean = sum / static_cast<double>(counts.elements);
  for_slices(values, [&](const at::Tensor& slice, std::int64_t at) {
    near_zero = near_zero + slice.abs().lt(limit).sum();
    near_mean = near_mean + slice.sub(mean).abs().lt(limit).sum();
    if (previous == nullptr) return;
    const at::Tensor before = previous->reshape(-1).narrow(0, at, slice.numel()).to(at::kDouble);
    near_previous = near_previous + slice.sub(before).abs().lt(limit).sum();
  });
  const std::vector<double> found = fetch({near_zero, near_mean, near_previous});
  counts.near_zero = found[0];
  counts.near_mean = found[1];
  if (previous != nullptr) counts.near_previous = found[2];
  shares.add(counts);
}

Range in_torch::range_of(const at::Tensor& values) {
  Range range;
  if (values.numel() == 0) return range;
  const c10::AutoGradMode no_grad(false);
  at::Tensor finite = zero_on(values), nan = zero_on(values), sum = zero_on(values), sum_absolute = zero_on(values);
  at::Tensor minimum = at::full_like(finite, kInfinity), maximum = at::full_like(finite, -kInfinity);
  for_slices(values, [&](const at::Tensor& slice, std::int64_t) {
    const at::Tensor is_finite = slice.isfinite(), kept = at::where(is_finite, slice, at::zeros({}, slice.options()));
    finite = finite + is_finite.sum();
    nan = nan + slice.isnan().sum();
    sum = sum + kept.sum();
    sum_absolute = sum_absolute + kept.abs().sum();
    minimum = at::minimum(minimum, at::where(is_finite, slice, at::full({}, kInfinity, slice.options())).min());
    maximum = at::maximum(maximum, at::where(is_finite, slice, at::full({}, -kInfinity, slice.options())).max());
  });
  const std::vector<double> found = fetch({finite, nan, minimum, maximum, sum, sum_absolute});
  range.finite = static_cast<std::int64_t>(found[0]);
  range.nan = static_cast<std::int64_t>(found[1]);
  range.infinite = values.numel() - range.finite - range.nan;
  range.minimum = found[2];
  range.maximum = found[3];
  range.sum = found[4];
  range.sum_absolute = found[5];
  return range;
}

std::optional<double> in_torch::axis_spread(const at::Tensor& values, std::size_t axis) {
  const c10::AutoGradMode no_grad(false);
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= values.size(static_cast<std::int64_t>(i));
  const std::int64_t count = values.size(static_cast<std::int64_t>(axis));
  for (std::int64_t i = static_cast<std::int64_t>(axis) + 1; i < values.dim(); ++i) inner *= values.size(i);
  if (count < 2 || outer == 0 || inner == 0) return std::nullopt;
  const at::Tensor rows = values.reshape({outer, count, inner});
  at::Tensor largest = zero_on(values), undefined = zero_on(values);
  const std::int64_t columns = std::clamp<std::int64_t>(kSlice / count, 1, inner);
  const std::int64_t height = std::clamp<std::int64_t>(kSlice / (count * columns), 1, outer);
  for (std::int64_t row = 0; row < outer; row += height) {
    const at::Tensor block = rows.narrow(0, row, std::min(height, outer - row));
    for (std::int64_t column = 0; column < inner; column += columns) {
      const std::int64_t width = std::min(columns, inner - column);
      largest_variance(block.narrow(2, column, width).to(at::kDouble), largest, undefined);
    }
  }
  const std::vector<double> found = fetch({largest, undefined});
  if (found[1] > 0) return std::nullopt;
  return std::sqrt(found[0]);
}

std::uint64_t TensorSpread::host_bytes(const at::Tensor& like) {
  return like.is_cpu() ? SeedSpread::bytes_needed(like.numel()) : 0;
}

TensorSpread::TensorSpread(const at::Tensor& like, MemoryBudget& budget, bool in_torch)
    : budget_(budget), elements_(like.numel()) {
  if (!in_torch) {
    accounted_ = static_cast<std::int64_t>(host_bytes(like));
    budget_.account(accounted_);
    host_.emplace(elements_);
    return;
  }
  const auto options = at::TensorOptions().device(like.device()).dtype(at::kDouble);
  mean_ = at::zeros({elements_}, options);
  squares_ = at::zeros({elements_}, options);
}

TensorSpread::~TensorSpread() { budget_.account(-accounted_); }

void TensorSpread::add(const at::Tensor& values) {
  if (host_) return host_->add(view_of(values));
  const c10::AutoGradMode no_grad(false);
  ++seeds_;
  for_slices(values, [&](const at::Tensor& slice, std::int64_t at) {
    at::Tensor mean = mean_.narrow(0, at, slice.numel());
    const at::Tensor before = slice - mean;
    mean.add_(before, 1.0 / seeds_);
    squares_.narrow(0, at, slice.numel()).addcmul_(before, slice - mean);
  });
}

SeedSpread::Result TensorSpread::finish() const {
  if (host_) return host_->finish();
  SeedSpread::Result result;
  result.undefined = elements_;
  if (seeds_ < 2 || elements_ == 0) return result;
  const c10::AutoGradMode no_grad(false);
  at::Tensor largest = zero_on(mean_), sum = zero_on(mean_), defined = zero_on(mean_);
  for_slices(squares_, [&](const at::Tensor& slice, std::int64_t at) {
    const at::Tensor deviation = slice.div(seeds_ - 1).sqrt();
    const at::Tensor finite = deviation.isfinite().logical_and(mean_.narrow(0, at, slice.numel()).isfinite());
    const at::Tensor kept = at::where(finite, deviation, at::zeros({}, deviation.options()));
    largest = at::maximum(largest, kept.max());
    sum = sum + kept.sum();
    defined = defined + finite.sum();
  });
  const std::vector<double> found = fetch({largest, sum, defined});
  result.undefined = elements_ - static_cast<std::int64_t>(found[2]);
  if (found[2] > 0) {
    result.max = found[0];
    result.mean = found[1] / found[2];
  }
  return result;
}

TensorAccumulator::TensorAccumulator(std::string name, std::string dtype, const at::Tensor& first, MemoryBudget& budget)
    : figures_(std::move(name), std::move(dtype), first.sizes().vec()), spread_(first, budget) {}

void TensorAccumulator::add(const at::Tensor& values) {
  figures_.add(range_of(values), [&](std::size_t axis) { return axis_spread(values, axis); });
  spread_.add(values);
}

}  // namespace kernel_audit::filters
