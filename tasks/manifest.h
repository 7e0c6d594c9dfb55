// The filter's decision on each task of a benchmark, as `filter --out` writes it (manifest.json, documented by
// reports/schema/manifest.schema.json). It names tasks by level, id, name and code hash, since numbers have changed
// their meaning between versions of benchmarks, and it holds no code of any task: it can be published.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/core/verdict.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {

inline constexpr int kManifestVersion = 1;

struct ManifestReason {
  std::string rule;              // "KA101"; empty when the run itself gives the reason
  std::string effect;            // to_string(Effect); empty when the run itself gives the reason
  std::string message;           // one factual sentence
  std::vector<Metric> evidence;  // the numbers that prove it
};

struct ManifestEntry {
  std::string key, suite;
  int level = 0, id = 0;  // 0: none
  std::string name, code_sha256, file;
  Json configuration;                   // null: the task is run as its code says
  Verdict decision = Verdict::kNotRun;  // keep, drop, review or not-run
  int seeds = 0;                        // used; 0 when nothing was measured
  std::map<std::string, bool> flags;    // the numeric flags that robust-kbench publishes, as far as measured
  std::vector<ManifestReason> reasons;  // most deciding first
};

// What the decisions rest on. Manifests of other settings say other things.
struct ManifestSettings {
  std::string policy, preset, compat, device, torch_version;
  std::map<std::string, double> thresholds;  // in force, by id; atol and rtol when they were set
};

struct Manifest {
  std::string tool_version, source, created;
  ManifestSettings settings;
  std::vector<ManifestEntry> tasks;  // in the order of the benchmark
};

using DecisionCounts = std::map<Verdict, int>;  // keep, drop, review and not-run, 0 included
DecisionCounts count_decisions(const Manifest& manifest);
std::map<int, DecisionCounts> count_by_level(const Manifest& manifest);  // level 0: tasks that have none

// Entry for `task`; the findings of its filter stage become the reasons, those that decide first, and `reason` (why it
// did not run) goes before them unless empty.
ManifestEntry make_manifest_entry(const Task& task, Verdict decision, const std::string& reason,
                                  const std::vector<Finding>& findings);

Json manifest_json(const Manifest& manifest);
Result<Manifest> manifest_from_json(const Json& json, const std::string& file);

// Written beside and renamed, so that a reader never sees half of it.
Status write_manifest(const std::string& path, const Manifest& manifest);
// `path` may be the folder that holds manifest.json.
Result<Manifest> read_manifest(const std::string& path);

// The tasks of `tasks` that the manifest keeps, by key and code hash. A task whose code differs from what was judged,
// or that was not judged, is a problem and is left out.
TaskSet kept_tasks(const Manifest& manifest, const TaskSet& tasks, bool with_review = false);

}  // namespace kernel_audit::tasks
