#include "auditor/executor/limits.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace kernel_audit::executor {
namespace {

std::uint64_t available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name;) {
    std::uint64_t kib = 0;
    if (name == "MemAvailable:" && meminfo >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace

process::Limits worker_limits(const MeasureOptions& options) {
  process::Limits limits;
  limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit_s * 1000));
  limits.resident_bytes = options.memory_limit_bytes != 0 ? options.memory_limit_bytes : available_bytes() / 10 * 8;
  return limits;
}

StageRecord record_of_answer(Json& answer) {
  const std::string kind = answer.value("kind", "");
  if (kind == "result" && answer.contains("evidence")) {
    StageRecord record;
    record.evidence = std::move(answer["evidence"]);
    if (answer.contains("seeds")) record.seeds = std::move(answer["seeds"]);
    return record;
  }
  StageRecord record;
  const Json error = answer.value("error", Json::object());
  record.status = kind == "fault" ? error.value("kind", "tool") : to_string(ErrorKind::kProtocol);
  record.evidence = {
      {"message", error.value("message", "the worker's answer '" + kind + "' is not one that was asked for")}};
  return record;
}

}  // namespace kernel_audit::executor
