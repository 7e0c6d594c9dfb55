// manifest.json: reading and writing.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tasks/loaders/record_fields.h"
#include "tasks/loaders/text_file.h"
#include "tasks/manifest.h"

namespace kernel_audit::tasks {
namespace {

constexpr const char* kKind = "kernel-audit-manifest";
constexpr std::size_t kMaxManifestBytes = std::size_t{256} << 20;
constexpr Verdict kDecisions[] = {Verdict::kKeep, Verdict::kDrop, Verdict::kReview, Verdict::kNotRun};

Json number_or_null(int number) { return number > 0 ? Json(number) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

int number_at(const Json& json, const char* field) { return json.at(field).is_null() ? 0 : json.at(field).get<int>(); }
std::string text_at(const Json& json, const char* field) {
  return json.at(field).is_null() ? "" : json.at(field).get<std::string>();
}

Json counts_json(const DecisionCounts& counts) {
  Json json = Json::object();
  for (const auto& [decision, count] : counts) json[to_string(decision)] = count;
  return json;
}

Json entry_json(const ManifestEntry& entry) {
  Json reasons = Json::array();
  for (const ManifestReason& reason : entry.reasons) {
    reasons.push_back({{"rule", text_or_null(reason.rule)},
                       {"effect", text_or_null(reason.effect)},
                       {"message", reason.message},
                       {"evidence", reason.evidence}});
  }
  return {{"key", entry.key},
          {"suite", entry.suite},
          {"level", number_or_null(entry.level)},
          {"id", number_or_null(entry.id)},
          {"name", entry.name},
          {"code_sha256", entry.code_sha256},
          {"configuration", entry.configuration},
          {"file", entry.file},
          {"decision", to_string(entry.decision)},
          {"seeds", number_or_null(entry.seeds)},
          {"flags", entry.flags},
          {"reasons", std::move(reasons)}};
}

Verdict decision_from(const std::string& text) {
  const auto decision = verdict_from_string(text);
  if (!decision || std::find(std::begin(kDecisions), std::end(kDecisions), *decision) == std::end(kDecisions)) {
    throw std::invalid_argument("\"" + text + "\" is no decision of a filter");
  }
  return *decision;
}

ManifestEntry entry_from(const Json& json) {
  ManifestEntry entry;
  entry.key = json.at("key").get<std::string>();
  entry.suite = json.at("suite").get<std::string>();
  entry.level = number_at(json, "level");
  entry.id = number_at(json, "id");
  entry.name = json.at("name").get<std::string>();
  entry.code_sha256 = json.at("code_sha256").get<std::string>();
  entry.configuration = json.at("configuration");
  entry.file = json.at("file").get<std::string>();
  entry.decision = decision_from(json.at("decision").get<std::string>());
  entry.seeds = number_at(json, "seeds");
  entry.flags = json.at("flags").get<std::map<std::string, bool>>();
  for (const Json& reason : json.at("reasons")) {
    entry.reasons.push_back({text_at(reason, "rule"), text_at(reason, "effect"),
                             reason.at("message").get<std::string>(),
                             reason.at("evidence").get<std::vector<Metric>>()});
  }
  return entry;
}

ManifestSettings settings_from(const Json& json) {
  ManifestSettings settings;
  settings.policy = json.at("policy").get<std::string>();
  settings.preset = json.at("preset").get<std::string>();
  settings.compat = json.at("compat").get<std::string>();
  settings.device = json.at("device").get<std::string>();
  settings.torch_version = json.at("torch_version").get<std::string>();
  settings.thresholds = json.at("thresholds").get<std::map<std::string, double>>();
  return settings;
}

Error file_error(const std::string& path, const std::string& what) {
  return {ErrorKind::kTool, what + ": " + std::strerror(errno), path, "", "check the folder and its permissions"};
}

}  // namespace

Json manifest_json(const Manifest& manifest) {
  Json levels = Json::array();
  for (const auto& [level, counts] : count_by_level(manifest)) {
    levels.push_back({{"level", number_or_null(level)}, {"counts", counts_json(counts)}});
  }
  Json tasks = Json::array();
  for (const ManifestEntry& entry : manifest.tasks) tasks.push_back(entry_json(entry));
  const ManifestSettings& settings = manifest.settings;
  return {{"schema_version", kManifestVersion},
          {"kind", kKind},
          {"tool_version", manifest.tool_version},
          {"source", manifest.source},
          {"created", manifest.created},
          {"settings",
           {{"policy", settings.policy},
            {"preset", settings.preset},
            {"compat", settings.compat},
            {"device", settings.device},
            {"torch_version", settings.torch_version},
            {"thresholds", settings.thresholds}}},
          {"counts", counts_json(count_decisions(manifest))},
          {"levels", std::move(levels)},
          {"tasks", std::move(tasks)}};
}

Result<Manifest> manifest_from_json(const Json& json, const std::string& file) {
  const std::string remedy = "write it anew with kernel-audit filter --out";
  if (!json.is_object() || json.value("kind", Json()) != kKind) {
    return Error{ErrorKind::kUsage, "is not a manifest of kernel-audit filter", file, "kind", remedy};
  }
  if (json.value("schema_version", Json()) != kManifestVersion) {
    return Error{ErrorKind::kUsage, "is a manifest of another version than " + std::to_string(kManifestVersion), file,
                 "schema_version", remedy};
  }
  try {
    Manifest manifest;
    manifest.tool_version = json.at("tool_version").get<std::string>();
    manifest.source = json.at("source").get<std::string>();
    manifest.created = json.at("created").get<std::string>();
    manifest.settings = settings_from(json.at("settings"));
    for (const Json& entry : json.at("tasks")) manifest.tasks.push_back(entry_from(entry));
    return manifest;
  } catch (const std::exception& e) {
    return Error{ErrorKind::kUsage, e.what(), file, "tasks", remedy};
  }
}

Status write_manifest(const std::string& path, const Manifest& manifest) {
  const std::string beside = path + ".new";
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << dump_json(manifest_json(manifest), 2) << "\n";
    file.close();
    if (!file) return file_error(beside, "cannot be written");
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) return file_error(path, "cannot be put in place");
  return Ok{};
}

Result<Manifest> read_manifest(const std::string& path) {
  std::error_code ignored;
  const std::string file = std::filesystem::is_directory(path, ignored) ? path + "/manifest.json" : path;
  const auto text = read_file(file, kMaxManifestBytes);
  if (!text) return text.error();
  const auto json = parse_user_json(*text, file);
  if (!json) return json.error();
  return manifest_from_json(*json, file);
}

}  // namespace kernel_audit::tasks
