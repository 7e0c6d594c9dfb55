#include "filters/probes/fixed_draw.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "auditor/worker/tensor.h"
#include "filters/probes/guard.h"
#include "filters/probes/range_guard.h"

namespace kernel_audit::filters {
namespace {

constexpr std::int64_t kSlice = std::int64_t{1} << 24;

// The same arithmetic as compare(), where the tensors are. One synchronisation at the end.
Comparison compare_on_device(const at::Tensor& expected, const at::Tensor& answer, const Tolerance& tolerance) {
  const at::Tensor e_all = expected.reshape(-1), a_all = answer.reshape(-1);
  const auto options = at::TensorOptions().device(expected.device()).dtype(at::kDouble);
  at::Tensor largest = at::zeros({}, options), rejected = at::zeros({}, options), changed = at::zeros({}, options);
  for (std::int64_t at = 0; at < e_all.numel(); at += kSlice) {
    const std::int64_t count = std::min(kSlice, e_all.numel() - at);
    const at::Tensor e = e_all.narrow(0, at, count).to(at::kDouble), a = a_all.narrow(0, at, count).to(at::kDouble);
    const at::Tensor difference = (e - a).abs(), finite = difference.isfinite(), same = e == a;
    largest = at::maximum(largest, at::where(finite, difference, at::zeros({}, options)).max());
    const at::Tensor within = at::where(finite, difference <= a.abs().mul(tolerance.rtol).add(tolerance.atol), same);
    rejected += within.logical_not().sum();
    changed += finite.logical_or(same).logical_or(e.isnan().logical_and(a.isnan())).logical_not().sum();
  }
  const at::Tensor all = at::stack({largest, rejected, changed}).cpu();
  const double* const values = all.const_data_ptr<double>();
  return {values[0], static_cast<std::int64_t>(values[1]), static_cast<std::int64_t>(values[2])};
}

}  // namespace

std::optional<Comparison> compare_tensors(const at::Tensor& expected, const at::Tensor& answer,
                                          const Tolerance& tolerance) {
  if (expected.sizes() != answer.sizes() || expected.is_complex() || answer.is_complex()) return std::nullopt;
  if (expected.is_cpu() && answer.is_cpu()) {
    const at::Tensor e = to_host(expected), a = to_host(answer);
    return compare(view_of(e), view_of(a), tolerance);
  }
  const c10::AutoGradMode no_grad(false);
  return compare_on_device(expected, answer.to(expected.device()), tolerance);
}

Result<std::unique_ptr<FixedDraw>> FixedDraw::make(TaskSession& session, std::uint64_t weight_seed,
                                                   std::uint64_t input_seed) {
  auto draw = std::unique_ptr<FixedDraw>(new FixedDraw(session, weight_seed, input_seed));
  if (const Status built = draw->build(); !built) return built.error();
  auto inputs = session.draw_inputs(input_seed);
  if (!inputs) return inputs.error();
  draw->inputs_ = std::move(*inputs);
  return draw;
}

Status FixedDraw::build() {
  model_.reset();
  kept_.clear();
  auto model = session_.build(weight_seed_);
  if (!model) return model.error();
  model_ = std::move(*model);
  return guarded([&]() -> Status {
    for (const worker::StateEntry& entry : model_->state()) {
      kept_.push_back({entry.tensor, entry.is_parameter ? at::Tensor() : entry.tensor.clone(),
                       static_cast<std::uint32_t>(entry.tensor._version())});
    }
    return Ok{};
  });
}

void FixedDraw::replace_inputs(std::vector<worker::Argument> inputs) {
  inputs_ = std::move(inputs);
  given_inputs_ = true;
  replaced_.clear();
  versions_.clear();
  for (const worker::Argument& input : inputs_) {
    if (changes_inputs_ && input.tensor) replaced_.push_back(input.tensor->clone());
  }
}

// Undoes what the pass before has written.
Status FixedDraw::restore() {
  bool inputs_changed = false, parameters_changed = false;
  for (std::size_t i = 0; i < versions_.size(); ++i) {
    inputs_changed = inputs_changed || (inputs_[i].tensor && inputs_[i].tensor->_version() != versions_[i]);
  }
  if (inputs_changed && !given_inputs_) {
    auto inputs = session_.draw_inputs(input_seed_);
    if (!inputs) return inputs.error();
    inputs_ = std::move(*inputs);
  } else if (inputs_changed) {
    std::size_t next = 0;
    for (worker::Argument& input : inputs_) {
      if (!input.tensor) continue;
      if (next >= replaced_.size())
        return Error{ErrorKind::kTool, "forward changed inputs that were given", "", "", ""};
      input.tensor = replaced_[next++].clone();
    }
  }
  const c10::AutoGradMode no_grad(false);
  for (Kept& kept : kept_) {
    if (kept.live._version() == kept.version) continue;
    if (!kept.original.defined()) {
      parameters_changed = true;
      break;
    }
    kept.live.copy_(kept.original);
    kept.version = static_cast<std::uint32_t>(kept.live._version());
  }
  if (fresh_model_ || parameters_changed) {
    if (const Status built = build(); !built) return built;
  }
  versions_.clear();
  for (const worker::Argument& input : inputs_) versions_.push_back(input.tensor ? input.tensor->_version() : 0);
  return Ok{};
}

Result<std::vector<at::Tensor>> FixedDraw::pass(CallObserver* observer) {
  auto result = session_.forward_raw(*model_, inputs_, kForwardSeed, observer);
  if (!result) return result.error();
  forward_s_ = result->seconds;
  drew_random_ = drew_random_ || result->drew_random;
  changes_inputs_ = changes_inputs_ || result->changed_inputs;
  if (observer == nullptr && (fastest_forward_s_ == 0 || result->seconds < fastest_forward_s_)) {
    fastest_forward_s_ = result->seconds;
  }
  return std::move(result->outputs);
}

Result<std::vector<at::Tensor>> FixedDraw::run(CallObserver* observer) {
  RangeGuard guard;
  if (observer == nullptr && given_inputs_) observer = &guard;
  const Stopwatch watch(0, /*processor_time=*/session_.request().device == "cpu");
  return guarded([&]() -> Result<std::vector<at::Tensor>> {
    if (const Status restored = restore(); !restored) return restored.error();
    auto outputs = pass(observer);
    seconds_ = watch.elapsed_s();
    return outputs;
  });
}

Result<std::vector<at::Tensor>> FixedDraw::run_traced(CallTrace& trace) {
  return guarded([&]() -> Result<std::vector<at::Tensor>> {
    if (const Status restored = restore(); !restored) return restored.error();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].tensor) trace.know_input(std::to_string(i), *inputs_[i].tensor);
    }
    for (const worker::StateEntry& entry : model_->state()) trace.know_state(entry.name, entry.tensor);
    return pass(&trace);
  });
}

