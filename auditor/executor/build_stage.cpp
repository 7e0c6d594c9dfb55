#include "auditor/executor/build_stage.h"

#include <algorithm>
#include <filesystem>

#include "auditor/executor/limits.h"

namespace kernel_audit::executor {
namespace {

constexpr std::chrono::milliseconds kTick{50};
constexpr int kMostBuilds = 8;  // each compiler takes up to 2 GiB

Result<PartyFiles> write_files(const Workspace& workspace, const BuildOrder& order) {
  PartyFiles files;
  Result<std::string> path = workspace.write_candidate(*order.candidate);
  if (!path) return path.error();
  files.candidate = *path;
  files.candidate_folder = std::filesystem::path(*path).parent_path().string();
  path = workspace.write_task(*order.task);
  if (!path) return path.error();
  files.task = *path;
  path = workspace.private_folder("build");
  if (!path) return path.error();
  files.build_folder = *path;
  return files;
}

Result<Worker> start_build(Session& session, const PartyFiles& files, const MeasureOptions& options) {
  Result<Zygote*> zygote = session.zygotes.candidate();
  if (!zygote) return zygote.error();
  const PartyHost host(session.zygotes, session.workspace(), options, files);
  WorkerRequest request;
  request.name = "build";
  request.limits = worker_limits(options);
  request.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(options.build_limit_s * 1000));
  request.sandbox = host.policy((*zygote)->hello(), files.candidate_folder, files.build_folder);
  request.job = {{"kind", "build"}, {"module", files.candidate}, {"device", options.device}};
  return (*zygote)->fork(std::move(request));
}

// Nothing when it went well. A candidate that does not build is a verdict about the candidate, not a fault of ours.
std::optional<StageRecord> record_of_build(Result<Json>& answer, const Worker& worker) {
  if (answer && answer->value("kind", "") == "result") return std::nullopt;
  StageRecord record = answer ? record_of_answer(*answer) : fault_record(with_standard_error(answer.error(), worker));
  record.evidence["broken"] = true;
  record.evidence["phase"] = "build";
  return record;
}

}  // namespace

// Twice as many as there are cores: what has nothing to compile, or waits, leaves no core idle.
int parallel_builds(int cpu_cores) { return std::clamp(2 * cpu_cores, 2, kMostBuilds); }

std::vector<Built> build_all(Session& session, const std::vector<BuildOrder>& orders, const MeasureOptions& options) {
  std::vector<Built> built(orders.size());
  std::vector<std::optional<Worker>> workers(orders.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Result<PartyFiles> files = write_files(session.workspace(), orders[i]);
    if (!files) {
      built[i].broken = fault_record(files.error());
      continue;
    }
    built[i].files = std::move(*files);
    Result<Worker> worker = start_build(session, built[i].files, options);
    if (!worker) {
      built[i].broken = fault_record(worker.error());
      continue;
    }
    workers[i] = std::move(*worker);
  }
  const auto busy = [](const std::optional<Worker>& worker) { return worker.has_value(); };
  while (std::any_of(workers.begin(), workers.end(), busy)) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (!workers[i]) continue;
      std::optional<Result<Json>> answer = workers[i]->poll(kTick);
      if (!answer) continue;
      built[i].broken = record_of_build(*answer, *workers[i]);
      workers[i].reset();  // kills what the build may have left running
      if (built[i].broken) continue;
      Result<std::string> snapshot = session.workspace().set_aside(built[i].files.build_folder);
      if (snapshot) {
        built[i].files.build_snapshot = std::move(*snapshot);
      } else {
        built[i].broken = fault_record(snapshot.error());
      }
    }
  }
  return built;
}

void discard(const PartyFiles& files) {
  std::error_code ignored;
  std::filesystem::remove_all(files.build_snapshot, ignored);
}

}  // namespace kernel_audit::executor
