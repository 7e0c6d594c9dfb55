#include "auditor/worker/tensor.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "auditor/core/digest.h"

namespace kernel_audit::worker {
namespace {

constexpr std::pair<at::ScalarType, const char*> kNames[] = {
    {at::kFloat, "float32"},
    {at::kDouble, "float64"},
    {at::kHalf, "float16"},
    {at::kBFloat16, "bfloat16"},
    {at::kLong, "int64"},
    {at::kInt, "int32"},
    {at::kShort, "int16"},
    {at::kChar, "int8"},
    {at::kByte, "uint8"},
    {at::kBool, "bool"},
    {at::kComplexFloat, "complex64"},
    {at::kComplexDouble, "complex128"},
    {at::kFloat8_e4m3fn, "float8_e4m3fn"},
    {at::kFloat8_e5m2, "float8_e5m2"},
};

}  // namespace

std::string dtype_name(at::ScalarType type) {
  for (const auto& [known, name] : kNames) {
    if (known == type) return name;
  }
  return c10::toString(type);
}

std::optional<at::ScalarType> dtype_of(const std::string& name) {
  for (const auto& [type, known] : kNames) {
    if (name == known) return type;
  }
  return std::nullopt;
}

std::string content_sha256(const at::Tensor& tensor) {
  const at::Tensor host = tensor.detach().to(at::kCPU).contiguous();
  Sha256 hash;
  if (host.nbytes() > 0) hash.update(host.const_data_ptr(), host.nbytes());
  return to_hex(hash.finish());
}

at::Tensor tensor_over(void* data, at::IntArrayRef shape, at::IntArrayRef strides, at::ScalarType type,
                       const std::string& device) {
  const at::Device where = device == "cuda" ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
  return at::for_blob(data, shape)
      .strides(strides)
      .target_device(where)
      .options(at::TensorOptions().dtype(type).device(where))
      .make_tensor();
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<std::int64_t>(1, shape[i]);
  }
  return strides;
}

bool is_dense(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  if (shape.size() != strides.size()) return false;
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strides[a] != strides[b] ? strides[a] < strides[b] : shape[a] < shape[b];
  });
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  std::int64_t expected = 1;
  for (const std::size_t axis : order) {
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace kernel_audit::worker
