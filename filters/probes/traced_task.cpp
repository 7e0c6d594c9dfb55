#include "filters/probes/traced_task.h"

#include <algorithm>

#include "filters/probes/guard.h"
#include "filters/probes/usage.h"

namespace kernel_audit::filters {
namespace {

Status trace_into(TracedTask& task, TaskSession& session, const SeedsOutcome& seeds, TaskEvidence& evidence) {
  task.paths = std::make_unique<ModulePaths>();
  auto draw = FixedDraw::make(session, kFirstSeed, kFirstSeed);
  if (!draw) return draw.error();
  task.draw = std::move(*draw);
  if (const auto repeated = task.draw->establish(); !repeated) return repeated.error();
  task.trace = std::make_unique<CallTrace>(
      *task.paths, [&task](int position, const std::string& op, const std::vector<at::Tensor>& tensors,
                           const std::vector<c10::IValue>& arguments) {
        task.operands.resize(static_cast<std::size_t>(position) + 1);
        task.operands.back() = facts_of(op, tensors, arguments);
      });
  const std::vector<worker::StateEntry> state = task.draw->model().state();
  auto outputs = task.draw->run_traced(*task.trace);
  if (!outputs) return outputs.error();
  const Difference difference = task.draw->judge(*outputs);
  task.trace->finish(*outputs);
  if (difference.noticed) {
    return Error{ErrorKind::kUsage, "forward gives other outputs while its operators are recorded", "", "", ""};
  }
  NumericsEvidence& numerics = evidence.numerics.emplace();
  numerics.deterministic = task.draw->repeat_change() == 0;
  numerics.repeat_max_change = task.draw->repeat_change();
  numerics.random_forward = task.draw->drew_random() || seeds.random_forward;
  numerics.fastest_forward_ms = 1e3 * task.draw->fastest_forward_s();
  numerics.changes_inputs = task.draw->changes_inputs();
  evidence.calls = task.trace->calls;
  evidence.usage = usage_of(*task.trace, task.paths->modules(), state);
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const worker::StateEntry& entry : state) {
    if (is_in(task.trace->unused_state, entry.name)) task.unused_bytes += entry.tensor.nbytes();
  }
  for (std::size_t i = 0; i < task.draw->inputs().size(); ++i) {
    const auto& tensor = task.draw->inputs()[i].tensor;
    if (tensor && is_in(task.trace->unused_inputs, std::to_string(i))) task.unused_bytes += tensor->nbytes();
  }
  return Ok{};
}

}  // namespace

TracedTask trace_task(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds, TaskEvidence& evidence) {
  TracedTask task;
  const double needed = 3 * seeds.seconds_per_seed;
  if (needed > watch.remaining_s()) {
    task.missing = "recording the operators needs about " + format_seconds(needed) + " and " +
                   format_seconds(std::max(0.0, watch.remaining_s())) + " are left";
    return task;
  }
  const Status traced = guarded([&]() -> Status { return trace_into(task, session, seeds, evidence); });
  if (!traced) {
    task.missing = session.explain(traced.error());
    task.draw.reset();
    task.trace.reset();
  } else if (task.trace->calls.empty()) {
    task.missing = "no operator call was seen inside a module";
  }
  return task;
}

}  // namespace kernel_audit::filters
