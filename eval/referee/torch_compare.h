// Comparing tensors that lie on one device. On a GPU the common case, acceptance, is decided there in chunks;
// only a refused output is brought to the host and looked at element by element.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "eval/check/compare.h"

namespace kernel_audit::eval {

// Both contiguous, of equal dtype and size. Exceptions of torch pass through.
Comparison compare_tensors(const at::Tensor& actual, const at::Tensor& expected, Scalar scalar, Tolerance tolerance,
                           std::uint64_t poison);

// Only whether it is accepted: the first elements usually refuse what is something else altogether.
bool tensors_accepted(const at::Tensor& actual, const at::Tensor& expected, Scalar scalar, Tolerance tolerance);

bool same_bits(const at::Tensor& a, const at::Tensor& b);

// Distance of `values` from `exact` (double, contiguous, on the host).
OracleError oracle_error_of(const at::Tensor& values, const at::Tensor& exact, Scalar scalar);

}  // namespace kernel_audit::eval
