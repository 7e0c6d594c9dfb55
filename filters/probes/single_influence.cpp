#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "auditor/process/device_turns.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/guard.h"
#include "filters/probes/influence.h"
#include "filters/probes/mutant_passes.h"
#include "filters/probes/range_guard.h"
#include "filters/probes/tensor_statistics.h"
#include "filters/probes/variations.h"

namespace kernel_audit::filters {
namespace {

// Beyond "resample", which answers whether an input matters at all, variations only describe how: they get
// this share of the time limit.
constexpr double kDescriptiveShare = 0.15;
constexpr std::size_t kLeastForTape = 12;   // parameters and buffers: recording costs two passes
constexpr std::size_t kMostDescribed = 24;  // parameters and buffers: in larger models each is one of many

class SingleInfluences {
 public:
  SingleInfluences(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds, TaskEvidence& evidence)
      : session_(session), watch_(watch), evidence_(evidence), pass_seconds_(seeds.seconds_per_seed) {}

  Status run() {
    auto model = session_.build(kFirstSeed);
    if (!model) return model.error();
    model_ = std::move(*model);
    if (const Status drawn = draw(); !drawn) return drawn;
    if (const Status base = run_base(); !base) return base;
    for (std::size_t i = 0; i < inputs_.size(); ++i) vary_one_input(i, "resample");
    if (session_.request().preset.runs(kParameterInfluence)) vary_all_state();
    const double limit = watch_.elapsed_s() + kDescriptiveShare * watch_.limit_s();
    const std::vector<worker::StateEntry> state = model_->state();
    for (const std::string& variation : input_variations()) {
      if (variation == "resample") continue;
      for (std::size_t i = 0; i < inputs_.size(); ++i) vary_one_input(i, variation, limit);
    }
    if (session_.request().preset.runs(kParameterInfluence) && state.size() <= kMostDescribed) {
      for (const worker::StateEntry& entry : state) describe_state(entry, limit);
    }
    return Ok{};
  }

 private:
  Status draw() {
    auto inputs = session_.draw_inputs(kFirstSeed);
    if (!inputs) return inputs.error();
    auto others = session_.draw_inputs(kFirstSeed + 1);
    if (!others) return others.error();
    if (others->size() != inputs->size()) {
      return Error{ErrorKind::kUsage, "the number of inputs varies with the seed", "", "", ""};
    }
    inputs_ = std::move(*inputs);
    others_ = std::move(*others);
    return Ok{};
  }

  Result<ForwardResult> forward(const std::vector<worker::Argument>& inputs) {
    const double start = watch_.elapsed_s();
    RangeGuard guard;
    auto result = session_.forward(*model_, inputs, kForwardSeed, &guard);
    if (result && result->changed_inputs) {
      if (const Status drawn = draw(); !drawn) return drawn.error();
    }
    pass_seconds_ = watch_.elapsed_s() - start;
    return result;
  }

  Result<std::vector<at::Tensor>> outputs_of(const std::vector<worker::Argument>& inputs) {
    auto result = forward(inputs);
    if (!result) return result.error();
    return std::move(result->outputs);
  }

  // Most parameters are read by a part of the pass, and a tape runs that part alone, without Python.
  void record_tape() {
    const Status recorded = guarded([&]() -> Status {
      const ModulePaths paths;
      TapeRecorder recorder(paths, session_.request().device, tape_room_bytes(session_));
      auto pass = session_.forward_raw(*model_, inputs_, kForwardSeed, &recorder);
      if (!pass) return pass.error();
      if (pass->changed_inputs) {
        const Status drawn = draw();
        return drawn ? no_tape("forward writes to its inputs") : drawn;
      }
      auto tape = recorder.finish(pass->outputs);
      if (!tape) return tape.error();
      if (tape->calls.size() < static_cast<std::size_t>(session_.request().tape_from_calls)) {
        return no_tape("it would have few calls");
      }
      tape_.emplace(std::move(*tape));
      const auto again = values_of(tape_->run());
      if (!again) return again.error();
      return repeats(*again) ? Status(Ok{}) : no_tape("its replay gives other outputs than forward");
    });
    if (!recorded) drop_tape(session_.explain(recorded.error()));
  }

  static Status no_tape(const std::string& reason) { return Error{ErrorKind::kUsage, reason, "", "", ""}; }

  void drop_tape(const std::string& reason) {
    tape_.reset();
    evidence_.extra["influence_tape"]["missing"] = reason;
  }

  static Result<std::vector<at::Tensor>> values_of(Result<std::vector<at::Tensor>> outputs) {
    if (!outputs) return outputs;
    for (at::Tensor& output : *outputs) output = to_values(output);
    return outputs;
  }

  double repeat_change() const { return evidence_.extra.at("repeat_max_change").get<double>(); }
  bool repeats(const std::vector<at::Tensor>& outputs) const {
    return largest_change(outputs).first <= repeat_change();
  }

