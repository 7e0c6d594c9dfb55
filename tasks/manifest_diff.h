// What changed between two filter manifests: of two versions of a benchmark, or of the filter. Tasks are matched by
// key and name, then by code hash (a task that was renumbered); a number that now names another task is one removed
// and one added.
#pragma once

#include <string>
#include <vector>

#include "tasks/manifest.h"

namespace kernel_audit::tasks {

struct ManifestChange {
  const ManifestEntry* before = nullptr;           // null: added
  const ManifestEntry* after = nullptr;            // null: removed
  bool decision = false;                           // the decisions differ
  bool code = false;                               // the code differs
  bool key = false;                                // renumbered or renamed, the code being the same
  std::vector<std::string> new_rules, gone_rules;  // rules that give a reason on one side alone
};

// Points into both manifests, which must outlive it.
struct ManifestDiff {
  std::vector<std::string> settings;  // "preset: default → metr": what makes the manifests hard to compare
  std::vector<ManifestChange> added, removed, changed;
  int unchanged = 0;
  bool empty() const { return added.empty() && removed.empty() && changed.empty(); }
};

ManifestDiff diff_manifests(const Manifest& before, const Manifest& after);
ManifestDiff diff_manifests(Manifest&&, const Manifest&) = delete;
ManifestDiff diff_manifests(const Manifest&, Manifest&&) = delete;
ManifestDiff diff_manifests(Manifest&&, Manifest&&) = delete;

enum class DiffFormat { kText, kMarkdown, kJson };
std::string render_diff(const ManifestDiff& diff, DiffFormat format);

}  // namespace kernel_audit::tasks
