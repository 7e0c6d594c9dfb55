#include "filters/probes/mutants.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "filters/probes/call_trace.h"
#include "filters/probes/range_guard.h"

namespace kernel_audit::filters {
namespace {

constexpr std::uint64_t kNoiseSeed = 20240229;

using Sizes = std::vector<std::int64_t>;

Sizes without_ones(const Sizes& sizes) {
  Sizes rest;
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(rest), [](std::int64_t size) { return size != 1; });
  return rest;
}

// A generator of our own: the task's random numbers must not move.
at::Generator own_generator(const at::Device& device) {
  at::Generator generator = at::globalContext().defaultGenerator(device).clone();
  generator.set_current_seed(kNoiseSeed);
  return generator;
}

double deviation_of(const at::Tensor& result) {
  const double deviation = result.numel() > 1 ? result.to(at::kFloat).std().item<double>() : 0;
  if (std::isfinite(deviation) && deviation > 0) return deviation;
  const double size = result.abs().max().item<double>();
  return std::isfinite(size) && size > 0 ? size : 1.0;
}

at::Tensor with_noise(const at::Tensor& result, double scale) {
  const auto options = result.options().dtype(at::kFloat).requires_grad(false);
  const at::Tensor noise = at::randn(result.sizes(), own_generator(result.device()), options);
  return result + noise.mul_(scale * deviation_of(result)).to(result.scalar_type());
}

at::Tensor shuffled(const at::Tensor& result, std::int64_t axis) {
  const at::Tensor order =
      at::randperm(result.size(axis), own_generator(at::Device(at::kCPU)), at::TensorOptions().dtype(at::kLong));
  return result.index_select(axis, order.to(result.device()));
}

// The mutant of one result. Undefined where the kind does not fit its type.
at::Tensor mutant_of(const at::Tensor& result, const MutantSpec& spec, const at::Tensor& source) {
  const bool real = result.is_floating_point();
  if (spec.kind == "zero") return at::zeros_like(result);
  if (spec.kind == "pass-through") {
    if (!source.defined() || source.numel() != result.numel()) return {};
    return source.reshape(result.sizes()).to(result.scalar_type()).clone();
  }
  if (spec.kind == "shuffle") return spec.axis < result.dim() ? shuffled(result, spec.axis) : at::Tensor();
  if (!real) return {};
  if (spec.kind == "mean") return at::full_like(result, result.to(at::kDouble).mean().item<double>());
  if (spec.kind == "low-precision") return result.to(at::kBFloat16).to(result.scalar_type());
  if (spec.kind == "noise") return with_noise(result, spec.scale);
  return {};
}

std::optional<double> constant_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0 || tensor.is_complex()) return std::nullopt;
  const auto [least, most] = at::aminmax(tensor);
  const double low = least.item().toDouble(), high = most.item().toDouble();
  return low == high ? std::optional<double>(low) : std::nullopt;
}

}  // namespace

std::vector<MutantSpec> mutants_for(const std::vector<Sizes>& inputs, const std::vector<Sizes>& outputs,
                                    const std::string& dtype) {
  std::vector<MutantSpec> specs = {{"zero"}};
  if (outputs.empty()) return specs;
  const Sizes& result = outputs[0];
  int passes = 0;
  for (std::size_t i = 0; i < inputs.size() && outputs.size() == 1 && passes < 2; ++i) {
    const bool fits = inputs[i] == result || without_ones(inputs[i]) == without_ones(result);
    if (!fits) continue;
    specs.push_back({"pass-through", 0, static_cast<int>(i)});
    ++passes;
  }
  const bool real = dtype.find("float") != std::string::npos;
  if (real) specs.push_back({"noise", 1.0});
  if (real) specs.push_back({"mean"});
  int last = -1, first = -1;
  for (int axis = 0; axis < static_cast<int>(result.size()); ++axis) {
    if (result[static_cast<std::size_t>(axis)] < 2) continue;
    if (first < 0) first = axis;
    last = axis;
  }
  if (last >= 0) specs.push_back({"shuffle", 0, -1, last});
  if (first >= 0 && first != last) specs.push_back({"shuffle", 0, -1, first});
  if (real) specs.insert(specs.end(), {{"noise", 0.1}, {"noise", 1e-3}, {"low-precision"}});
  return specs;
}

void MutatingObserver::intercept(InterceptedCall& call, int) {
  check_ranges(call.op(), call.stack());
  if (!paths_.inside() || next_++ != target_) return call.run();
  mutate(call);
}

void MutatingObserver::mutate(InterceptedCall& call) {
  if (operator_name(call.op()) != op_) {
    missing = "forward makes other calls than when it was recorded";
    return call.run();
  }
  apply(call);
}

void MutatingObserver::apply(InterceptedCall& call) {
  const std::size_t arguments = call.op().schema().arguments().size(), returns = call.op().schema().returns().size();
  const std::vector<at::Tensor> written = written_arguments(call.op(), call.stack());
  at::Tensor source;
  if (spec_.kind == "pass-through") {
    std::vector<at::Tensor> tensors;
    for (std::size_t i = call.stack().size() - arguments; i < call.stack().size(); ++i) {
      append_tensors(call.stack()[i], tensors);
    }
    if (spec_.argument < static_cast<int>(tensors.size())) {
      source = tensors[static_cast<std::size_t>(spec_.argument)];
      if (!written.empty()) source = source.clone();  // it is about to be overwritten
    }
  }
  call.run();
  bool all_identical = true;
  const auto replace = [&](const at::Tensor& result) {
    at::Tensor mutant = result.defined() && result.numel() > 0 ? mutant_of(result, spec_, source) : at::Tensor();
    if (!mutant.defined()) return at::Tensor();
    if (!applied && wants_constant) constant = constant_of(result);
    applied = true;
    all_identical = all_identical && at::equal(mutant, result);
    return mutant;
  };
  if (!written.empty()) {
    for (const at::Tensor& tensor : written) {
      if (const at::Tensor mutant = replace(tensor); mutant.defined()) tensor.copy_(mutant);
    }
  } else {
    for (std::size_t i = call.stack().size() - returns; i < call.stack().size(); ++i) {
      c10::IValue& value = call.stack()[i];
      if (value.isTensor()) {
        if (at::Tensor mutant = replace(value.toTensor()); mutant.defined()) value = std::move(mutant);
      } else if (value.isTensorList()) {
        c10::List<at::Tensor> list = value.toTensorList();
        for (std::size_t j = 0; j < list.size(); ++j) {
          if (at::Tensor mutant = replace(list.get(j)); mutant.defined()) list.set(j, std::move(mutant));
        }
      }
    }
  }
  identical = applied && all_identical;
  if (!applied) missing = "the kind of mutant does not fit the type of the result";
}

}  // namespace kernel_audit::filters
