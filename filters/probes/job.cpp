#include "filters/probes/job.h"

#include <torch/version.h>

#include <exception>

#include "auditor/process/device_turns.h"
#include "auditor/worker/device_identity.h"
#include "filters/probes/accelerated.h"
#include "filters/probes/cost.h"
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

// Where the time goes, by the clock of the limit: {"probe": seconds} in the evidence.
class Laps {
 public:
  Laps(const Stopwatch& watch, TaskEvidence& evidence) : watch_(watch), evidence_(evidence) {}
  void end(const char* probe) {
    const double now = watch_.elapsed_s();
    evidence_.extra["probe_seconds"][probe] = now - last_s_;
    last_s_ = now;
  }

 private:
  const Stopwatch& watch_;
  TaskEvidence& evidence_;
  double last_s_ = 0;
};

// Those that look at single operator calls; they share one trace.
void run_operator_probes(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                         TaskEvidence& evidence, Laps& laps) {
  const Preset& preset = session.request().preset;
  if (!preset.runs(kMutationProbe) && !preset.runs(kCostProbe) && !preset.runs(kNumericsProbe)) return;
  TracedTask task = trace_task(session, watch, seeds, evidence);
  laps.end("trace");
  const bool cost = preset.runs(kCostProbe) && task.missing.empty();
  if (preset.runs(kCostProbe) && !cost) evidence.missing[kCostProbe] = task.missing;
  if (cost) measure_cost(session, watch, task, evidence);
  laps.end(kCostProbe);
  if (preset.runs(kMutationProbe)) run_mutation_probe(session, watch, task, evidence);
  if (cost) conclude_cost(task, evidence);
  laps.end(kMutationProbe);
}

void probe(const ProbeRequest& request, MemoryBudget& budget, process::DeviceTurns& turns, TaskEvidence& evidence) {
  const Stopwatch watch(request.time_limit_s, request.device == "cpu", &turns.waited_s());
  turns.open(worker::device_identity(request.device));
  auto session = TaskSession::load(request, budget, turns);
  if (!session) {
    evidence.missing[kWholeTask] = budget.take_refusal().value_or(session.error().describe());
    return;
  }
  Laps laps(watch, evidence);
  const bool distributions = request.preset.runs(kDistributionProbe);
  const Stopwatch earlier = watch.leaving(distributions ? kDistributionShare * watch.limit_s() : 0);
  const SeedsOutcome seeds = run_seeds_probe(**session, watch, evidence);
  laps.end(kSeedsProbe);
  if (!seeds.complete) return;
  evidence.extra["random_forward"] = seeds.random_forward;
  evidence.extra["weights_drawn"] = seeds.weights_drawn;
  run_all_inputs_influence(**session, watch, seeds, evidence);
  laps.end(kInfluenceProbe);
  if (request.preset.runs(kParameterInfluence) && !evidence.missing.contains(kInfluenceProbe)) {
    run_single_influences(**session, earlier, seeds, evidence);
  }
  laps.end(kParameterInfluence);
  const Preset& preset = request.preset;
  if (preset.runs(kTrivialProbe) && !evidence.missing.contains(kTrivialProbe)) {
    run_forward_answers(**session, earlier, seeds, evidence);
  }
  laps.end(kTrivialProbe);
  run_operator_probes(**session, earlier, seeds, evidence, laps);
  if (preset.runs(kNumericsProbe)) run_numerics_probe(**session, watch, seeds, evidence);
  laps.end(kNumericsProbe);
  if (distributions) run_distribution_probe(**session, watch, seeds, evidence);
  laps.end(kDistributionProbe);
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
    process::DeviceTurns turns(tell);
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
