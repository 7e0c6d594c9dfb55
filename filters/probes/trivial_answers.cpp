#include "filters/probes/trivial_answers.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "filters/probes/fixed_draw.h"
#include "filters/probes/tensor_statistics.h"

namespace kernel_audit::filters {
namespace {

// On the host small enough to stay in the cache; on an accelerator each slice waits for the device once.
constexpr std::int64_t kHostSlice = std::int64_t{1} << 22, kDeviceSlice = std::int64_t{1} << 28;

bool broadcasts_to(at::IntArrayRef from, at::IntArrayRef to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    const std::int64_t size = from[from.size() - i];
    if (size != 1 && size != to[to.size() - i]) return false;
  }
  return true;
}

// Compares `answer`, broadcast to the shape of `expected`, slice by slice along the first axis.
Comparison compare_broadcast(const at::Tensor& expected, const at::Tensor& answer, const Tolerance& tolerance) {
  // Both are values of one shape: there is a comparison.
  if (expected.dim() == 0) return *compare_tensors(expected, to_values(answer.reshape({})), tolerance);
  const at::Tensor expanded = answer.expand(expected.sizes());
  const std::int64_t rows = expected.size(0);
  const std::int64_t per_row = rows > 0 ? std::max<std::int64_t>(1, expected.numel() / rows) : 1;
  const std::int64_t step = std::max<std::int64_t>(1, (expected.is_cpu() ? kHostSlice : kDeviceSlice) / per_row);
  Comparison total;
  for (std::int64_t row = 0; row < rows; row += step) {
    const std::int64_t count = std::min(step, rows - row);
    const at::Tensor slice = to_values(expanded.narrow(0, row, count));
    const Comparison part = *compare_tensors(expected.narrow(0, row, count), slice, tolerance);
    total.max_difference = std::max(total.max_difference, part.max_difference);
    total.rejected += part.rejected;
    total.finiteness_changed += part.finiteness_changed;
  }
  return total;
}

void record(TrivialAnswer& answer, bool accepted, double error) {
  ++answer.seeds_tried;
  answer.seeds_accepted += accepted;
  answer.accepted = answer.seeds_accepted == answer.seeds_tried;
  answer.max_error = std::max(answer.max_error.value_or(0), error);
}

std::string constant_name(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "constant %.6g", value);
  return text;
}

}  // namespace

TrivialAnswer& TrivialAnswers::entry(const std::string& name, const std::string& kind) {
  for (TrivialAnswer& answer : answers_) {
    if (answer.answer == name) return answer;
  }
  answers_.emplace_back().answer = name;
  answers_.back().kind = kind;
  return answers_.back();
}

void TrivialAnswers::try_answer(const std::string& name, const std::string& kind,
                                const std::vector<at::Tensor>& expected, const at::Tensor& answer) {
  TrivialAnswer& result = entry(name, kind);
  bool accepted = true;
  double error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!broadcasts_to(answer.sizes(), expected[i].sizes())) {
      result.missing = "its shape does not fit the output";
      return;
    }
    const Comparison comparison = compare_broadcast(expected[i], answer, tolerances_[i]);
    accepted = accepted && comparison.rejected == 0;
    error = std::max(error, comparison.max_difference);
  }
  record(result, accepted, error);
}

// Slices of an input that have the shape of the output: its first elements along every axis, or the first or last
// slice along an axis that the output lacks or has with size 1.
void TrivialAnswers::try_parts(const std::string& name, const std::vector<at::Tensor>& expected,
                               const at::Tensor& input) {
  const at::IntArrayRef wanted = expected[0].sizes();
  const std::int64_t axes = input.dim();
  if (axes == static_cast<std::int64_t>(wanted.size())) {
    at::Tensor part = input;
    for (std::int64_t axis = 0; axis < axes; ++axis) {
      if (input.size(axis) < wanted[axis]) return;
      part = part.narrow(axis, 0, wanted[axis]);
    }
    try_answer("the first elements of " + name, "input-part", expected, part);
  }
  for (std::int64_t axis = 0; axis < axes; ++axis) {
    if (input.size(axis) < 2) continue;
    at::Tensor last = input.select(axis, input.size(axis) - 1), first = input.select(axis, 0);
    if (axes == static_cast<std::int64_t>(wanted.size())) {
      last = last.unsqueeze(axis);
      first = first.unsqueeze(axis);
    }
    if (last.sizes() != wanted) continue;
    const std::string place = " slice along axis " + std::to_string(axis) + " of " + name;
    try_answer("the last" + place, "input-part", expected, last);
    try_answer("the first" + place, "input-part", expected, first);
  }
}

