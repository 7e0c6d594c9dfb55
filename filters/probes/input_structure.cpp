#include "filters/probes/input_structure.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

#include "auditor/worker/tensor.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {
namespace {

constexpr double kScale = 8;                                 // "scaled" and "shifted", in deviations
constexpr double kKeptDensity = 0.1;                         // "sparse"
constexpr std::int64_t kMostLooked = std::int64_t{1} << 26;  // elements that structure is looked for in

bool all_of(const at::Tensor& condition) { return condition.all().item<bool>(); }

void look_at_floats(const at::Tensor& t, InputStructure& found) {
  const auto add = [&](const char* what) { found.structure.emplace_back(what); };
  const double low = *found.minimum, high = *found.maximum;
  if (low >= 0 && low < high) add("non-negative");
  const bool whole = all_of(t.eq(t.round()));
  const bool zero_one = whole && low == 0 && high == 1;
  if (zero_one) add("mask");
  if (whole && low == -1 && high == 1 && all_of(t.ne(0))) add("signs");
  if (whole && !zero_one && low < high) add("integer");
  const double zeros = static_cast<double>(t.eq(0).sum().item<std::int64_t>()) / static_cast<double>(t.numel());
  if (t.dim() >= 2 && t.size(-1) == t.size(-2) && t.size(-1) > 2) {
    const bool upper = all_of(t.tril(-1).eq(0)), lower = all_of(t.triu(1).eq(0));
    if (upper) add("triangular-upper");
    if (lower) add("triangular-lower");
    if (upper || lower) return;
  }
  if (t.dim() >= 1 && t.size(-1) > 2) {
    const at::Tensor step = t.narrow(-1, 1, t.size(-1) - 1) - t.narrow(-1, 0, t.size(-1) - 1);
    if (low < high && all_of(step.ge(0))) add("sorted");
    if (low >= 0 && low < high && all_of(t.sum(-1).sub(1).abs().le(1e-3))) add(zero_one ? "one-hot" : "softmaxed");
  }
  if (zeros > 0.5 && !whole) add("sparse");
  const double mean = found.mean.value_or(0), deviation = found.deviation.value_or(0);
  const double error = 0.02 + 4 / std::sqrt(static_cast<double>(t.numel()));
  const bool centred = std::abs(mean) < error && std::abs(deviation - 1) < error;
  if (low < 0 && !whole && zeros < 0.01 && centred) add("standard-normal");
  if (low >= 0 && high <= 1 && std::abs(mean - 0.5) < 0.05 && std::abs(deviation - 0.2887) < 0.03) add("uniform-01");
}

at::Tensor drawn(const at::Tensor& own, const std::string& distribution, bool non_negative) {
  const auto options = own.options().dtype(at::kFloat);
  const at::Tensor noise = at::randn(own.sizes(), options);
  at::Tensor values;
  if (distribution == "scaled") {
    values = own.to(at::kFloat) * kScale;
  } else if (distribution == "shifted") {
    const double deviation = own.numel() > 1 ? own.to(at::kFloat).std().item<double>() : 1;
    values = own.to(at::kFloat) + kScale * (std::isfinite(deviation) && deviation > 0 ? deviation : 1);
  } else if (distribution == "heavy-tailed") {
    values = noise * at::randn(own.sizes(), options).mul_(1.5).exp_();
  } else if (distribution == "sparse") {
    values = noise * at::rand(own.sizes(), options).lt(kKeptDensity).to(at::kFloat);
  } else {
    values = noise;
  }
  if (non_negative) values = values.abs();
  return values.to(own.scalar_type());
}

}  // namespace

InputStructure recognise(const std::string& name, const worker::Argument& input, const worker::Argument& other) {
  const c10::AutoGradMode no_grad(false);
  InputStructure found;
  found.name = name;
  if (!input.tensor) {
    found.dtype = input.python_type;
    if (other.plain == input.plain) found.structure.emplace_back("fixed");
    return found;
  }
  const at::Tensor& tensor = *input.tensor;
  found.dtype = worker::dtype_name(tensor.scalar_type());
  found.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
  if (tensor.numel() == 0 || tensor.is_complex()) return found;
  // A part of the rows tells as much as all of them.
  at::Tensor part = tensor;
  if (tensor.numel() > kMostLooked && tensor.dim() > 0 && tensor.size(0) > 1) {
    part = tensor.narrow(0, 0, std::max<std::int64_t>(1, tensor.size(0) * kMostLooked / tensor.numel()));
  }
  found.minimum = part.min().item().toDouble();
  found.maximum = part.max().item().toDouble();
  if (other.tensor && other.tensor->sizes() == tensor.sizes() && at::equal(*other.tensor, tensor)) {
    found.structure.emplace_back("fixed");
  }
  if (*found.minimum == *found.maximum) found.structure.emplace_back("constant");
  if (tensor.scalar_type() == at::kBool) {
    found.structure.emplace_back("mask");
  } else if (!tensor.is_floating_point()) {
    found.structure.emplace_back("integer");
    if (*found.minimum >= 0 && tensor.dim() <= 2) found.structure.emplace_back("labels");
  } else {
    found.mean = part.to(at::kFloat).mean().item<double>();
    if (part.numel() > 1) found.deviation = part.to(at::kFloat).std().item<double>();
    look_at_floats(part, found);
  }
  return found;
}

bool has(const InputStructure& structure, const char* property) {
  return std::find(structure.structure.begin(), structure.structure.end(), property) != structure.structure.end();
}

const std::vector<std::string>& distributions() {
  static const std::vector<std::string> names = {"own", "randn", "scaled", "shifted", "heavy-tailed", "sparse"};
  return names;
}

Redrawn redraw(const worker::Argument& own, const InputStructure& structure, const std::string& distribution,
               bool non_negative) {
  if (distribution == "own") return {own, "as it is"};
  if (!own.tensor) return {own, "kept: it is no tensor"};
  if (!own.tensor->is_floating_point() || own.tensor->numel() == 0) return {own, "kept: it is " + structure.dtype};
  for (const char* kept : {"mask", "one-hot", "signs", "integer", "constant"}) {
    if (has(structure, kept)) return {own, std::string("kept: ") + kept};
  }
  worker::Argument argument = own;
  at::Tensor values = drawn(*own.tensor, distribution, non_negative);
  std::string how = "drawn";
  if (has(structure, "triangular-upper")) values = values.triu();
  if (has(structure, "triangular-lower")) values = values.tril();
  if (has(structure, "triangular-upper") || has(structure, "triangular-lower")) how += ", triangle kept";
  if (has(structure, "sorted")) {
    values = std::get<0>(values.sort(-1));
    how += ", order kept";
  }
  if (has(structure, "softmaxed")) {
    values = values.softmax(-1);
    how += ", sums to one kept";
  }
  if (non_negative) how += ", not negative";
  argument.tensor = values;
  return {std::move(argument), how};
}

}  // namespace kernel_audit::filters
