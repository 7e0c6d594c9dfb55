#include "auditor/executor/eval_stage.h"

#include "auditor/executor/limits.h"
#include "eval/evidence.h"
#include "eval/summary.h"

namespace kernel_audit::executor {
namespace {

Json referee_job(const PartyFiles& files, const MeasureOptions& options, int threads) {
  Json job = {{"kind", "referee"},
              {"device", options.device},
              {"device_index", 0},
              {"task", {{"module", files.task}, {"class", "Model"}}},
              {"candidate", {{"module", files.candidate}, {"class", "ModelNew"}, {"fallback_class", "Model"}}},
              {"compat", options.compat},
              {"mode", "train"},
              {"options",
               {{"time_budget_s", options.eval_budget_s},
                {"load_timeout_s", options.build_limit_s},
                {"call_timeout_s", options.time_limit_s},
                {"threads", threads}}}};
  if (options.memory_limit_bytes != 0) job["options"]["memory_budget_bytes"] = options.memory_limit_bytes / 4;
  if (options.replay_seed) job["options"]["replay_seed"] = *options.replay_seed;
  return job;
}

}  // namespace

StageRecord evaluate(Session& session, const PartyFiles& files, const std::string& name,
                     const MeasureOptions& options) {
  PartyHost host(session.zygotes, session.workspace(), options, files);
  Result<Json> answer =
      host.serve(referee_job(files, options, session.environment.cpu_cores),
                 [&](const std::string& what) { session.progress().begin_item(name + " (" + what + ")"); });
  return answer ? record_of_answer(*answer) : fault_record(answer.error());
}

bool disturbed(const StageRecord& record, const Policy& policy) {
  if (record.status != "ok") return false;
  const Result<eval::EvalEvidence> evidence = eval::eval_evidence_from_json(record.evidence, "evidence of stage 3");
  return evidence && !eval::disturbance(*evidence, policy).empty();
}

Result<Json> measure_spin_table(ZygotePair& zygotes, const MeasureOptions& options) {
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return workspace.error();
  PartyHost host(zygotes, *workspace, options, {});
  // 20 µs and 100 µs in windows of 200 calls, the rest as single calls: what each is proven by in an evaluation.
  const Json job = {{"kind", "spin-table"},      {"device", options.device},
                    {"device_index", 0},         {"spin_ns", {20'000, 100'000, 1'000'000, 10'000'000}},
                    {"calls", {200, 200, 1, 1}}, {"windows", 20}};
  Result<Json> answer = host.serve(job, [](const std::string&) {});
  if (!answer) return answer.error();
  if (answer->value("kind", "") != "result")
    return Error{ErrorKind::kTool, "the measurement failed: " + dump_json(*answer), "", "", ""};
  return (*answer)["table"];
}

}  // namespace kernel_audit::executor
