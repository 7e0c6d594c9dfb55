#include "auditor/executor/plan.h"

#include <fstream>

#include "analysis/extract_protocol.h"
#include "auditor/core/cores.h"
#include "eval/protocol.h"
#include "filters/evidence.h"

namespace kernel_audit::executor {
namespace {

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

template <typename T>
void read_optional(const Json& json, const char* field, std::optional<T>& out) {
  if (const auto it = json.find(field); it != json.end() && !it->is_null()) out = it->get<T>();
}

template <typename T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json options_to_json(const MeasureOptions& options) {
  return {{"device", options.device},
          {"compat", options.compat},
          {"preset", options.preset},
          {"seeds", options.seeds},
          {"atol", nullable(options.atol)},
          {"rtol", nullable(options.rtol)},
          {"thresholds", options.thresholds},
          {"baselines", options.baselines},
          {"time_limit_s", options.time_limit_s},
          {"build_limit_s", options.build_limit_s},
          {"memory_limit_bytes", options.memory_limit_bytes},
          {"eval_budget_s", options.eval_budget_s},
          {"attempts", options.attempts},
          {"replay_seed", nullable(options.replay_seed)}};
}

MeasureOptions options_from_json(const Json& json) {
  MeasureOptions options;
  json.at("device").get_to(options.device);
  json.at("compat").get_to(options.compat);
  json.at("preset").get_to(options.preset);
  json.at("seeds").get_to(options.seeds);
  read_optional(json, "atol", options.atol);
  read_optional(json, "rtol", options.rtol);
  options.thresholds = json.value("thresholds", options.thresholds);
  options.baselines = json.value("baselines", options.baselines);
  json.at("time_limit_s").get_to(options.time_limit_s);
  json.at("build_limit_s").get_to(options.build_limit_s);
  json.at("memory_limit_bytes").get_to(options.memory_limit_bytes);
  json.at("eval_budget_s").get_to(options.eval_budget_s);
  options.attempts = json.value("attempts", options.attempts);
  read_optional(json, "replay_seed", options.replay_seed);
  return options;
}

Json item_to_json(const PlanItem& item) {
  return {{"task", item.task},
          {"task_name", item.task_name},
          {"task_sha256", item.task_sha256},
          {"candidate", item.candidate},
          {"candidate_sha256", item.candidate_sha256},
          {"claimed_speedup", nullable(item.claimed_speedup)},
          {"expected_verdict", nullable(item.expected_verdict)},
          {"files", item.files},
          {"note", item.note}};
}

PlanItem item_from_json(const Json& json) {
  PlanItem item;
  json.at("task").get_to(item.task);
  json.at("task_name").get_to(item.task_name);
  json.at("task_sha256").get_to(item.task_sha256);
  json.at("candidate").get_to(item.candidate);
  json.at("candidate_sha256").get_to(item.candidate_sha256);
  read_optional(json, "claimed_speedup", item.claimed_speedup);
  read_optional(json, "expected_verdict", item.expected_verdict);
  item.files = json.value("files", std::vector<std::string>());
  json.at("note").get_to(item.note);
  return item;
}

Json environment_to_json(const Environment& environment) {
  return {{"device", environment.device},         {"device_driver", environment.device_driver},
          {"torch", environment.torch_version},   {"cuda", environment.cuda_version},
          {"python", environment.python_version}, {"cpu_model", environment.cpu_model},
          {"cpu_cores", environment.cpu_cores}};
}

Environment environment_from_json(const Json& json) {
  Environment environment;
  json.at("device").get_to(environment.device);
  json.at("device_driver").get_to(environment.device_driver);
  json.at("torch").get_to(environment.torch_version);
  json.at("cuda").get_to(environment.cuda_version);
  json.at("python").get_to(environment.python_version);
  json.at("cpu_model").get_to(environment.cpu_model);
  json.at("cpu_cores").get_to(environment.cpu_cores);
  return environment;
}

}  // namespace

Key filter_key(const PlanItem& item, const MeasureOptions& options, const Environment& environment) {
  Key key = {{"task", item.task + " " + item.task_name},
             {"task_sha256", item.task_sha256},
             {"probe_version", std::to_string(filters::kProbeVersion)},
             {"device", environment.device},
             {"torch", environment.torch_version},
             {"compat", options.compat},
             {"preset", options.preset},
             {"seeds", std::to_string(options.seeds)}};
  if (options.atol) key["atol"] = dump_json(Json(*options.atol));
  if (!options.baselines.empty()) key["baselines"] = dump_json(Json(options.baselines));
  if (options.rtol) key["rtol"] = dump_json(Json(*options.rtol));
  return key;
}

Key lint_key(const PlanItem& item) {
  return {{"candidate", item.candidate},
          {"candidate_sha256", item.candidate_sha256},
          {"extractor_version", std::to_string(analysis::kExtractorVersion)}};
}

Key eval_key(const PlanItem& item, const MeasureOptions& options, const Environment& environment) {
  return {{"task", item.task + " " + item.task_name},
          {"task_sha256", item.task_sha256},
          {"candidate", item.candidate},
          {"candidate_sha256", item.candidate_sha256},
          {"protocol_version", std::to_string(eval::kProtocolVersion)},
          {"device", environment.device},
          {"driver", or_none(environment.device_driver)},
          {"torch", environment.torch_version},
          {"compat", options.compat},
          {"eval_budget_s", std::to_string(options.eval_budget_s)},
          {"replay_seed", options.replay_seed ? std::to_string(*options.replay_seed) : "none"}};
}

PlanItem item_of(const tasks::Task* task, const tasks::Candidate* candidate) {
  PlanItem item;
  if (task != nullptr) {
    item.task = task->key();
    item.task_name = task->name;
    item.task_sha256 = task->code_sha256;
  }
  if (candidate != nullptr) {
    if (task == nullptr) item.task = candidate->task_key;
    item.candidate = candidate->name;
    item.candidate_sha256 = candidate->code_sha256;
    item.claimed_speedup = candidate->claimed_speedup;
    item.expected_verdict = candidate->expected_verdict;
    for (const tasks::SourceFile& file : candidate->files) item.files.push_back(file.file);
    if (candidate->files.empty()) item.note = candidate->note.empty() ? "the candidate has no source" : candidate->note;
  }
  return item;
}

Json to_json(const Plan& plan, const Environment& environment) {
  Json items = Json::array();
  for (const PlanItem& item : plan.items) items.push_back(item_to_json(item));
  return {{"command", plan.command},
          {"policy", plan.policy},
          {"policy_settings", plan.policy_settings},
          {"options", options_to_json(plan.options)},
          {"environment", environment_to_json(environment)},
          {"items", std::move(items)}};
}

Result<Plan> plan_from_json(const Json& json, Environment& environment) {
  try {
    Plan plan;
    json.at("command").get_to(plan.command);
    json.at("policy").get_to(plan.policy);
    plan.policy_settings = json.value("policy_settings", std::vector<std::string>());
    plan.options = options_from_json(json.at("options"));
    environment = environment_from_json(json.at("environment"));
    for (const Json& item : json.at("items")) plan.items.push_back(item_from_json(item));
    return plan;
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kUsage, e.what(), "journal", "plan",
                 "the journal was written by another version; use --fresh"};
  }
}

Environment host_environment() {
  Environment environment;
  environment.device = "cpu";
  environment.cpu_cores = usable_cores();
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) environment.cpu_model = line.substr(colon + 2);
    break;
  }
  return environment;
}

void note_worker(Environment& environment, const Json& hello, const std::string& device) {
  environment.torch_version = hello.value("torch", "");
  environment.python_version = hello.value("python", "");
  environment.cuda_version = hello.value("cuda", "");
  if (device != "cpu") {
    environment.device = hello.value("device", device);
    environment.device_driver = hello.value("driver", "");
  }
}

}  // namespace kernel_audit::executor
