#include "filters/probes/distribution_probe.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "filters/probes/fixed_draw.h"
#include "filters/probes/guard.h"
#include "filters/probes/input_structure.h"
#include "filters/probes/retest.h"
#include "filters/probes/tensor_statistics.h"
#include "filters/probes/trivial_answers.h"
#include "filters/rules/calls.h"

namespace kernel_audit::filters {
namespace {

constexpr int kDraws = 2;
constexpr std::size_t kMostCalls = 12;  // tried again under each distribution

using Inputs = std::vector<worker::Argument>;

class DistributionProbe {
 public:
  DistributionProbe(TaskSession& session, const Stopwatch& watch, TaskEvidence& evidence)
      : session_(session),
        watch_(watch),
        evidence_(evidence),
        until_s_(watch.elapsed_s() + kDistributionShare * watch.limit_s()) {}

  Status run() {
    const c10::AutoGradMode no_grad(false);
    for (int k = 0; k < kDraws; ++k) {
      auto inputs = session_.draw_inputs(kFirstSeed + static_cast<std::uint64_t>(k));
      if (!inputs) return inputs.error();
      own_.push_back(std::move(*inputs));
    }
    if (own_[0].size() != own_[1].size()) {
      return Error{ErrorKind::kUsage, "the number of inputs varies with the seed", "", "", ""};
    }
    for (std::size_t i = 0; i < own_[0].size(); ++i) {
      evidence_.inputs.push_back(recognise(std::to_string(i), own_[0][i], own_[1][i]));
    }
    auto draw = FixedDraw::make(session_, kFirstSeed, kFirstSeed);
    if (!draw) return draw.error();
    draw_ = std::move(*draw);
    if (const auto repeated = draw_->establish(); !repeated) return repeated.error();
    if (draw_->changes_inputs()) {  // what was recognised is gone
      for (int k = 0; k < kDraws; ++k) {
        auto inputs = session_.draw_inputs(kFirstSeed + static_cast<std::uint64_t>(k));
        if (!inputs) return inputs.error();
        own_[static_cast<std::size_t>(k)] = std::move(*inputs);
      }
    }
    for (const OperatorCall& call : evidence_.calls) {
      const bool unnoticed = call.verdict == call_verdict::kDead || call.verdict == call_verdict::kRedundant;
      if (is_guard(call, session_.request().preset.policy)) continue;
      if (unnoticed && call.reaches_output && calls_.size() < kMostCalls) calls_.push_back(&call);
    }
    for (const std::string& name : distributions()) try_distribution(name);
    conclude();
    return Ok{};
  }

 private:
  double left() const { return std::min(until_s_, watch_.limit_s()) - watch_.elapsed_s(); }

  Inputs inputs_of(const std::string& name, int k, bool non_negative, std::vector<std::string>& how) {
    worker::seed_everything(kFirstSeed + 1000 + static_cast<std::uint64_t>(k));
    Inputs inputs;
    how.clear();
    const Inputs& own = own_[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < own.size(); ++i) {
      Redrawn redrawn =
          redraw(own[i], evidence_.inputs[i], name, non_negative && has(evidence_.inputs[i], "non-negative"));
      inputs.push_back(std::move(redrawn.argument));
      how.push_back(redrawn.how);
    }
    return inputs;
  }

  void try_distribution(const std::string& name) {
    DistributionResult result;
    result.name = name;
    const Status status = guarded([&]() -> Status {
      if (3 * draw_->seconds() > left()) return Error{ErrorKind::kTimeout, "no time was left for it", "", "", ""};
      if (const Status measured = measure(name, false, result); !measured) return measured;
      // A square root or a logarithm may need magnitudes: then the sign is structure too.
      const bool signed_matters = std::any_of(evidence_.inputs.begin(), evidence_.inputs.end(),
                                              [](const InputStructure& input) { return has(input, "non-negative"); });
      const std::int64_t own_bad = evidence_.distributions.empty() ? 0 : evidence_.distributions[0].nan_count;
      if (name == "own" || result.nan_count <= own_bad || !signed_matters) return Ok{};
      result = DistributionResult{};
      result.name = name;
      return measure(name, true, result);
    });
    if (!status) result.missing = session_.explain(status.error());
    evidence_.distributions.push_back(std::move(result));
  }