void TrivialAnswers::try_previous(const std::vector<at::Tensor>& expected) {
  if (previous_.empty()) return;
  TrivialAnswer& result = entry("another seed's output", "other-seed");
  bool accepted = true;
  double error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].numel() > 0 && expected[i].const_data_ptr() == previous_[i].const_data_ptr()) {
      result.missing = "forward returns the same memory each time";
      return;
    }
    const Comparison comparison = *compare_tensors(expected[i], previous_[i], tolerances_[i]);
    accepted = accepted && comparison.rejected == 0;
    error = std::max(error, comparison.max_difference);
  }
  record(result, accepted, error);
}

void TrivialAnswers::add_seed(const std::vector<at::Tensor>& expected, const std::vector<worker::Argument>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = "input " + std::to_string(i);
    if (!inputs[i].tensor) {
      entry(name, "input").missing = "it is not a tensor";
    } else if (inputs[i].tensor->is_complex()) {
      entry(name, "input").missing = "it is complex";
    } else {
      try_answer(name, "input", expected, *inputs[i].tensor);
      if (!broadcasts_to(inputs[i].tensor->sizes(), expected[0].sizes())) try_parts(name, expected, *inputs[i].tensor);
    }
  }
  try_previous(expected);
  previous_ = expected;
}

bool TrivialAnswers::undecided() const {
  return std::any_of(answers_.begin(), answers_.end(), [](const TrivialAnswer& answer) {
    return answer.seeds_accepted > 0 && answer.seeds_accepted < answer.seeds_tried;
  });
}

bool TrivialAnswers::any_accepted() const {
  return std::any_of(answers_.begin(), answers_.end(), [](const TrivialAnswer& answer) { return answer.accepted; });
}

std::vector<TrivialAnswer> TrivialAnswers::finish(const std::vector<std::vector<Range>>& ranges) const {
  const std::size_t outputs = ranges.size(), seeds = outputs > 0 ? ranges[0].size() : 0;
  // One constant per output, the same on every seed: what holds for the joined range holds for each.
  std::vector<double> constants;
  for (std::size_t i = 0; i < outputs; ++i) {
    Range all;
    for (const Range& range : ranges[i]) all.merge(range);
    const auto accepted = accepted_constant(all, tolerances_[i]);
    constants.push_back(accepted.value_or(all.finite > 0 ? all.minimum + (all.maximum - all.minimum) / 2 : 0));
  }
  const auto judge = [&](TrivialAnswer& answer, const std::vector<double>& values) {
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      bool accepted = true;
      double error = 0;
      for (std::size_t i = 0; i < outputs; ++i) {
        accepted = accepted && accepts_constant(ranges[i][seed], values[i], tolerances_[i]);
        if (ranges[i][seed].finite > 0) error = std::max(error, constant_error(ranges[i][seed], values[i]));
      }
      record(answer, accepted, error);
    }
  };
  std::vector<TrivialAnswer> all;
  all.emplace_back().answer = "zeros";
  all.back().kind = "zeros";
  judge(all.back(), std::vector<double>(outputs, 0.0));
  if (!all.back().accepted) {
    all.emplace_back().answer = outputs == 1 ? constant_name(constants[0]) : "the best constant for each output";
    all.back().kind = "constant";
    judge(all.back(), constants);
  }
  all.insert(all.end(), answers_.begin(), answers_.end());
  return all;
}

}  // namespace kernel_audit::filters
