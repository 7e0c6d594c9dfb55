#include "auditor/executor/filter_stage.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "auditor/core/cores.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/limits.h"
#include "filters/evidence.h"
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

// What a worker may use of the machine.
struct Share {
  std::vector<int> processors;  // empty: all
  process::Limits limits;
};

class FilterRun {
 public:
  FilterRun(Session& session, const std::vector<FilterWork>& work, const MeasureOptions& options, int jobs)
      : session_(session), work_(work), options_(options), all_(worker_limits(options)), slots_(jobs) {
    for (std::size_t i = 0; i < work.size(); ++i) waiting_.push_back(i);
    const Result<filters::Preset> preset = filters::find_preset(options.preset);
    starting_seeds_ =
        preset && preset->max_seeds > preset->seeds ? std::min(preset->seeds, options.seeds) : options.seeds;
    needs_peaks_ = preset && preset->runs(filters::kCostProbe);
  }

  Status run() {
    session_.progress().start("filter", static_cast<int>(work_.size()));
    while (!interrupted()) {
      if (Status status = start_some(); !status) return status;
      if (running() == 0 && waiting_.empty() && alone_.empty()) break;
      for (Slot& slot : slots_) {
        if (!slot.worker) continue;
        if (Status status = look_after(slot); !status) return status;
      }
    }
    session_.progress().finish();
    return Ok{};
  }

 private:
  struct Slot {
    std::size_t item = 0;
    std::unique_ptr<Worker> worker;
    bool has_all = false;  // of the machine
  };