Status FixedDraw::keep_expected(std::vector<at::Tensor>& outputs) {
  return guarded([&]() -> Status {
    expected_.clear();
    tolerances_.clear();
    refused_by_itself_.clear();
    for (at::Tensor& output : outputs) {
      // What shares memory with an input, the state or a later pass would change under us.
      expected_.push_back(output.clone());
      output.reset();
      const auto tolerance = session_.request().tolerance(worker::dtype_name(expected_.back().scalar_type()));
      if (!tolerance) return tolerance.error();
      tolerances_.push_back(*tolerance);
      const auto itself = compare_tensors(expected_.back(), expected_.back(), *tolerance);
      if (!itself) return Error{ErrorKind::kUsage, "the output cannot be compared", "", "", ""};
      refused_by_itself_.push_back(itself->rejected);
    }
    return Ok{};
  });
}

Status FixedDraw::expect_again() {
  auto outputs = run();
  if (!outputs) return outputs.error();
  return keep_expected(*outputs);
}

Result<double> FixedDraw::establish() {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (const Status kept = expect_again(); !kept) return kept.error();
    auto again = run();
    if (!again) return again.error();
    const Difference difference = judge(*again);
    repeat_change_ = difference.max_error.value_or(std::numeric_limits<double>::infinity());
    if (!difference.noticed && (repeat_change_ == 0 || attempt == 1)) return repeat_change_;
    if (attempt == 0) fresh_model_ = true;
  }
  return repeat_change_;
}

bool FixedDraw::accepts_itself() const {
  return std::all_of(refused_by_itself_.begin(), refused_by_itself_.end(),
                     [](std::int64_t count) { return count == 0; });
}

Difference FixedDraw::judge(const std::vector<at::Tensor>& outputs) const {
  Difference difference;
  if (outputs.size() != expected_.size()) return {true, true, std::nullopt};
  double largest = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::optional<Comparison> comparison;
    if (outputs[i].scalar_type() == expected_[i].scalar_type()) {
      comparison = compare_tensors(expected_[i], outputs[i], tolerances_[i]);
    }
    if (!comparison) return {true, true, std::nullopt};
    largest = std::max(largest, comparison->max_difference);
    const bool turned = comparison->finiteness_changed > 0;
    difference.noticed = difference.noticed || turned || comparison->rejected > refused_by_itself_[i];
    difference.noticed_exact = difference.noticed_exact || turned || comparison->max_difference > 2 * repeat_change_;
  }
  difference.max_error = largest;
  return difference;
}

}  // namespace kernel_audit::filters
