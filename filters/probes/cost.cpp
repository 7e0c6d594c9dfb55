#include "filters/probes/cost.h"

#include <algorithm>
#include <set>

#include "auditor/process/device_turns.h"
#include "filters/probes/accelerated.h"
#include "filters/probes/flops.h"
#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

constexpr double kEagerShare = 0.03;  // of the time limit
constexpr int kMostPasses = 30;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Status time_eager(process::DeviceTurns& turns, const Stopwatch& watch, FixedDraw& draw, CostEvidence& cost) {
  std::vector<double> times;
  const process::DeviceTurns::Alone alone(turns);
  if (alone.missing()) return Error{ErrorKind::kTool, process::kNotAlone + *alone.missing(), "", "", ""};
  const double until = watch.elapsed_s() + std::min(kEagerShare * watch.limit_s(), watch.remaining_s());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (watch.elapsed_s() + draw.seconds() > until) break;
    if (auto outputs = draw.run(); !outputs) return outputs.error();
    times.push_back(draw.forward_s());
  }
  if (times.empty()) {
    return Error{ErrorKind::kTimeout, "a pass needs " + format_seconds(draw.seconds()) + ", too long for its share", "",
                 "", ""};
  }
  cost.eager_ms = 1e3 * median(times);
  return Ok{};
}

void time_baseline(TaskSession& session, const std::string& kind, const std::shared_ptr<void>& model,
                   const FixedDraw& draw, CostEvidence& cost) {
  const auto& wanted = session.request().baselines;
  const std::string field = kind + "_ms";
  if (std::find(wanted.begin(), wanted.end(), kind) == wanted.end()) {
    cost.missing[field] = "not asked for";
    return;
  }
  const auto time = guarded([&] { return time_accelerated(kind, model, draw.inputs(), session.turns()); });
  if (!time) {
    cost.missing[field] = session.explain(time.error());
  } else {
    (kind == "compile" ? cost.compile_ms : cost.graph_ms) = *time;
  }
}

}  // namespace

void measure_cost(TaskSession& session, const Stopwatch& watch, TracedTask& task, TaskEvidence& evidence) {
  CostEvidence& cost = evidence.cost.emplace();
  const ProbeRequest& request = session.request();
  cost.peaks = request.peaks ? *request.peaks : measure_peaks(request.device, session.turns());
  if (request.device == "cuda" && evidence.numerics) {
    if (const auto bytes = peak_device_bytes()) evidence.numerics->peak_device_bytes = bytes;
  }
  // Without hooks, which slow eager passes a little and hinder compiling much. The trace asks its paths no more.
  const std::shared_ptr<void> model = task.paths->model();
  task.paths.reset();
  if (const Status timed = time_eager(session.turns(), watch, *task.draw, cost); !timed) {
    cost.missing["eager_ms"] = session.explain(timed.error());
  }
  if (evidence.numerics) evidence.numerics->fastest_forward_ms = 1e3 * task.draw->fastest_forward_s();
  for (const char* kind : {"compile", "graph"}) time_baseline(session, kind, model, *task.draw, cost);
  task.paths = std::make_unique<ModulePaths>();
}

void conclude_cost(const TracedTask& task, TaskEvidence& evidence) {
  CostEvidence& cost = *evidence.cost;
  double flops = 0, bytes = 0, least = 0;
  std::set<std::string> unknown;
  for (const OperatorCall& call : evidence.calls) {
    bytes += static_cast<double>(call.bytes_read + call.bytes_written);
    if (!call.flops) {
      unknown.insert(call.op);
      continue;
    }
    flops += *call.flops;
    const bool needless = call.verdict == call_verdict::kDead || call.verdict == call_verdict::kRedundant;
    if (!needless || !call.exact) least += *call.flops;
  }
  cost.no_formula.assign(unknown.begin(), unknown.end());
  cost.flops = flops;
  cost.bytes = bytes;
  cost.waste = find_waste(*task.trace, task.operands);
  std::set<int> counted;  // one saving for each call
  for (const Waste& waste : cost.waste) {
    const OperatorCall& call = evidence.calls[static_cast<std::size_t>(waste.position)];
    const bool needless = call.verdict == call_verdict::kDead || call.verdict == call_verdict::kRedundant;
    if (waste.unit != "FLOP" || (needless && call.exact) || !counted.insert(waste.position).second) continue;
    least -= waste.spent - waste.needed;
  }
  cost.minimum_flops = std::max(0.0, least);
  double unused = 0;
  if (evidence.usage && evidence.usage->missing.empty()) unused = static_cast<double>(task.unused_bytes);
  cost.minimum_bytes =
      static_cast<double>(evidence.input_bytes + evidence.parameter_bytes + evidence.output_bytes) - unused;
  if (!cost.peaks.matmul_flops_per_s || !cost.peaks.copy_bytes_per_s) {
    cost.missing["roofline_ms"] = "the device's peaks are not known: " + cost.peaks.missing;
  } else {
    cost.roofline_ms = 1e3 * std::max(*cost.minimum_flops / *cost.peaks.matmul_flops_per_s,
                                      *cost.minimum_bytes / *cost.peaks.copy_bytes_per_s);
    if (cost.eager_ms && *cost.roofline_ms > 0) cost.eager_over_roofline = *cost.eager_ms / *cost.roofline_ms;
  }
  if (!cost.eager_over_roofline) {
    cost.missing["eager_over_roofline"] = cost.eager_ms ? "there is no roofline" : "eager execution was not timed";
  }
}

}  // namespace kernel_audit::filters
