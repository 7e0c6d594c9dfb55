#include "filters/probes/request.h"

#include <cstdio>

#include "filters/tolerance.h"

namespace kernel_audit::filters {
namespace {

Error bad(const std::string& field, const std::string& message) {
  return Error{ErrorKind::kProtocol, message, "probe job", field, ""};
}

}  // namespace

Result<ProbeRequest> read_probe_request(const Json& job) {
  ProbeRequest request;
  std::string preset_name = "default";
  try {
    const Json& task = job.at("task");
    request.path = task.at("path").get<std::string>();
    request.name = task.value("name", request.path);
    request.device = job.value("device", "cpu");
    request.compat = job.value("compat", "kernelbench");
    preset_name = job.value("preset", preset_name);
    const auto preset = find_preset(preset_name);
    if (!preset) return preset.error();
    request.preset = *preset;
    request.seeds = job.value("seeds", request.preset.seeds);
    request.weight_seeds = job.value("weight_seeds", request.seeds);
    request.time_limit_s = job.value("time_limit_s", request.time_limit_s);
    request.memory_limit_bytes = job.value("memory_limit_bytes", request.memory_limit_bytes);
  } catch (const Json::exception& e) {
    return bad("", e.what());
  }
  if (request.device != "cpu" && request.device != "cuda") return bad("device", "the device is neither cpu nor cuda");
  if (request.seeds < 2 || request.seeds > 1000) return bad("seeds", "the number of seeds is not in 2..1000");
  if (request.weight_seeds < 1) return bad("weight_seeds", "the number of weight seeds is not positive");
  if (!(request.time_limit_s > 0)) return bad("time_limit_s", "the time limit is not positive");
  if (const auto tolerance = benchmark_tolerance(request.compat, "float32"); !tolerance) return tolerance.error();
  return request;
}

std::string format_seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f s" : "%.0f s", value);
  return text;
}

}  // namespace kernel_audit::filters
