#include "filters/probes/job.h"

#include <torch/version.h>

#include <exception>

#include "filters/probes/accelerated.h"
#include "filters/probes/cost.h"
#include "filters/probes/device_turns.h"
#include "filters/probes/distribution_probe.h"
#include "filters/probes/forward_answers.h"
#include "filters/probes/influence.h"
#include "filters/probes/memory_budget.h"
#include "filters/probes/numerics.h"
#include "filters/probes/op_mutation.h"
#include "filters/probes/seeds.h"
#include "filters/probes/session.h"
#include "filters/probes/traced_task.h"
#include "filters/published_flags.h"

namespace kernel_audit::filters {
namespace {

// Those that look at single operator calls; they share one trace.
void run_operator_probes(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                         TaskEvidence& evidence) {
  const Preset& preset = session.request().preset;
  if (!preset.runs(kMutationProbe) && !preset.runs(kCostProbe) && !preset.runs(kNumericsProbe)) return;
  TracedTask task = trace_task(session, watch, seeds, evidence);
  const bool cost = preset.runs(kCostProbe) && task.missing.empty();
  if (preset.runs(kCostProbe) && !cost) evidence.missing[kCostProbe] = task.missing;
  if (cost) measure_cost(session, watch, task, evidence);
  if (preset.runs(kMutationProbe)) run_mutation_probe(session, watch, task, evidence);
  if (cost) conclude_cost(task, evidence);
}

void probe(const ProbeRequest& request, MemoryBudget& budget, DeviceTurns& turns, TaskEvidence& evidence) {
  const Stopwatch watch(request.time_limit_s, request.device == "cpu", &turns.waited_s());
  turns.open(device_identity(request.device));
  auto session = TaskSession::load(request, budget, turns);
  if (!session) {
    evidence.missing[kWholeTask] = budget.take_refusal().value_or(session.error().describe());
    return;
  }
  const SeedsOutcome seeds = run_seeds_probe(**session, watch, evidence);
  if (!seeds.complete) return;
  evidence.extra["random_forward"] = seeds.random_forward;
  evidence.extra["weights_drawn"] = seeds.weights_drawn;
  run_all_inputs_influence(**session, watch, seeds, evidence);
  if (request.preset.runs(kParameterInfluence) && !evidence.missing.contains(kInfluenceProbe)) {
    run_single_influences(**session, watch, seeds, evidence);
  }
  const Preset& preset = request.preset;
  if (preset.runs(kTrivialProbe) && !evidence.missing.contains(kTrivialProbe)) {
    run_forward_answers(**session, watch, seeds, evidence);
  }
  run_operator_probes(**session, watch, seeds, evidence);
  if (preset.runs(kNumericsProbe)) run_numerics_probe(**session, watch, seeds, evidence);
  if (preset.runs(kDistributionProbe)) run_distribution_probe(**session, watch, seeds, evidence);
  evidence.extra.update(published_flags(evidence));
}

}  // namespace

Result<Json> run_probe_job(const Json& job, const std::function<void(const Json&)>& tell) {
  const auto request = read_probe_request(job);
  if (!request) return request.error();
  TaskEvidence evidence;
  evidence.device = request->device;
  evidence.torch_version = TORCH_VERSION;
  evidence.compat = request->compat;
  evidence.preset = request->preset.name;
  {
    MemoryBudget budget(request->memory_limit_bytes);
    DeviceTurns turns(tell);
    const Stopwatch whole(0, /*processor_time=*/false, &turns.waited_s());
    try {
      probe(*request, budget, turns, evidence);
    } catch (const std::exception& e) {
      evidence.missing[kWholeTask] = budget.take_refusal().value_or(e.what());
    }
    evidence.extra["seconds"] = whole.elapsed_s();
    evidence.extra["device_wait_s"] = turns.waited_s();
    if (budget.refused()) evidence.extra["memory_refused"] = true;
  }
  evidence.peak_resident_bytes = peak_resident_bytes();
  return Json(evidence);
}

}  // namespace kernel_audit::filters