  Status measure(const std::string& name, bool non_negative, DistributionResult& result) {
    TrivialAnswers answers(draw_->tolerances());
    std::vector<std::vector<Range>> ranges;
    std::vector<at::Tensor> first;
    double spread_sum = 0;
    std::int64_t elements = 0;
    for (int k = kDraws - 1; k >= 0; --k) {  // the first draw last: calls are tried again on it
      draw_->replace_inputs(inputs_of(name, k, non_negative, result.inputs));
      if (const Status expected = draw_->expect_again(); !expected) return expected.error();
      const std::vector<at::Tensor>& outputs = draw_->expected();
      ranges.resize(outputs.size());
      std::vector<at::Tensor> values;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        values.push_back(to_values(outputs[i]));
        ranges[i].push_back(range_of(values.back()));
        if (k > 0 || i >= first.size() || first[i].sizes() != outputs[i].sizes()) continue;
        const auto comparison = compare_tensors(first[i], outputs[i], Tolerance{});
        const double root = std::sqrt(2.0);
        if (comparison) result.spread_max = std::max(result.spread_max.value_or(0), comparison->max_difference / root);
        const at::Tensor change = (first[i].to(at::kFloat) - outputs[i].to(at::kFloat)).abs();
        spread_sum += change.sum(at::kDouble).item<double>() / root;
        elements += outputs[i].numel();
      }
      if (k > 0) first = outputs;
      answers.add_seed(values,
                       draw_->changes_inputs() ? inputs_of(name, k, non_negative, result.inputs) : draw_->inputs());
      ++result.draws;
    }
    if (elements > 0 && std::isfinite(spread_sum)) result.spread_mean = spread_sum / static_cast<double>(elements);
    Range all;
    for (const auto& seeds : ranges) {
      for (const Range& range : seeds) all.merge(range);
    }
    if (all.finite > 0) {
      result.minimum = all.minimum;
      result.maximum = all.maximum;
      result.mean_absolute = all.sum_absolute / static_cast<double>(all.finite);
    }
    result.nan_count = all.nan;
    result.infinite_count = all.infinite;
    for (const TrivialAnswer& answer : answers.finish(ranges)) {
      // Equal weights: "another seed's output" is that of other inputs.
      if (answer.accepted && answer.seeds_tried > 0) result.accepted_answers.push_back(general_name(answer));
    }
    if (name == "own") return Ok{};
    MutantPasses passes(session_, *draw_, paths_);
    passes.record_tape(evidence_, count_witnesses(calls_), left());
    for (const OperatorCall* call : calls_) {
      if (left() < passes.seconds()) break;
      const Retest again = retest(passes, *call);
      if (again.tried) (again.noticed ? result.noticed : result.still_unnoticed).push_back(call->position);
    }
    return Ok{};
  }

  // The constant that fits differs from distribution to distribution.
  static std::string general_name(const TrivialAnswer& answer) {
    return answer.kind == "constant" ? "a constant" : answer.answer;
  }

  // A distribution has few draws, and what passes on them may do so by chance. Weights are fixed here: where the output
  // for other inputs passes under each seed's weights, other answers may pass under these.
  bool refused_on_more_seeds(const std::string& answer) const {
    const std::vector<TrivialAnswer>& tried = evidence_.trivial_answers;
    return !tried.empty() && std::none_of(tried.begin(), tried.end(), [&](const TrivialAnswer& other) {
      return other.accepted && (general_name(other) == answer || other.kind == "other-seed");
    });
  }