  // While `state` holds other values. The tape is believed after it said the same as a pass of the model, and never
  // that nothing changes: what reads memory unseen by torch is not on it.
  Result<std::vector<at::Tensor>> outputs_under(const at::Tensor& state) {
    if (!tape_) return outputs_of(inputs_);
    session_.turns().work();
    const double start = watch_.elapsed_s();
    auto replayed = guarded([&] { return values_of(tape_->run_changed(state)); });
    if (session_.request().device == "cuda") at::detail::getCUDAHooks().deviceSynchronize(0);
    const double seconds = watch_.elapsed_s() - start;
    if (replayed && tape_trusted_ && is_noticed(*replayed)) {
      pass_seconds_ = seconds;
      evidence_.extra["influence_tape"]["replays"] = ++replays_;
      return replayed;
    }
    auto outputs = outputs_of(inputs_);
    if (!replayed || !outputs) return outputs;
    const double difference = std::abs(largest_change(*replayed).first - largest_change(*outputs).first);
    if (difference > 2 * repeat_change()) {
      drop_tape("a replay says another thing than a pass");
    } else {
      tape_trusted_ = tape_trusted_ || is_noticed(*outputs);
    }
    return outputs;
  }

  bool is_noticed(const std::vector<at::Tensor>& outputs) const {
    const auto [change, output] = largest_change(outputs);
    return change > evidence_.atol + evidence_.rtol * evidence_.outputs[output].mean_absolute.value_or(0);
  }

  // The expected outputs, twice: where equal inputs give unequal outputs no change can be put down to an input.
  Status run_base() {
    auto base = forward(inputs_);
    if (!base) return base.error();
    for (const at::Tensor& output : base->outputs) base_.push_back(output.clone());  // it may alias an input
    base->outputs.clear();
    auto again = forward(inputs_);
    if (!again) return again.error();
    evidence_.extra["repeat_max_change"] = largest_change(again->outputs).first;
    if (is_noticed(again->outputs)) {
      return Error{ErrorKind::kUsage, "forward gives different outputs for equal inputs and random numbers", "", "",
                   ""};
    }
    return Ok{};
  }

  // Largest |change| against the base and the index of the output that has it.
  std::pair<double, std::size_t> largest_change(const std::vector<at::Tensor>& outputs) const {
    double largest = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < base_.size(); ++i) {
      const bool same_shape = i < outputs.size() && outputs[i].sizes() == base_[i].sizes();
      double change = std::numeric_limits<double>::max();  // another shape, or values that turn finite or not
      if (same_shape) {
        const auto comparison = compare_tensors(base_[i], outputs[i], Tolerance{});
        if (comparison && comparison->finiteness_changed == 0) change = comparison->max_difference;
      }
      if (change > largest) {
        largest = change;
        where = i;
      }
    }
    return {largest, where};
  }

  void record(Influence influence, const Result<std::vector<at::Tensor>>& outputs) {
    if (!outputs) {
      influence.missing = session_.explain(outputs.error());
    } else {
      const auto [change, output] = largest_change(*outputs);
      influence.max_change = change;
      influence.output = evidence_.outputs[output].name;
      influence.output_scale = evidence_.outputs[output].mean_absolute;
    }
    evidence_.influences.push_back(std::move(influence));
  }

  // False when no further pass fits; `influence` then says so.
  bool fits(Influence& influence, double until_s) const {
    const double left = std::min(until_s, watch_.limit_s()) - watch_.elapsed_s();
    if (pass_seconds_ <= left) return true;
    influence.missing = "not run: a pass needs about " + format_seconds(pass_seconds_) + " and " +
                        format_seconds(std::max(0.0, left)) + " are left for it";
    return false;
  }

  void vary_one_input(std::size_t index, const std::string& variation,
                      double until_s = std::numeric_limits<double>::infinity()) {
    Influence influence;
    influence.kind = "input";
    influence.name = std::to_string(index);
    influence.variation = variation;
    if (!fits(influence, until_s)) {
      evidence_.influences.push_back(std::move(influence));
      return;
    }
    const auto varied =
        guarded([&]() -> Result<Varied> { return vary_input(inputs_[index], others_[index], variation); });
    if (!varied || !varied->missing.empty()) {
      influence.missing = varied ? varied->missing : session_.explain(varied.error());
      evidence_.influences.push_back(std::move(influence));
      return;
    }
    std::vector<worker::Argument> arguments = inputs_;
    arguments[index] = varied->argument;
    record(std::move(influence), guarded([&] { return outputs_of(arguments); }));
  }

