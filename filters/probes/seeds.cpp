#include "filters/probes/seeds.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "filters/probes/guard.h"
#include "filters/probes/output_shares.h"
#include "filters/probes/seed_plan.h"
#include "filters/probes/tensor_statistics.h"
#include "filters/probes/trivial_answers.h"

namespace kernel_audit::filters {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// With smaller inputs the first forward is quicker than what torch imports at the first use of its meta device (1.5 s
// of processor time); outputs that do not fit are refused after it.
constexpr std::uint64_t kLookAheadBytes = std::uint64_t{128} << 20;
constexpr double kExtraShare = 0.2;  // of the time limit, for seeds beyond those to start with

class SeedsProbe {
 public:
  SeedsProbe(TaskSession& session, const Stopwatch& watch, TaskEvidence& evidence)
      : session_(session), watch_(watch), evidence_(evidence), wanted_(session.request().seeds) {}

  SeedsOutcome run() {
    evidence_.seed_limit = session_.request().max_seeds;
    for (int seed = 0;; ++seed) {
      if (seed >= wanted_ && !extend()) break;
      const double start = watch_.elapsed_s();
      if (seed > 0 && watch_.remaining_s() <= 0) {
        evidence_.seeds_stopped = "the time limit";
        if (seed >= 2 && !session_.request().fixed_seeds) break;
        stop("only " + std::to_string(seed) + " of " + std::to_string(wanted_) +
             " seeds were done within the time limit of " + format_seconds(watch_.limit_s()) + watch_.of_what());
        return outcome_;
      }
      if (!turn(seed)) return outcome_;
      const double seconds = watch_.elapsed_s() - start;
      latest_s_ = seconds;
      outcome_.seconds_per_seed = seed == 0 ? seconds : std::min(outcome_.seconds_per_seed, seconds);
      if (!planned_ && !plan(seed + 1)) return outcome_;
    }
    finish();
    return outcome_;
  }

 private:
  // One draw of weights and inputs. False: the reason is in evidence_.missing.
  bool turn(int seed) {
    const ProbeRequest& request = session_.request();
    bool weights_drawn = false;
    const std::uint64_t input_seed = request.first_input_seed() + static_cast<std::uint64_t>(seed);
    auto inputs = session_.draw_inputs(input_seed);
    if (!inputs) return stop(session_.explain(inputs.error()));
    std::optional<std::uint64_t> weight_seed;
    if (!request.fixed_seeds) weight_seed = kFirstSeed + static_cast<std::uint64_t>(seed % request.weight_seeds);
    auto model = session_.build(weight_seed, &weights_drawn);
    if (!model) return stop(session_.explain(model.error()));
    if (seed == 0 && bytes_of(*inputs) >= kLookAheadBytes) {
      if (!outputs_will_fit(*inputs)) return false;
      if (request.fixed_seeds) {  // the look ahead moved the random numbers
        model->reset();
        inputs = session_.draw_inputs(input_seed);
        if (!inputs) return stop(session_.explain(inputs.error()));
        model = session_.build(std::nullopt);
        if (!model) return stop(session_.explain(model.error()));
      }
    }
    auto result = session_.forward(**model, *inputs);
    if (!result) return stop(session_.explain(result.error()));
    outcome_.weights_drawn = weights_drawn;
    outcome_.random_forward = outcome_.random_forward || result->drew_random;
    if (seed == 0) {
      evidence_.input_bytes = bytes_of(*inputs);
      for (const worker::StateEntry& entry : (*model)->state()) evidence_.parameter_bytes += entry.tensor.nbytes();
      evidence_.output_bytes = result->bytes;
      if (!start(*result)) return false;
    } else if (!same_form(*result)) {
      return stop("number, shape or type of the outputs varies with the seed");
    }
    model->reset();
    forward_seconds_.push_back(result->seconds);
    for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i]->add(result->outputs[i]);
    if (request.preset.runs(kSharesProbe)) add_shares(result->outputs);
    evidence_.seeds = seed + 1;
    return !trivial_ || try_trivial_answers(*result, std::move(*inputs), input_seed);
  }

