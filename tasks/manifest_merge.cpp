#include "tasks/manifest_merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace kernel_audit::tasks {
namespace {

// The first setting in which two parts differ.
std::optional<std::string> difference(const ManifestSettings& a, const ManifestSettings& b) {
  const std::tuple<const char*, const std::string&, const std::string&> texts[] = {
      {"policy", a.policy, b.policy},
      {"preset", a.preset, b.preset},
      {"compat", a.compat, b.compat},
      {"device", a.device, b.device},
      {"torch version", a.torch_version, b.torch_version}};
  for (const auto& [name, one, other] : texts) {
    if (one != other) return std::string(name) + " ('" + one + "' and '" + other + "')";
  }
  if (a.thresholds != b.thresholds) return "thresholds";
  return std::nullopt;
}

}  // namespace

Result<Manifest> merge_manifests(const std::vector<std::pair<std::string, Manifest>>& parts,
                                 const std::string& source) {
  if (parts.empty()) return Error{ErrorKind::kUsage, "there is nothing to merge", "", "", ""};
  Manifest merged = parts.front().second;
  if (!source.empty()) merged.source = source;
  merged.tasks.clear();
  std::map<std::string, ManifestEntry> entries;
  for (const auto& [name, part] : parts) {
    if (const auto setting = difference(parts.front().second.settings, part.settings)) {
      return Error{ErrorKind::kUsage, "its decisions rest on another " + *setting, name, "settings",
                   "merge manifests of equal settings"};
    }
    if (part.tool_version != merged.tool_version) {
      return Error{ErrorKind::kUsage, "it was written by version " + part.tool_version + ", others by another", name,
                   "tool_version", ""};
    }
    merged.created = std::max(merged.created, part.created);
    for (ManifestEntry entry : part.tasks) {
      if (!source.empty() && entry.file.starts_with(part.source)) entry.file.replace(0, part.source.size(), source);
      const auto [at, is_new] = entries.try_emplace(entry.key, entry);
      if (is_new) continue;
      if (at->second.code_sha256 != entry.code_sha256) {
        return Error{ErrorKind::kUsage, "task " + entry.key + " has other code than in a manifest before it", name,
                     entry.key, "merge manifests of one version of the benchmark"};
      }
      if (entry.decision != Verdict::kNotRun) at->second = entry;
    }
  }
  for (auto& [key, entry] : entries) merged.tasks.push_back(std::move(entry));
  std::sort(merged.tasks.begin(), merged.tasks.end(), [](const ManifestEntry& a, const ManifestEntry& b) {
    return std::tie(a.level, a.id, a.name, a.key) < std::tie(b.level, b.id, b.name, b.key);
  });
  return merged;
}

}  // namespace kernel_audit::tasks
