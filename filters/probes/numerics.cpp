#include "filters/probes/numerics.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <utility>

#include "auditor/worker/tensor.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/forward_answers.h"
#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

constexpr std::int64_t kSlice = std::int64_t{1} << 22;
constexpr double kCostOfDouble = 4;  // a pass in fp64 against one in fp32, guessed high

// Largest |expected - answer| / (atol + rtol |answer|) over finite pairs.
double largest_in_tolerance(const at::Tensor& expected, const at::Tensor& answer, const Tolerance& tolerance) {
  const at::Tensor e_all = expected.reshape(-1), a_all = answer.reshape(-1);
  double largest = 0;
  for (std::int64_t at = 0; at < e_all.numel(); at += kSlice) {
    const std::int64_t count = std::min(kSlice, e_all.numel() - at);
    const at::Tensor e = e_all.narrow(0, at, count).to(at::kDouble), a = a_all.narrow(0, at, count).to(at::kDouble);
    const at::Tensor ratio = (e - a).abs().div(a.abs().mul(tolerance.rtol).add(tolerance.atol));
    largest = std::max(largest, at::where(ratio.isfinite(), ratio, at::zeros_like(ratio)).max().item<double>());
  }
  return largest;
}

Status against_double(TaskSession& session, NumericsEvidence& numerics) {
  const c10::AutoGradMode no_grad(false);
  auto inputs = session.draw_inputs(kFirstSeed);
  if (!inputs) return inputs.error();
  std::vector<at::Tensor> single;
  {
    auto model = session.build(kFirstSeed);
    if (!model) return model.error();
    // Forward may write to its inputs: they are cast to fp64, and so copied, from another draw.
    auto raw = session.forward_raw(**model, *inputs, kForwardSeed);
    if (!raw) return raw.error();
    for (at::Tensor& output : raw->outputs) {
      if (output.scalar_type() == at::kDouble) return Error{ErrorKind::kUsage, "it works in fp64 already", "", "", ""};
      single.push_back(output.clone());
      output.reset();
    }
    if (raw->drew_random) {
      return Error{ErrorKind::kUsage, "forward draws random numbers, which another type draws otherwise", "", "", ""};
    }
    if (raw->changed_inputs) {
      inputs = session.draw_inputs(kFirstSeed);
      if (!inputs) return inputs.error();
    }
  }
  auto model = session.build(kFirstSeed);
  if (!model) return model.error();
  if (const Status moved = (*model)->to(session.request().device, at::kDouble); !moved) return moved.error();
  *inputs = cast_inputs(*inputs, at::kDouble);
  auto raw = session.forward_raw(**model, *inputs, kForwardSeed);
  if (!raw) return raw.error();
  if (raw->outputs.size() != single.size()) return Error{ErrorKind::kUsage, "fp64 gives other outputs", "", "", ""};
  double error = 0, in_tolerance = 0;
  std::int64_t rejected = 0;
  for (std::size_t i = 0; i < single.size(); ++i) {
    const auto tolerance = session.request().tolerance(worker::dtype_name(single[i].scalar_type()));
    if (!tolerance) return tolerance.error();
    const auto comparison = compare_tensors(raw->outputs[i], single[i], *tolerance);
    if (!comparison) return Error{ErrorKind::kUsage, "fp64 gives outputs of another shape", "", "", ""};
    error = std::max(error, comparison->max_difference);
    rejected += comparison->rejected;
    in_tolerance = std::max(in_tolerance, largest_in_tolerance(raw->outputs[i], single[i], *tolerance));
  }
  numerics.fp64_max_error = error;
  numerics.fp64_max_error_in_tolerance = in_tolerance;
  numerics.fp64_rejected = rejected;
  return Ok{};
}

void compare_tolerance_with_spread(const ProbeRequest& request, TaskEvidence& evidence) {
  NumericsEvidence& numerics = *evidence.numerics;
  for (const OutputStatistics& output : evidence.outputs) {
    const auto tolerance = request.tolerance(output.dtype);
    if (!tolerance || !output.seed_std_mean || !output.mean_absolute) continue;
    if (*output.seed_std_mean == 0) {
      numerics.tolerance_over_spread.reset();
      numerics.missing["tolerance_over_spread"] = output.name + " does not vary with the seed at all";
      return;
    }
    const double ratio = (tolerance->atol + tolerance->rtol * *output.mean_absolute) / *output.seed_std_mean;
    numerics.tolerance_over_spread = std::max(numerics.tolerance_over_spread.value_or(0), ratio);
  }
  if (!numerics.tolerance_over_spread) {
    numerics.missing["tolerance_over_spread"] = "no output has a finite spread over seeds";
  }
}

}  // namespace

void run_numerics_probe(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                        TaskEvidence& evidence) {
  if (!evidence.numerics) {
    evidence.numerics.emplace();
    for (const char* field : {"deterministic", "repeat_max_change", "changes_inputs"}) {
      evidence.numerics->missing[field] = "equal conditions were not repeated";
    }
    evidence.numerics->random_forward = seeds.random_forward;
  }
  NumericsEvidence& numerics = *evidence.numerics;
  compare_tolerance_with_spread(session.request(), evidence);
  const double forward_ms = 1e3 * seeds.fastest_forward_seconds;
  numerics.fastest_forward_ms = std::min(forward_ms, numerics.fastest_forward_ms.value_or(forward_ms));
  Status done = Ok{};
  const double needed = (1 + kCostOfDouble) * seeds.seconds_per_seed;
  if (needed > watch.remaining_s()) {
    done = Error{ErrorKind::kTimeout, "a pass in fp64 may need " + format_seconds(needed) + ", more than is left", "",
                 "", ""};
  } else {
    done = guarded([&]() -> Status { return against_double(session, numerics); });
  }
  if (done) return;
  const std::string reason = session.explain(done.error());
  for (const char* field : {"fp64_max_error", "fp64_max_error_in_tolerance", "fp64_rejected"}) {
    numerics.missing[field] = reason;
  }
}

}  // namespace kernel_audit::filters
