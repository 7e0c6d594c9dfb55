#include "filters/probes/request.h"

#include <algorithm>
#include <cstdio>

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
    request.fixed_seeds = preset->max_seeds <= preset->seeds;
    if (job.contains("thresholds")) {
      for (const auto& [id, value] : job.at("thresholds").items()) {
        request.preset.policy.thresholds[id] = value.get<double>();
      }
    }
    request.seeds = job.value("seeds", request.preset.seeds);
    request.max_seeds =
        request.fixed_seeds ? request.seeds : std::max(request.seeds, job.value("max_seeds", request.preset.max_seeds));
    request.weight_seeds = job.value("weight_seeds", request.max_seeds);
    if (job.contains("atol")) request.atol = job.at("atol").get<double>();
    if (job.contains("rtol")) request.rtol = job.at("rtol").get<double>();
    request.baselines = job.value("baselines", request.baselines);
    if (job.contains("device_peaks")) from_json(job.at("device_peaks"), request.peaks.emplace());
    request.tape_from_calls = job.value("tape_from_calls", request.tape_from_calls);
    request.time_limit_s = job.value("time_limit_s", request.time_limit_s);
    request.memory_limit_bytes = job.value("memory_limit_bytes", request.memory_limit_bytes);
  } catch (const Json::exception& e) {
    return bad("", e.what());
  }
  if (request.device != "cpu" && request.device != "cuda") return bad("device", "the device is neither cpu nor cuda");
  if (request.seeds < 2 || request.seeds > 1000) return bad("seeds", "the number of seeds is not in 2..1000");
  if (request.max_seeds > 1000) return bad("max_seeds", "the largest number of seeds is above 1000");
  for (const auto& part : {request.atol, request.rtol}) {
    if (part && !(*part >= 0 && *part < 1e30)) return bad("atol, rtol", "a tolerance is negative or not finite");
  }
  if (request.weight_seeds < 1) return bad("weight_seeds", "the number of weight seeds is not positive");
  if (!(request.time_limit_s > 0)) return bad("time_limit_s", "the time limit is not positive");
  if (const auto tolerance = benchmark_tolerance(request.compat, "float32"); !tolerance) return tolerance.error();
  return request;
}

Result<Tolerance> ProbeRequest::tolerance(const std::string& dtype) const {
  auto known = benchmark_tolerance(compat, dtype);
  if (!known) return known;
  return Tolerance{atol.value_or(known->atol), rtol.value_or(known->rtol)};
}

std::string format_seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f s" : "%.0f s", value);
  return text;
}

}  // namespace kernel_audit::filters