  long running() const {
    return std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.worker != nullptr; });
  }

  // The first one alone while it measures the device; those that failed beside others alone when all others are done.
  Status start_some() {
    const bool one = needs_peaks_ && known_peaks(session_).is_null() && !tried_;
    for (std::size_t i = 0; i < slots_.size() && !waiting_.empty() && !(one && running() > 0); ++i) {
      if (slots_[i].worker) continue;
      const std::size_t item = waiting_.front();
      waiting_.pop_front();
      if (Status status = start(slots_[i], item, share_of(i)); !status) return status;
    }
    if (!waiting_.empty() || alone_.empty() || running() > 0) return Ok{};
    const std::size_t item = alone_.front();
    alone_.pop_front();
    slots_[0].has_all = true;
    return start(slots_[0], item, Share{{}, all_});
  }

  Share share_of(std::size_t slot) const {
    Share share{{}, all_};
    const std::size_t slots = slots_.size();
    if (slots == 1) return share;
    if (options_.memory_limit_bytes == 0) share.limits.resident_bytes /= slots;
    const std::vector<int> all = usable_processors();
    const std::size_t first = slot * all.size() / slots, end = (slot + 1) * all.size() / slots;
    if (all.empty()) return share;
    share.processors.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                            all.begin() + static_cast<std::ptrdiff_t>(end));
    if (first == end) share.processors = {all[slot % all.size()]};
    return share;
  }

  Status start(Slot& slot, std::size_t item, const Share& share) {
    slot.item = item;
    const tasks::Task& task = *work_[item].task;
    if (!slot.has_all) session_.progress().begin_item(task.key());
    Result<std::string> path = session_.workspace().write_task(task);
    if (!path) return end(slot, fault_record(path.error()));
    Result<Zygote*> zygote = session_.zygotes.trusted();
    if (!zygote) return end(slot, fault_record(zygote.error()));
    Result<Worker> worker = (*zygote)->fork(request_for(task, *path, share));
    if (!worker) return end(slot, fault_record(worker.error()));
    slot.worker = std::make_unique<Worker>(std::move(*worker));
    return Ok{};
  }

  WorkerRequest request_for(const tasks::Task& task, const std::string& path, const Share& share) const {
    WorkerRequest request;
    request.name = "probe";
    request.limits = share.limits;
    request.job = {{"kind", "probe"},
                   {"task", {{"path", path}, {"name", task.name}}},
                   {"device", options_.device},
                   {"compat", options_.compat},
                   {"preset", options_.preset},
                   {"seeds", starting_seeds_},
                   {"max_seeds", options_.seeds},  // drawn while a verdict is near its threshold
                   {"threads", session_.environment.cpu_cores},
                   // The worker stops by itself, with the number, before the supervisor must kill it.
                   {"time_limit_s", options_.time_limit_s * 0.9},
                   {"memory_limit_bytes", share.limits.resident_bytes}};
    if (!share.processors.empty()) {
      // A quota of time is no processor of one's own: it limits how many threads are worth having, not where they run.
      request.job["threads"] =
          std::min(static_cast<int>(share.processors.size()), cores_for_each(static_cast<int>(slots_.size())));
      request.job["processors"] = share.processors;
    }
    if (!options_.thresholds.empty()) request.job["thresholds"] = options_.thresholds;
    if (!options_.baselines.empty()) request.job["baselines"] = options_.baselines;
    if (Json peaks = known_peaks(session_); !peaks.is_null()) request.job["device_peaks"] = std::move(peaks);
    if (options_.atol) request.job["atol"] = *options_.atol;
    if (options_.rtol) request.job["rtol"] = *options_.rtol;
    return request;
  }

  Status look_after(Slot& slot) {
    const std::optional<Result<Json>> told = slot.worker->poll(std::chrono::milliseconds(50 / slots_.size() + 1));
    if (!told || interrupted()) return Ok{};
    const std::string kind = *told ? (*told)->value("kind", "") : "";
    if (kind == "waiting" || kind == "going-on") {
      slot.worker->hold_clock(kind == "waiting");
      return Ok{};
    }
    if (!*told) {
      Error error = told->error();
      if (const std::string text = slot.worker->standard_error(); !text.empty()) error.message += "; it said: " + text;
      return end(slot, fault_record(error));
    }
    Json answer = **told;
    return end(slot, record_of_answer(answer));
  }

  static bool lacked_memory(const StageRecord& record) {
    if (record.status == to_string(ErrorKind::kMemory)) return true;
    const Json extra = record.evidence.is_object() ? record.evidence.value("extra", Json()) : Json();
    return extra.is_object() && extra.value("memory_refused", false);
  }

  // Whichever way a task's code fails when others hold the memory of the device.
  static bool failed_whole(const StageRecord& record) {
    const Json missing = record.evidence.is_object() ? record.evidence.value("missing", Json()) : Json();
    return missing.is_object() && missing.contains(filters::kWholeTask);
  }

  bool may_fare_better_alone(const Slot& slot, const StageRecord& record) const {
    if (slots_.size() == 1 || slot.has_all) return false;
    return failed_whole(record) || (options_.memory_limit_bytes == 0 && lacked_memory(record));
  }

  Status end(Slot& slot, StageRecord record) {
    slot.worker.reset();
    if (interrupted()) return Ok{};  // what an interrupt cut short was not measured
    tried_ = true;
    const bool again = may_fare_better_alone(slot, record);
    slot.has_all = false;
    if (again) {
      alone_.push_back(slot.item);
      return Ok{};
    }
    const std::string outcome = record.status;
    const FilterWork& item = work_[slot.item];
    if (Status status = session_.record(Stage::kFilters, item.key, std::move(record)); !status) return status;
    session_.progress().end_item(item.task->key(), outcome);
    return Ok{};
  }

  Session& session_;
  const std::vector<FilterWork>& work_;
  const MeasureOptions& options_;
  const process::Limits all_;
  std::vector<Slot> slots_;
  std::deque<std::size_t> waiting_, alone_;
  int starting_seeds_ = 0;
  bool needs_peaks_ = false, tried_ = false;
};

}  // namespace

Status filter_all(Session& session, const std::vector<FilterWork>& work, const MeasureOptions& options, int jobs) {
  return FilterRun(session, work, options, std::max(1, jobs)).run();
}

}  // namespace kernel_audit::executor
