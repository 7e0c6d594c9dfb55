// results.json: the whole result model for machines; reports/schema/results.schema.json documents every field.
#include "auditor/core/json.h"

#include "reports/model.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json or_null(const std::optional<Metric>& metric) { return metric ? Json(*metric) : Json(nullptr); }

Json environment_json(const Environment& environment) {
  return {{"device", or_null(environment.device)},
          {"device_driver", or_null(environment.device_driver)},
          {"torch_version", or_null(environment.torch_version)},
          {"cuda_version", or_null(environment.cuda_version)},
          {"python_version", or_null(environment.python_version)},
          {"cpu_model", or_null(environment.cpu_model)},
          {"cpu_cores", environment.cpu_cores > 0 ? Json(environment.cpu_cores) : Json(nullptr)}};
}

Json suppressed_json(const SuppressedFinding& suppressed) {
  return {{"finding", suppressed.finding},
          {"by", suppressed.by},
          {"reason", or_null(suppressed.reason)},
          {"place", suppressed.place}};
}

Json stage_json(const StageResult& stage) {
  Json suppressed = Json::array();
  for (const SuppressedFinding& each : stage.suppressed) suppressed.push_back(suppressed_json(each));
  return {{"stage", to_string(stage.stage)},    {"verdict", to_string(stage.verdict)}, {"reason", stage.reason},
          {"attempts", stage.attempts},         {"findings", stage.findings},          {"metrics", stage.metrics},
          {"suppressed", std::move(suppressed)}};
}

Json item_json(const Item& item) {
  Json stages = Json::array();
  for (const StageResult& stage : item.stages) stages.push_back(stage_json(stage));
  return {{"task", or_null(item.task)},
          {"task_name", or_null(item.task_name)},
          {"task_sha256", or_null(item.task_sha256)},
          {"candidate", or_null(item.candidate)},
          {"candidate_sha256", or_null(item.candidate_sha256)},
          {"files", item.files},
          {"verdict", to_string(item.verdict)},
          {"reason", reason_of(item)},
          {"claimed_speedup", item.claimed_speedup ? Json(*item.claimed_speedup) : Json(nullptr)},
          {"measured_speedup", or_null(item.measured_speedup)},
          {"proven_speedup", or_null(item.proven_speedup)},
          {"expected_verdict", item.expected_verdict ? Json(*item.expected_verdict) : Json(nullptr)},
          {"stages", std::move(stages)}};
}

}  // namespace

std::string render_json(const Report& report) {
  Json counts = Json::object();
  for (const auto& [verdict, count] : verdict_counts(report)) counts[to_string(verdict)] = count;
  Json items = Json::array();
  for (const Item& item : report.items) items.push_back(item_json(item));
  const Json json = {{"schema_version", kSchemaVersion},
                     {"kind", "kernel-audit-results"},
                     {"tool_version", report.tool_version},
                     {"command", report.command},
                     {"policy", report.policy},
                     {"started", report.started},
                     {"environment", environment_json(report.environment)},
                     {"warnings", report.warnings},
                     {"sandbox", report.sandbox},
                     {"notes", report.notes},
                     {"problems", report.problems},
                     {"verdict_counts", std::move(counts)},
                     {"exit_code", report.exit_code},
                     {"items", std::move(items)}};
  return dump_json(json, 2) + "\n";
}

}  // namespace kernel_audit::reports
