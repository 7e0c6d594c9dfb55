// The filter's decision on each task of a benchmark, as `filter --out` writes it (manifest.json, documented by
// reports/schema/manifest.schema.json). It names tasks by level, id, name and code hash, since numbers have changed
// their meaning between versions of benchmarks.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/core/verdict.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {

inline constexpr int kManifestVersion = 1;

struct ManifestReason {
  std::string rule;     // "KA101"; empty when the run itself gives the reason
  std::string message;  // one factual sentence
};

struct ManifestEntry {
  std::string key, suite;
  int level = 0, id = 0;  // 0: none
  std::string name, code_sha256, file;
  Verdict decision = Verdict::kNotRun;  // keep, drop, review or not-run
  std::vector<ManifestReason> reasons;  // most deciding first
};

struct Manifest {
  std::string tool_version, source, policy, device, created;
  std::vector<ManifestEntry> tasks;  // in the order of the benchmark
};

// Entry for `task`; the findings of its filter stage become the reasons, those that decide first, and `reason` (why it
// did not run) goes before them unless empty.
ManifestEntry make_manifest_entry(const Task& task, Verdict decision, const std::string& reason,
                                  const std::vector<Finding>& findings);

Json manifest_json(const Manifest& manifest);
Result<Manifest> manifest_from_json(const Json& json, const std::string& file);

// Written beside and renamed, so that a reader never sees half of it.
Status write_manifest(const std::string& path, const Manifest& manifest);
Result<Manifest> read_manifest(const std::string& path);

// The tasks of `tasks` that the manifest keeps, by key and code hash. A task whose code differs from what was judged,
// or that was not judged, is a problem and is left out.
TaskSet kept_tasks(const Manifest& manifest, const TaskSet& tasks);

}  // namespace kernel_audit::tasks
