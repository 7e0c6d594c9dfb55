// A folder with labels.json: tasks/*.py of our own in KernelBench format, and candidates with the verdict that each
// must get. The demo is one; so can be any user's own suite. labels.json:
//   {"schema_version": 1, "suite": "demo", "candidates": [{"candidate": "candidates/x.py", "task": "1_Name",
//    "device": "cpu" | "cuda", "expected": "confirmed", "catalogue": [14], "why": "…"}, …]}
#include "auditor/core/json.h"
#include "auditor/core/verdict.h"
#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/record_fields.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

constexpr int kLabelsVersion = 1;

bool recognises(const Place& place) { return place.is_directory && is_file(place.child("labels.json", false).path); }

std::string text_of(const Json& object, const char* field) {
  const auto it = object.find(field);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// The parsed labels.json, or nothing after the problem was reported.
std::optional<Json> read_labels(const Place& place, LoadContext& context) {
  const std::string path = place.child("labels.json", false).path;
  const std::string remedy = "write {\"schema_version\": 1, \"suite\": \"…\", \"candidates\": […]}";
  auto text = read_file(path, context.limits.source_bytes);
  if (!text) {
    context.problem(text.error());
    return std::nullopt;
  }
  auto labels = parse_user_json(*text, path);
  if (!labels) {
    context.problem(labels.error());
    return std::nullopt;
  }
  const bool versioned = labels->is_object() && labels->contains("schema_version");
  if (!versioned || (*labels)["schema_version"] != kLabelsVersion) {
    context.problem({ErrorKind::kUsage, "is not a labels file of version 1", path, "schema_version", remedy});
    return std::nullopt;
  }
  if (!labels->contains("candidates") || !(*labels)["candidates"].is_array()) {
    context.problem({ErrorKind::kUsage, "has no list of candidates", path, "candidates", remedy});
    return std::nullopt;
  }
  return std::move(*labels);
}

void load_suite_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  const auto labels = read_labels(place, context);
  if (!labels) return;
  const Place folder = place.child("tasks", true);
  const std::string suite = text_of(*labels, "suite");
  for (const std::string& name : list_or_report(folder, context).files) {
    if (!is_python_entry(name)) continue;
    if (auto source = read_source(folder.child(name, false), context)) {
      const int id = leading_id(name).value_or(0);
      tasks.push_back(make_task(suite.empty() ? "labelled" : suite, 0, id, stem(name), std::move(*source)));
    }
  }
}

void load_entry(const Place& place, const Json& entry, const std::string& label, LoadContext& context,
                std::vector<Candidate>& candidates) {
  const std::string labels_path = place.child("labels.json", false).path;
  const auto report = [&](const std::string& field, const std::string& message, const std::string& remedy) {
    context.problem({ErrorKind::kUsage, message, labels_path, label + (field.empty() ? "" : ":" + field), remedy});
  };
  if (!entry.is_object()) return report("", "the entry is not an object", "write {\"candidate\": \"…\", …}");
  const std::string file = text_of(entry, "candidate");
  if (file.empty()) return report("candidate", "names no file", "give the path of the candidate");
  if (file.starts_with('/') || ("/" + file + "/").find("/../") != std::string::npos) {
    return report("candidate", "\"" + file + "\" leads out of the suite", "give a path below its folder");
  }
  const std::string expected = text_of(entry, "expected");
  if (!verdict_from_string(expected)) {
    return report("expected", "\"" + expected + "\" is no verdict", "use one of the verdicts, such as \"confirmed\"");
  }
  const std::string device = text_of(entry, "device");
  if (!device.empty() && device != "cpu" && device != "cuda") {
    return report("device", "\"" + device + "\" is no device", "use \"cpu\" or \"cuda\", or leave it out");
  }
  auto source = read_source(place.child(file, false), context);
  if (!source) return;
  candidates.push_back(make_candidate(stem(file), text_of(entry, "task"), std::move(*source)));
  candidates.back().expected_verdict = expected;
  candidates.back().device = device;
}

void load_suite_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  const auto labels = read_labels(place, context);
  if (!labels) return;
  int number = 0;
  for (const Json& entry : (*labels)["candidates"]) {
    load_entry(place, entry, "candidates[" + std::to_string(number++) + "]", context, candidates);
  }
}

}  // namespace

Loader labelled_suite_loader() {
  return {"labelled-suite",
          "a folder with labels.json: own tasks, and candidates with their expected verdicts",
          60,
          recognises,
          load_suite_tasks,
          load_suite_candidates};
}

}  // namespace kernel_audit::tasks