  void add_shares(const std::vector<at::Tensor>& outputs) {
    if (shares_.empty()) {
      const auto distance = threshold(session_.request().preset.policy, "filters.output-range.share_distance");
      for (const std::string& dtype : dtypes_) {
        shares_.emplace_back(distance.value_or(session_.request().tolerance(dtype).value().atol));
      }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      // The same memory as before holds the same values, whatever they were.
      const bool fresh = !previous_.empty() && previous_[i].const_data_ptr() != outputs[i].const_data_ptr();
      filters::add_shares(shares_[i], outputs[i], fresh ? &previous_[i] : nullptr);
    }
    previous_ = outputs;
  }

  // A fault of this probe alone leaves the seeds' statistics standing.
  bool try_trivial_answers(const ForwardResult& result, std::vector<worker::Argument> inputs,
                           std::uint64_t input_seed) {
    const Status tried = guarded([&]() -> Status {
      if (result.changed_inputs) {  // what forward overwrote would look like the answer
        auto again = session_.draw_inputs(input_seed);
        if (!again) return again.error();
        inputs = std::move(*again);
      }
      trivial_->add_seed(result.outputs, inputs);
      return Ok{};
    });
    if (!tried) {
      evidence_.missing[kTrivialProbe] = session_.explain(tried.error());
      trivial_.reset();
    }
    return true;
  }

  // Before the first forward, which may take minutes: will its outputs and their
  // spread over seeds fit?
  bool outputs_will_fit(const std::vector<worker::Argument>& inputs) {
    if (session_.request().device != "cpu") return true;  // they do not come to the host
    const auto elements = session_.predict_output_elements(kFirstSeed, inputs);
    if (!elements) return true;
    const std::uint64_t bytes = SeedSpread::bytes_needed(*elements) + 4 * static_cast<std::uint64_t>(*elements);
    const auto refusal = session_.budget().refuses(
        bytes, "an output of " + std::to_string(*elements) + " elements and its spread over seeds");
    return refusal ? stop(*refusal) : true;
  }

  bool start(const ForwardResult& first) {
    const auto tolerance = session_.request().tolerance(first.dtypes[0]);
    if (!tolerance) return stop(tolerance.error().describe());
    evidence_.atol = tolerance->atol;
    evidence_.rtol = tolerance->rtol;
    std::uint64_t bytes = 0;
    for (const at::Tensor& output : first.outputs) bytes += TensorSpread::host_bytes(output);
    if (const auto refusal = session_.budget().refuses(bytes, "the spread over seeds")) return stop(*refusal);
    std::vector<Tolerance> tolerances;
    for (std::size_t i = 0; i < first.outputs.size(); ++i) {
      const std::string name = first.outputs.size() == 1 ? "output" : "output." + std::to_string(i);
      outputs_.push_back(
          std::make_unique<TensorAccumulator>(name, first.dtypes[i], first.outputs[i], session_.budget()));
      tolerances.push_back(session_.request().tolerance(first.dtypes[i]).value());
      dtypes_.push_back(first.dtypes[i]);
      shapes_.push_back(first.outputs[i].sizes().vec());
    }
    if (session_.request().preset.runs(kTrivialProbe)) trivial_ = std::make_unique<TrivialAnswers>(tolerances);
    return true;
  }

