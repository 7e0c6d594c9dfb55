#include "filters/probes/forward_answers.h"

#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <utility>

#include "auditor/worker/tensor.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/guard.h"
#include "filters/probes/range_guard.h"

namespace kernel_audit::filters {
namespace {

constexpr double kShare = 0.15;  // of the time limit
constexpr int kDraws = 2;
constexpr std::int64_t kMostAxes = 3;  // of one input, from the last

// The first half of an axis in place of the second: what a sum, a mean or a maximum over half of it would see.
at::Tensor first_half_twice(const at::Tensor& tensor, std::int64_t axis) {
  const std::int64_t size = tensor.size(axis), half = (size + 1) / 2;
  return at::cat({tensor.narrow(axis, 0, half), tensor.narrow(axis, 0, size - half)}, axis);
}

class ForwardAnswers {
 public:
  ForwardAnswers(TaskSession& session, const Stopwatch& watch, TaskEvidence& evidence)
      : session_(session), watch_(watch), evidence_(evidence), until_s_(watch.elapsed_s() + kShare * watch.limit_s()) {}

  Status run(double pass_seconds) {
    const c10::AutoGradMode no_grad(false);
    for (int k = 0; k < kDraws; ++k) {
      if (3 * pass_seconds > left()) {
        if (k > 0) break;
        return Error{ErrorKind::kTimeout, "passes of about " + format_seconds(pass_seconds) + " did not fit", "", "",
                     ""};
      }
      const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(k);
      auto draw = FixedDraw::make(session_, seed, seed);
      if (!draw) return draw.error();
      const auto repeated = (*draw)->establish();
      if (!repeated) return repeated.error();
      try_draw(**draw, seed);
    }
    evidence_.trivial_answers.insert(evidence_.trivial_answers.end(), answers_.begin(), answers_.end());
    return Ok{};
  }

 private:
  double left() const { return std::min(until_s_, watch_.limit_s()) - watch_.elapsed_s(); }

  void try_draw(FixedDraw& draw, std::uint64_t seed) {
    const std::vector<worker::Argument> own = pristine(draw, seed);
    try_low_precision(draw, own, seed);
    if (auto other = session_.draw_inputs(seed + 1)) {
      try_inputs(draw, "other-seed", "the output for another seed's inputs", std::move(*other));
    }
    try_half_rows(draw, own);
    for (std::size_t i = 0; i < own.size(); ++i) try_half_axes(draw, own, i);
  }

  std::vector<worker::Argument> pristine(FixedDraw& draw, std::uint64_t seed) {
    if (!draw.changes_inputs()) return draw.inputs();
    auto drawn = session_.draw_inputs(seed);
    return drawn ? std::move(*drawn) : std::vector<worker::Argument>();
  }

  static std::int64_t rows_of(const FixedDraw& draw) {
    const at::Tensor& output = draw.expected()[0];
    return output.dim() > 0 ? output.size(0) : 0;
  }

  void try_half_rows(FixedDraw& draw, const std::vector<worker::Argument>& own) {
    const std::int64_t rows = rows_of(draw);
    if (rows < 2) return;
    std::vector<worker::Argument> inputs = own;
    bool any = false;
    for (worker::Argument& input : inputs) {
      if (!input.tensor || input.tensor->dim() == 0 || input.tensor->size(0) != rows) continue;
      input.tensor = first_half_twice(*input.tensor, 0);
      any = true;
    }
    if (any) try_inputs(draw, "half-rows", "the answer for the first half of the rows, repeated", std::move(inputs));
  }

  void try_half_axes(FixedDraw& draw, const std::vector<worker::Argument>& own, std::size_t i) {
    if (!own[i].tensor || !own[i].tensor->is_floating_point() || !matters(i)) return;
    const at::Tensor& tensor = *own[i].tensor;
    std::int64_t tried = 0;
    for (std::int64_t axis = tensor.dim() - 1; axis >= 0 && tried < kMostAxes; --axis) {
      if (tensor.size(axis) < 2 || (axis == 0 && tensor.size(0) == rows_of(draw))) continue;
      std::vector<worker::Argument> inputs = own;
      inputs[i].tensor = first_half_twice(tensor, axis);
      try_inputs(draw, "half-reduction",
                 "the answer from the first half of axis " + std::to_string(axis) + " of input " + std::to_string(i),
                 std::move(inputs));
      ++tried;
    }
  }

