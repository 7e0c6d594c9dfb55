#include "filters/probes/variations.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

namespace kernel_audit::filters {
namespace {

Varied none(std::string reason) { return {{}, std::move(reason)}; }

Varied changed(const worker::Argument& input, at::Tensor tensor) {
  if (at::equal(*input.tensor, tensor)) return none("it leaves the values as they are");
  worker::Argument argument = input;
  argument.tensor = std::move(tensor);
  return {std::move(argument), ""};
}

Varied vary_plain(const worker::Argument& input, const worker::Argument& other, const std::string& variation) {
  worker::Argument argument = input;
  if (variation == "resample") {
    if (other.plain == input.plain) return none("get_inputs gives the same value for every seed");
    argument.plain = other.plain;
    return {std::move(argument), ""};
  }
  if (!input.plain.is_number_float()) return none("it is a " + input.python_type + ", not a tensor or a float");
  const double value = input.plain.get<double>();
  double result = 0;
  if (variation == "scale")
    result = 2 * value;
  else if (variation == "shift")
    result = value + 1;
  else if (variation == "sign")
    result = -value;
  else if (variation != "zero")
    return none("it has no rows");
  if (result == value) return none("it leaves the value as it is");
  argument.plain = result;
  return {std::move(argument), ""};
}

}  // namespace

const std::vector<std::string>& input_variations() {
  static const std::vector<std::string> names = {"resample", "other-half", "permute", "sign", "scale", "shift", "zero"};
  return names;
}

Varied vary_input(const worker::Argument& input, const worker::Argument& other, const std::string& variation) {
  if (!input.tensor) return vary_plain(input, other, variation);
  const at::Tensor& tensor = *input.tensor;
  if (tensor.numel() == 0) return none("it has no element");
  if (variation == "resample" || variation == "other-half") {
    if (!other.tensor || other.tensor->sizes() != tensor.sizes() || other.tensor->dtype() != tensor.dtype()) {
      return none("another seed gives another shape or type");
    }
    if (variation == "resample") {
      Varied result = changed(input, *other.tensor);
      if (!result.missing.empty()) result.missing = "get_inputs gives the same values for every seed";
      return result;
    }
    if (tensor.dim() == 0 || tensor.size(0) < 2) return none("it has no two rows");
    const std::int64_t half = tensor.size(0) / 2;
    return changed(input, at::cat({tensor.narrow(0, 0, half), other.tensor->narrow(0, half, tensor.size(0) - half)}));
  }
  if (variation == "permute") {
    for (std::int64_t axis = 0; axis < tensor.dim(); ++axis) {
      if (tensor.size(axis) > 1) return changed(input, tensor.roll(1, axis));
    }
    return none("it has one element");
  }
  if (variation == "zero") return changed(input, at::zeros_like(tensor));
  if (!tensor.is_floating_point()) return none("it is of type " + std::string(c10::toString(tensor.scalar_type())));
  if (variation == "scale") return changed(input, tensor.mul(2));
  if (variation == "shift") return changed(input, tensor.add(1));
  if (variation == "sign") return changed(input, tensor.neg());
  return none("there is no such variation");
}

const std::vector<std::string>& state_variations(bool is_parameter) {
  static const std::vector<std::string> buffers = {"shift", "resample", "scale", "permute"};
  return is_parameter ? input_variations() : buffers;
}

Varied vary_state(const at::Tensor& state, bool is_parameter, const std::string& variation) {
  if (!state.is_floating_point()) return none("it is of type " + std::string(c10::toString(state.scalar_type())));
  if (state.numel() == 0) return none("it has no element");
  worker::Argument own;
  own.tensor = state;
  if (variation != "resample" && variation != "other-half") return vary_input(own, own, variation);
  worker::Argument other;
  if (is_parameter) {
    const double mean = state.mean().item<double>();
    const double spread = state.numel() > 1 ? state.std().item<double>() : 0;
    other.tensor = at::randn_like(state).mul_(spread > 0 ? spread : 1.0).add_(mean);
  } else {
    other.tensor = state.mul(at::rand_like(state).add_(0.5)).add_(at::eq(state, 0).to(state.scalar_type()));
  }
  return vary_input(own, other, variation);
}

}  // namespace kernel_audit::filters