  void vary_all_state() {
    const std::vector<worker::StateEntry> state = model_->state();
    const bool buffers_matter = !vary_all_buffers(state);
    if (state.size() >= kLeastForTape) record_tape();
    std::size_t left_out = 0;
    for (const worker::StateEntry& entry : state) {
      if (!entry.is_parameter && !buffers_matter) continue;
      Influence influence;
      influence.kind = entry.is_parameter ? "parameter" : "buffer";
      influence.name = entry.name;
      if (!fits(influence, std::numeric_limits<double>::infinity())) {
        left_out += entry.is_parameter;
        continue;
      }
      influence.variation = state_variations(entry.is_parameter).front();
      vary_state_entry(entry, std::move(influence));
    }
    if (left_out > 0) {
      evidence_.missing[kParameterInfluence] = std::to_string(left_out) + " of " + std::to_string(state.size()) +
                                               " parameters and buffers, a pass for each of about " +
                                               format_seconds(pass_seconds_) + ", did not fit the time limit of " +
                                               format_seconds(watch_.limit_s()) + watch_.of_what();
    }
  }

  // Running statistics are many, and in train mode nothing reads them: one pass shows it of all. False: it does not,
  // and each must be varied by itself.
  bool vary_all_buffers(const std::vector<worker::StateEntry>& state) {
    const c10::AutoGradMode no_grad(false);
    const std::string& variation = state_variations(/*is_parameter=*/false).front();
    std::vector<std::pair<at::Tensor, at::Tensor>> originals;
    std::vector<Influence> varied, fixed;
    const auto unnoticed = guarded([&]() -> Result<bool> {
      for (const worker::StateEntry& entry : state) {
        if (entry.is_parameter) continue;
        Influence influence;
        influence.kind = "buffer";
        influence.name = entry.name;
        influence.variation = variation;
        worker::seed_everything(kFirstSeed + 1);
        const Varied other = vary_state(entry.tensor, entry.is_parameter, variation);
        influence.missing = other.missing;
        (influence.missing.empty() ? varied : fixed).push_back(std::move(influence));
        if (!other.missing.empty()) continue;
        originals.emplace_back(entry.tensor, entry.tensor.clone());
        originals.back().first.copy_(*other.argument.tensor);
      }
      if (varied.size() < 2 || !fits(varied.front(), std::numeric_limits<double>::infinity())) return false;
      auto result = forward(inputs_);
      if (!result) return result.error();
      const auto [change, output] = largest_change(result->outputs);
      for (Influence& influence : varied) {
        influence.max_change = change;
        influence.output = evidence_.outputs[output].name;
        influence.output_scale = evidence_.outputs[output].mean_absolute;
      }
      return change <= repeat_change();
    });
    for (auto& [buffer, original] : originals) buffer.copy_(original);
    session_.budget().take_refusal();
    if (!unnoticed || !*unnoticed) return false;
    for (std::vector<Influence>* list : {&varied, &fixed}) {
      evidence_.influences.insert(evidence_.influences.end(), list->begin(), list->end());
    }
    return true;
  }

  void describe_state(const worker::StateEntry& entry, double until_s) {
    const std::vector<std::string>& variations = state_variations(entry.is_parameter);
    for (std::size_t i = 1; i < variations.size(); ++i) {
      Influence influence;
      influence.kind = entry.is_parameter ? "parameter" : "buffer";
      influence.name = entry.name;
      influence.variation = variations[i];
      if (fits(influence, until_s)) {
        vary_state_entry(entry, std::move(influence));
      } else {
        evidence_.influences.push_back(std::move(influence));
      }
    }
  }

  void vary_state_entry(const worker::StateEntry& entry, Influence influence) {
    const c10::AutoGradMode no_grad(false);
    const auto varied = guarded([&]() -> Result<Varied> {
      worker::seed_everything(kFirstSeed + 1);
      return vary_state(entry.tensor, entry.is_parameter, influence.variation);
    });
    if (!varied || !varied->missing.empty()) {
      influence.missing = varied ? varied->missing : session_.explain(varied.error());
      evidence_.influences.push_back(std::move(influence));
      return;
    }
    at::Tensor target = entry.tensor;
    const auto outputs = guarded([&]() -> Result<std::vector<at::Tensor>> {
      const at::Tensor original = target.clone();
      target.copy_(*varied->argument.tensor);
      auto outcome = outputs_under(target);
      target.copy_(original);
      return outcome;
    });
    record(std::move(influence), outputs);
  }

  TaskSession& session_;
  const Stopwatch& watch_;
  TaskEvidence& evidence_;
  double pass_seconds_;
  std::unique_ptr<worker::ModelInstance> model_;
  std::vector<worker::Argument> inputs_, others_;
  std::vector<at::Tensor> base_;
  std::optional<TapeReplay> tape_;
  bool tape_trusted_ = false;
  int replays_ = 0;
};

}  // namespace

void run_single_influences(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                           TaskEvidence& evidence) {
  const Status status = guarded([&]() -> Status { return SingleInfluences(session, watch, seeds, evidence).run(); });
  if (!status) evidence.missing[kInfluenceProbe] = session.explain(status.error());
}

}  // namespace kernel_audit::filters