  // Half of an input that the output does not depend on says nothing about the work.
  bool matters(std::size_t i) const {
    bool varied = false;
    for (const Influence& influence : evidence_.influences) {
      const bool all = influence.kind == "all-inputs" && influence.seed_std_max;
      if (all && *influence.seed_std_max == 0) return false;
      if (influence.kind != "input" || influence.name != std::to_string(i) || !influence.max_change) continue;
      varied = true;
      if (*influence.max_change > 0) return true;
    }
    return !varied;
  }

  void try_low_precision(FixedDraw& draw, const std::vector<worker::Argument>& own, std::uint64_t seed) {
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
      const std::string name = "the model in " + worker::dtype_name(type);
      TrivialAnswer& entry = find("low-precision", name);
      if (type == at::kHalf && session_.request().device == "cpu") {
        entry.missing = "not tried on the CPU, which has no arithmetic of that type";
        continue;
      }
      if (left() < 2 * draw.seconds()) {
        entry.missing = entry.seeds_tried > 0 ? "" : "no time was left for it";
        continue;
      }
      const auto outputs = guarded([&]() -> Result<std::vector<at::Tensor>> {
        auto model = session_.build(seed);
        if (!model) return model.error();
        if (const Status moved = (*model)->to(session_.request().device, type); !moved) return moved.error();
        RangeGuard ranges;
        auto raw = session_.forward_raw(**model, cast_inputs(own, type), kForwardSeed, &ranges);
        if (!raw) return raw.error();
        for (std::size_t k = 0; k < raw->outputs.size() && k < draw.expected().size(); ++k) {
          raw->outputs[k] = raw->outputs[k].to(draw.expected()[k].scalar_type());
        }
        return std::move(raw->outputs);
      });
      record(entry, draw, outputs);
    }
  }

  void try_inputs(FixedDraw& draw, const std::string& kind, const std::string& name,
                  std::vector<worker::Argument> inputs) {
    TrivialAnswer& entry = find(kind, name);
    if (left() < draw.seconds()) {
      if (entry.seeds_tried == 0) entry.missing = "no time was left for it";
      return;
    }
    draw.replace_inputs(std::move(inputs));
    record(entry, draw, draw.run());
  }

  void record(TrivialAnswer& entry, const FixedDraw& draw, const Result<std::vector<at::Tensor>>& outputs) {
    if (!outputs) {
      entry.missing = session_.explain(outputs.error());
      return;
    }
    const auto difference = guarded([&]() -> Result<Difference> { return draw.judge(*outputs); });
    if (!difference) {
      entry.missing = session_.explain(difference.error());
      return;
    }
    // What the expected output would refuse of itself (a NaN) is refused of every answer.
    const bool accepted = !difference->noticed && draw.accepts_itself();
    ++entry.seeds_tried;
    entry.seeds_accepted += accepted;
    entry.accepted = entry.seeds_accepted == entry.seeds_tried;
    if (difference->max_error) entry.max_error = std::max(entry.max_error.value_or(0), *difference->max_error);
  }

  TrivialAnswer& find(const std::string& kind, const std::string& name) {
    for (TrivialAnswer& answer : answers_) {
      if (answer.answer == name) return answer;
    }
    TrivialAnswer& answer = answers_.emplace_back();
    answer.kind = kind;
    answer.answer = name;
    return answer;
  }

  TaskSession& session_;
  const Stopwatch& watch_;
  TaskEvidence& evidence_;
  double until_s_;
  std::vector<TrivialAnswer> answers_;
};

}  // namespace

std::vector<worker::Argument> cast_inputs(const std::vector<worker::Argument>& inputs, at::ScalarType type) {
  std::vector<worker::Argument> cast = inputs;
  for (worker::Argument& input : cast) {
    if (input.tensor && input.tensor->is_floating_point()) input.tensor = input.tensor->to(type);
  }
  return cast;
}

void run_forward_answers(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                         TaskEvidence& evidence) {
  const Status status =
      guarded([&]() -> Status { return ForwardAnswers(session, watch, evidence).run(seeds.seconds_per_seed); });
  if (!status) {
    const std::string reason = session.explain(status.error());
    for (const char* kind : {"other-seed", "half-rows", "half-reduction", "low-precision"}) {
      evidence.trivial_answers.push_back({kind, false, 0, 0, std::nullopt, reason, kind});
    }
  }
}

}  // namespace kernel_audit::filters
