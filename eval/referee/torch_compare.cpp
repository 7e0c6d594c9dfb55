#include "eval/referee/torch_compare.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

namespace kernel_audit::eval {
namespace {

constexpr std::int64_t kChunk = std::int64_t{1} << 24;  // elements: temporaries stay small

constexpr std::int64_t kHead = 4096;  // elements looked at first

at::Tensor real_view(const at::Tensor& tensor) {
  return tensor.is_complex() ? at::view_as_real(tensor).reshape({-1}) : tensor.reshape({-1});
}

// Acceptance and the largest error of an accepted output, by tensor operations on the device.
bool accepted_on_device(const at::Tensor& actual, const at::Tensor& expected, Tolerance tolerance, double& max_error) {
  const at::Tensor a = real_view(actual), b = real_view(expected);
  const bool floating = a.is_floating_point();
  max_error = 0;
  for (std::int64_t begin = 0; begin < a.numel(); begin += kChunk) {
    const std::int64_t size = std::min(kChunk, a.numel() - begin);
    const at::Tensor x = a.narrow(0, begin, size), y = b.narrow(0, begin, size);
    if (!floating) {
      if (!at::equal(x, y)) return false;
      continue;
    }
    const at::ScalarType wide = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor xw = x.to(wide), yw = y.to(wide);
    const at::Tensor equal = xw.eq(yw).logical_or_(at::isnan(xw).logical_and_(at::isnan(yw)));
    const at::Tensor error = (xw - yw).abs_().masked_fill_(equal, 0);
    // An infinite limit would accept everything; only equal infinities pass.
    const at::Tensor limit = yw.abs().mul_(tolerance.rtol).add_(tolerance.atol);
    const at::Tensor near = error.le(limit).logical_and_(at::isfinite(limit));
    if (!near.logical_or_(equal).all().item<bool>()) return false;
    max_error = std::max(max_error, error.max().item<double>());
  }
  return true;
}

at::Tensor on_host(const at::Tensor& tensor) { return tensor.cpu().contiguous(); }

}  // namespace

Comparison compare_tensors(const at::Tensor& actual, const at::Tensor& expected, Scalar scalar, Tolerance tolerance,
                           std::uint64_t poison) {
  if (!actual.device().is_cpu()) {
    double max_error = 0;
    if (accepted_on_device(actual, expected, tolerance, max_error)) {
      Comparison result;
      result.elements = static_cast<std::int64_t>(actual.nbytes() / bytes_of(scalar));
      result.max_abs_error = max_error;
      return result;
    }
  }
  const at::Tensor a = on_host(actual), b = on_host(expected);
  return compare(a.const_data_ptr(), b.const_data_ptr(), a.nbytes(), scalar, tolerance, poison);
}

bool tensors_accepted(const at::Tensor& actual, const at::Tensor& expected, Scalar scalar, Tolerance tolerance) {
  const auto decide = [&](const at::Tensor& a, const at::Tensor& b) {
    double max_error = 0;
    if (!a.device().is_cpu()) return accepted_on_device(a, b, tolerance, max_error);
    return compare(a.const_data_ptr(), b.const_data_ptr(), a.nbytes(), scalar, tolerance, 0).accepted();
  };
  const at::Tensor a = actual.reshape({-1}), b = expected.reshape({-1});
  if (a.numel() > 2 * kHead && !decide(a.narrow(0, 0, kHead), b.narrow(0, 0, kHead))) return false;
  return decide(a, b);
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (a.device().is_cpu())
    return a.nbytes() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
  return at::equal(a.reshape({-1}).view(at::kByte), b.reshape({-1}).view(at::kByte));
}

OracleError oracle_error_of(const at::Tensor& values, const at::Tensor& exact, Scalar scalar) {
  const at::Tensor host = on_host(values);
  return oracle_error(host.const_data_ptr(), exact.const_data_ptr<double>(), exact.numel(), scalar);
}

}  // namespace kernel_audit::eval
