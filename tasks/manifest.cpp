#include "tasks/manifest.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "tasks/loaders/record_fields.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

constexpr const char* kKind = "kernel-audit-manifest";
constexpr std::size_t kMaxManifestBytes = std::size_t{256} << 20;
constexpr Verdict kDecisions[] = {Verdict::kKeep, Verdict::kDrop, Verdict::kReview, Verdict::kNotRun};

// How much an effect has to say on the decision; larger comes first.
int weight(Effect effect) {
  switch (effect) {
    case Effect::kDrop:
    case Effect::kCheat:
    case Effect::kWrong:
      return 3;
    case Effect::kInconclusive:
      return 2;
    case Effect::kReview:
      return 1;
    case Effect::kNote:
      break;
  }
  return 0;
}

Json number_or_null(int number) { return number > 0 ? Json(number) : Json(nullptr); }

Json entry_json(const ManifestEntry& entry) {
  Json reasons = Json::array();
  for (const ManifestReason& reason : entry.reasons) {
    reasons.push_back({{"rule", reason.rule.empty() ? Json(nullptr) : Json(reason.rule)}, {"message", reason.message}});
  }
  return {{"key", entry.key},
          {"suite", entry.suite},
          {"level", number_or_null(entry.level)},
          {"id", number_or_null(entry.id)},
          {"name", entry.name},
          {"code_sha256", entry.code_sha256},
          {"file", entry.file},
          {"decision", to_string(entry.decision)},
          {"reasons", std::move(reasons)}};
}

int number_at(const Json& json, const char* field) { return json.at(field).is_null() ? 0 : json.at(field).get<int>(); }

ManifestEntry entry_from(const Json& json) {
  ManifestEntry entry;
  entry.key = json.at("key").get<std::string>();
  entry.suite = json.at("suite").get<std::string>();
  entry.level = number_at(json, "level");
  entry.id = number_at(json, "id");
  entry.name = json.at("name").get<std::string>();
  entry.code_sha256 = json.at("code_sha256").get<std::string>();
  entry.file = json.at("file").get<std::string>();
  const auto text = json.at("decision").get<std::string>();
  const auto decision = verdict_from_string(text);
  if (!decision || std::find(std::begin(kDecisions), std::end(kDecisions), *decision) == std::end(kDecisions)) {
    throw std::invalid_argument("\"" + text + "\" is no decision of a filter");
  }
  entry.decision = *decision;
  for (const Json& reason : json.at("reasons")) {
    const Json& rule = reason.at("rule");
    entry.reasons.push_back({rule.is_null() ? "" : rule.get<std::string>(), reason.at("message").get<std::string>()});
  }
  return entry;
}

Error file_error(const std::string& path, const std::string& what) {
  return {ErrorKind::kTool, what + ": " + std::strerror(errno), path, "", "check the folder and its permissions"};
}

}  // namespace

ManifestEntry make_manifest_entry(const Task& task, Verdict decision, const std::string& reason,
                                  const std::vector<Finding>& findings) {
  ManifestEntry entry;
  entry.key = task.key();
  entry.suite = task.suite;
  entry.level = task.level;
  entry.id = task.id;
  entry.name = task.name;
  entry.code_sha256 = task.code_sha256;
  entry.file = task.file;
  entry.decision = decision;
  if (!reason.empty()) entry.reasons.push_back({"", reason});
  std::vector<const Finding*> ordered;
  ordered.reserve(findings.size());
  for (const Finding& finding : findings) ordered.push_back(&finding);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Finding* a, const Finding* b) { return weight(a->effect) > weight(b->effect); });
  for (const Finding* finding : ordered) entry.reasons.push_back({finding->code, finding->message});
  return entry;
}

Json manifest_json(const Manifest& manifest) {
  Json counts = Json::object();
  for (const Verdict decision : kDecisions) {
    counts[to_string(decision)] = std::count_if(manifest.tasks.begin(), manifest.tasks.end(),
                                                [&](const ManifestEntry& entry) { return entry.decision == decision; });
  }
  Json tasks = Json::array();
  for (const ManifestEntry& entry : manifest.tasks) tasks.push_back(entry_json(entry));
  return {{"schema_version", kManifestVersion},
          {"kind", kKind},
          {"tool_version", manifest.tool_version},
          {"source", manifest.source},
          {"policy", manifest.policy},
          {"device", manifest.device},
          {"created", manifest.created},
          {"counts", std::move(counts)},
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
    manifest.policy = json.at("policy").get<std::string>();
    manifest.device = json.at("device").get<std::string>();
    manifest.created = json.at("created").get<std::string>();
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
  const auto text = read_file(path, kMaxManifestBytes);
  if (!text) return text.error();
  const auto json = parse_user_json(*text, path);
  if (!json) return json.error();
  return manifest_from_json(*json, path);
}

TaskSet kept_tasks(const Manifest& manifest, const TaskSet& tasks) {
  std::map<std::string, const ManifestEntry*> by_key;
  for (const ManifestEntry& entry : manifest.tasks) by_key[entry.key] = &entry;
  TaskSet kept;
  kept.problems = tasks.problems;
  for (const Task& task : tasks.tasks) {
    const auto it = by_key.find(task.key());
    if (it == by_key.end()) {
      kept.problems.push_back({ErrorKind::kUsage, "task " + task.key() + " is not in the manifest", task.file, "",
                               "run kernel-audit filter on it"});
    } else if (it->second->code_sha256 != task.code_sha256) {
      kept.problems.push_back({ErrorKind::kUsage, "task " + task.key() + " has other code than the manifest judged",
                               task.file, "", "run kernel-audit filter on this version"});
    } else if (it->second->decision == Verdict::kKeep) {
      kept.tasks.push_back(task);
    }
  }
  return kept;
}

}  // namespace kernel_audit::tasks
