#include "auditor/executor/eval_stage.h"

#include <filesystem>

#include "auditor/executor/limits.h"
#include "auditor/executor/party_host.h"

namespace kernel_audit::executor {
namespace {

Result<PartyFiles> write_files(const Workspace& workspace, const tasks::Task& task, const tasks::Candidate& candidate) {
  PartyFiles files;
  Result<std::string> path = workspace.write_candidate(candidate);
  if (!path) return path.error();
  files.candidate = *path;
  files.candidate_folder = std::filesystem::path(*path).parent_path().string();
  path = workspace.write_task(task);
  if (!path) return path.error();
  files.task = *path;
  path = workspace.private_folder("build");
  if (!path) return path.error();
  files.build_folder = *path;
  return files;
}

// Imports the candidate's module where no input exists, so that its extensions are built. Nothing when it went well.
std::optional<StageRecord> build(Session& session, const PartyHost& host, const PartyFiles& files,
                                 const MeasureOptions& options) {
  Result<Zygote*> zygote = session.zygotes.candidate();
  if (!zygote) return fault_record(zygote.error());
  WorkerRequest request;
  request.name = "build";
  request.limits = worker_limits(options);
  request.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(options.build_limit_s * 1000));
  request.sandbox = host.policy((*zygote)->hello(), files.candidate_folder, files.build_folder);
  request.job = {{"kind", "build"}, {"module", files.candidate}, {"device", options.device}};
  Result<Worker> worker = (*zygote)->fork(std::move(request));
  if (!worker) return fault_record(worker.error());
  Result<Json> answer = worker->receive();
  if (answer && answer->value("kind", "") == "result") return std::nullopt;
  StageRecord record = answer ? record_of_answer(*answer) : fault_record(with_standard_error(answer.error(), *worker));
  // A candidate that does not build is a verdict about the candidate, not a fault of the stage.
  record.evidence["broken"] = true;
  record.evidence["phase"] = "build";
  return record;
}

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

StageRecord evaluate(Session& session, const tasks::Task& task, const tasks::Candidate& candidate,
                     const MeasureOptions& options) {
  Result<PartyFiles> files = write_files(session.workspace(), task, candidate);
  if (!files) return fault_record(files.error());
  PartyHost host(session.zygotes, session.workspace(), options, *files);
  if (std::optional<StageRecord> broken = build(session, host, *files, options)) return std::move(*broken);
  Result<Json> answer =
      host.serve(referee_job(*files, options, session.environment.cpu_cores),
                 [&](const std::string& what) { session.progress().begin_item(candidate.name + " (" + what + ")"); });
  return answer ? record_of_answer(*answer) : fault_record(answer.error());
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