  bool same_form(const ForwardResult& result) const {
    if (result.outputs.size() != shapes_.size() || result.dtypes != dtypes_) return false;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (result.outputs[i].sizes() != shapes_[i]) return false;
    }
    return true;
  }

  // After the seeds that were planned: more, while a verdict is near its threshold and the time for it lasts?
  bool extend() {
    const ProbeRequest& request = session_.request();
    if (request.fixed_seeds) {
      evidence_.seeds_stopped = "the preset is defined for " + std::to_string(request.seeds);
      return false;
    }
    if (wanted_ < request.seeds) {
      evidence_.seeds_stopped = "the time limit";
      return false;
    }
    std::string why;
    int most = request.max_seeds;
    for (std::size_t i = 0; i < outputs_.size() && why.empty(); ++i) {
      const auto tolerance = request.tolerance(dtypes_[i]);
      if (!tolerance) continue;
      const OutputStatistics so_far = outputs_[i]->finish();
      why = near_threshold(so_far, *tolerance, request.preset.policy).value_or("");
      if (!why.empty()) continue;
      why = below_dropping_line(so_far, *tolerance, request.preset.policy).value_or("");
      if (!why.empty()) most = std::min(most, kConfirmingSeeds);
    }
    if (why.empty() && trivial_ && trivial_->undecided()) why = "a trivial answer that some seeds accept";
    if (why.empty() && trivial_ && trivial_->any_accepted()) {
      why = "a trivial answer that every seed accepts";
      most = std::min(most, kConfirmingSeeds);
    }
    if (why.empty()) {
      evidence_.seeds_stopped = "no verdict is near its threshold";
      return false;
    }
    if (wanted_ >= most) {
      evidence_.seeds_stopped =
          most < request.max_seeds ? "they agree on " + why : "the limit, with a verdict near " + why;
      return false;
    }
    // Doubled each time, within a share of the time limit for all of them: by the clock, as a seed can come to cost
    // many times what the fastest one did.
    if (!extra_from_s_) extra_from_s_ = watch_.elapsed_s();
    const double spent = watch_.elapsed_s() - *extra_from_s_;
    const double left = std::min(kExtraShare * watch_.limit_s() - spent, watch_.remaining_s() / 2);
    const double fitting = latest_s_ > 0 ? std::clamp(left / latest_s_, 0.0, static_cast<double>(most)) : most;
    const int more = std::min({wanted_, most - wanted_, static_cast<int>(fitting)});
    if (more < 1) {
      evidence_.seeds_stopped = "the time limit, with more to ask about " + why;
      return false;
    }
    wanted_ += more;
    return true;
  }

  // After the first turns: do the others, and the same again with fixed weights, fit the time limit? The first turn
  // also starts the device, loads libraries and lets them choose their kernels, which can take longer than all the
  // rest: only a second one can say that the time does not suffice.
  bool plan(int done) {
    const double turns = std::floor(std::max(0.0, watch_.remaining_s()) / outcome_.seconds_per_seed);
    const bool again = outcome_.weights_drawn || outcome_.random_forward;  // needs a pass of its own (influence.h)
    const int needed = wanted_ - done + (again ? wanted_ : 0);
    planned_ = turns >= needed || done > 1;
    if (turns >= needed || done == 1) return true;
    if (!session_.request().fixed_seeds) {  // fewer seeds are better than none
      wanted_ = std::clamp(static_cast<int>(again ? (turns + done) / 2 : turns + done), 2, wanted_);
      return true;
    }
    return stop(std::to_string(needed + done) + " passes of about " + format_seconds(outcome_.seconds_per_seed) +
                " need " + format_seconds((needed + done) * outcome_.seconds_per_seed) + ", and the time limit is " +
                format_seconds(watch_.limit_s()) + watch_.of_what());
  }

  bool stop(const std::string& reason) {
    evidence_.missing[kWholeTask] = reason;
    return false;
  }

  void finish() {
    std::vector<std::vector<Range>> ranges;
    for (const auto& output : outputs_) {
      evidence_.outputs.push_back(output->finish());
      ranges.push_back(output->ranges());
    }
    if (trivial_) evidence_.trivial_answers = trivial_->finish(ranges);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Json shares = shares_[i].finish();
      shares["output"] = evidence_.outputs[i].name;
      evidence_.extra["shares"].push_back(std::move(shares));
    }
    if (forward_seconds_.size() > 1) forward_seconds_.erase(forward_seconds_.begin());  // it starts things up
    outcome_.fastest_forward_seconds = *std::min_element(forward_seconds_.begin(), forward_seconds_.end());
    outcome_.forward_seconds = median(forward_seconds_);
    evidence_.forward_ms = outcome_.forward_seconds * 1e3;
    outcome_.complete = true;
  }

  TaskSession& session_;
  const Stopwatch& watch_;
  TaskEvidence& evidence_;
  int wanted_;
  SeedsOutcome outcome_;
  std::vector<std::unique_ptr<TensorAccumulator>> outputs_;
  std::vector<std::string> dtypes_;
  std::vector<std::vector<std::int64_t>> shapes_;
  std::unique_ptr<TrivialAnswers> trivial_;
  std::vector<OutputShares> shares_;
  std::vector<at::Tensor> previous_;  // outputs of the seed before, for the shares
  std::vector<double> forward_seconds_;
  bool planned_ = false;
  double latest_s_ = 0;                 // what the last seed cost
  std::optional<double> extra_from_s_;  // when seeds beyond the first ones began
};

}  // namespace

SeedsOutcome run_seeds_probe(TaskSession& session, const Stopwatch& watch, TaskEvidence& evidence) {
  return SeedsProbe(session, watch, evidence).run();
}

}  // namespace kernel_audit::filters
