#include "tasks/manifest.h"

#include <algorithm>

namespace kernel_audit::tasks {
namespace {

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

DecisionCounts no_decisions() {
  return {{Verdict::kKeep, 0}, {Verdict::kDrop, 0}, {Verdict::kReview, 0}, {Verdict::kNotRun, 0}};
}

}  // namespace

DecisionCounts count_decisions(const Manifest& manifest) {
  DecisionCounts counts = no_decisions();
  for (const ManifestEntry& entry : manifest.tasks) ++counts[entry.decision];
  return counts;
}

std::map<int, DecisionCounts> count_by_level(const Manifest& manifest) {
  std::map<int, DecisionCounts> levels;
  for (const ManifestEntry& entry : manifest.tasks) {
    ++levels.try_emplace(entry.level, no_decisions()).first->second[entry.decision];
  }
  return levels;
}

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
  entry.configuration = task.configuration;
  entry.decision = decision;
  if (!reason.empty()) entry.reasons.push_back({"", "", reason, {}});
  std::vector<const Finding*> ordered;
  ordered.reserve(findings.size());
  for (const Finding& finding : findings) ordered.push_back(&finding);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Finding* a, const Finding* b) { return weight(a->effect) > weight(b->effect); });
  for (const Finding* finding : ordered) {
    entry.reasons.push_back({finding->code, to_string(finding->effect), finding->message, finding->evidence});
  }
  return entry;
}

TaskSet kept_tasks(const Manifest& manifest, const TaskSet& tasks, bool with_review) {
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
    } else if (it->second->decision == Verdict::kKeep || (with_review && it->second->decision == Verdict::kReview)) {
      kept.tasks.push_back(task);
    }
  }
  return kept;
}

}  // namespace kernel_audit::tasks