  // For each effect under the task's own inputs, the first distribution under which it is gone.
  void conclude() {
    if (evidence_.distributions.empty() || !evidence_.distributions[0].missing.empty()) return;
    for (const OperatorCall* call : calls_) {
      const std::string effect = "call " + std::to_string(call->position) + " " + call->op +
                                 (call->module.empty() ? "" : " (" + call->module + ")") + " is " + call->verdict +
                                 ": " + call->why;
      for (const DistributionResult& result : evidence_.distributions) {
        const auto& noticed = result.noticed;
        if (!is_new(result) || std::find(noticed.begin(), noticed.end(), call->position) == noticed.end()) continue;
        add_property(result.name, effect);
        break;
      }
    }
    for (const std::string& answer : evidence_.distributions[0].accepted_answers) {
      if (refused_on_more_seeds(answer)) continue;
      for (const DistributionResult& result : evidence_.distributions) {
        const auto& accepted = result.accepted_answers;
        if (!result.missing.empty() || result.draws < kDraws || result.nan_count > 0 || !is_new(result)) continue;
        if (std::find(accepted.begin(), accepted.end(), answer) != accepted.end()) continue;
        // Zeros are a constant: where another constant passes, nothing is gained.
        if (answer == "zeros" && std::find(accepted.begin(), accepted.end(), "a constant") != accepted.end()) continue;
        add_property(result.name, "the answer '" + answer + "' is accepted");
        break;
      }
    }
  }

  // Under "randn" these draw what they drew before: a difference there is chance.
  bool is_new(const DistributionResult& result) const {
    if (result.name != "randn") return true;
    return std::any_of(evidence_.inputs.begin(), evidence_.inputs.end(), [&](const InputStructure& input) {
      const std::size_t at = static_cast<std::size_t>(&input - evidence_.inputs.data());
      return at < result.inputs.size() && result.inputs[at].rfind("drawn", 0) == 0 && !has(input, "standard-normal");
    });
  }

  void add_property(const std::string& distribution, const std::string& effect) {
    const auto any = [&](const char* property) {
      return std::any_of(evidence_.inputs.begin(), evidence_.inputs.end(),
                         [&](const InputStructure& input) { return has(input, property); });
    };
    InputProperty property;
    property.effect = effect;
    property.shown_by = distribution;
    if (distribution == "randn") {
      property.property = any("non-negative") ? "non-negative" : any("sparse") ? "sparse" : "not standard normal";
      property.repair = "draw the inputs from randn";
    } else if (distribution == "scaled") {
      property.property = "small scale";
      property.repair = "multiply the inputs by 8";
    } else if (distribution == "shifted") {
      property.property = "centred near its own mean";
      property.repair = "shift the inputs by 8 of their deviations";
    } else if (distribution == "heavy-tailed") {
      property.property = "light tails";
      property.repair = "draw the inputs from a heavy-tailed distribution";
    } else {
      property.property = "dense";
      property.repair = "set nine tenths of the inputs to zero";
    }
    evidence_.input_properties.push_back(std::move(property));
  }

  TaskSession& session_;
  const Stopwatch& watch_;
  TaskEvidence& evidence_;
  double until_s_;
  ModulePaths paths_;
  std::vector<Inputs> own_;
  std::unique_ptr<FixedDraw> draw_;
  std::vector<const OperatorCall*> calls_;
};

}  // namespace

void run_distribution_probe(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                            TaskEvidence& evidence) {
  const double needed = 6 * seeds.seconds_per_seed;
  if (needed > watch.remaining_s()) {
    evidence.missing[kDistributionProbe] = "it needs at least " + format_seconds(needed) + ", and " +
                                           format_seconds(std::max(0.0, watch.remaining_s())) + " are left";
    return;
  }
  const Status status = guarded([&]() -> Status { return DistributionProbe(session, watch, evidence).run(); });
  if (!status) evidence.missing[kDistributionProbe] = session.explain(status.error());
}

}  // namespace kernel_audit::filters
