#include "auditor/executor/filter_stage.h"

#include <algorithm>

#include "auditor/executor/limits.h"
#include "filters/presets.h"

namespace kernel_audit::executor {

namespace {

// The device's peaks from an earlier task of this journal: they are measured once. Null when there are none.
Json known_peaks(const Session& session) {
  const auto& records = session.journal().records();
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (record->kind != "evidence" || record->stage != Stage::kFilters || record->status != "ok") continue;
    const auto device = record->key.find("device");
    if (device == record->key.end() || device->second != session.environment.device) continue;
    const Json cost = record->evidence.value("cost", Json());
    const Json peaks = cost.is_object() ? cost.value("peaks", Json()) : Json();
    if (peaks.is_object() && peaks.value("missing", "unknown").empty()) return peaks;
  }
  return nullptr;
}

}  // namespace

StageRecord measure_task(Session& session, const tasks::Task& task, const MeasureOptions& options) {
  Result<std::string> path = session.workspace().write_task(task);
  if (!path) return fault_record(path.error());
  Result<Zygote*> zygote = session.zygotes.trusted();
  if (!zygote) return fault_record(zygote.error());

  const Result<filters::Preset> preset = filters::find_preset(options.preset);
  WorkerRequest request;
  request.name = "probe";
  request.limits = worker_limits(options);
  request.job = {
      {"kind", "probe"},
      {"task", {{"path", *path}, {"name", task.name}}},
      {"device", options.device},
      {"compat", options.compat},
      {"preset", options.preset},
      {"seeds", preset && preset->max_seeds > preset->seeds ? std::min(preset->seeds, options.seeds) : options.seeds},
      {"max_seeds", options.seeds},
      {"threads", session.environment.cpu_cores},
      // The worker stops by itself, with the number, before the supervisor must kill it.
      {"time_limit_s", options.time_limit_s * 0.9},
      {"memory_limit_bytes", request.limits.resident_bytes}};
  // The worker draws more seeds while a verdict is near its threshold.
  if (!options.thresholds.empty()) request.job["thresholds"] = options.thresholds;
  if (!options.baselines.empty()) request.job["baselines"] = options.baselines;
  if (Json peaks = known_peaks(session); !peaks.is_null()) request.job["device_peaks"] = std::move(peaks);
  if (options.atol) request.job["atol"] = *options.atol;
  if (options.rtol) request.job["rtol"] = *options.rtol;
  Result<Worker> worker = (*zygote)->fork(std::move(request));
  if (!worker) return fault_record(worker.error());
  Result<Json> answer = worker->receive();
  if (!answer) {
    Error error = answer.error();
    if (const std::string text = worker->standard_error(); !text.empty()) error.message += "; it said: " + text;
    return fault_record(error);
  }
  return record_of_answer(*answer);
}

}  // namespace kernel_audit::executor
