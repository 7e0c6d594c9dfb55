// Names, bytes and views of tensors, as messages between workers describe them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernel_audit::worker {

std::string dtype_name(at::ScalarType type);  // "float32": torch's name without "torch."
std::optional<at::ScalarType> dtype_of(const std::string& name);

// SHA-256 over the elements in logical order, as lower-case hex digits: of a contiguous copy in host memory.
std::string content_sha256(const at::Tensor& tensor);

// A fresh tensor over memory that it does not own. `device` is "cpu" or "cuda" (the current one).
at::Tensor tensor_over(void* data, at::IntArrayRef shape, at::IntArrayRef strides, at::ScalarType type,
                       const std::string& device);

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape);  // in elements

// Nothing was allocated twice and every element has one place: strides that a permutation of a contiguous tensor has.
bool is_dense(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides);

}  // namespace kernel_audit::worker
