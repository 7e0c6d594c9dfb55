#include "tasks/manifest_diff.h"

#include <map>
#include <set>
#include <utility>

namespace kernel_audit::tasks {
namespace {

constexpr const char* kArrow = " → ";

std::set<std::string> rules_of(const ManifestEntry& entry) {
  std::set<std::string> rules;
  for (const ManifestReason& reason : entry.reasons) {
    if (!reason.rule.empty() && reason.effect != "note") rules.insert(reason.rule + " " + reason.effect);
  }
  return rules;
}

std::vector<std::string> only_in(const std::set<std::string>& some, const std::set<std::string>& others) {
  std::vector<std::string> list;
  for (const std::string& rule : some) {
    if (!others.contains(rule)) list.push_back(rule);
  }
  return list;
}

// Nothing when both say the same of the same code under the same name.
bool compare(ManifestChange& change) {
  const ManifestEntry &before = *change.before, &after = *change.after;
  change.decision = before.decision != after.decision;
  change.code = before.code_sha256 != after.code_sha256;
  change.key = before.key != after.key || before.name != after.name;
  change.new_rules = only_in(rules_of(after), rules_of(before));
  change.gone_rules = only_in(rules_of(before), rules_of(after));
  return change.decision || change.code || change.key || !change.new_rules.empty() || !change.gone_rules.empty();
}

void note_setting(ManifestDiff& diff, const std::string& name, const std::string& before, const std::string& after) {
  if (before != after) diff.settings.push_back(name + ": " + before + kArrow + after);
}

std::string value_text(const std::map<std::string, double>& values, const std::string& id) {
  const auto found = values.find(id);
  return found == values.end() ? "none" : dump_json(Json(found->second));
}

void compare_settings(ManifestDiff& diff, const Manifest& before, const Manifest& after) {
  const ManifestSettings &a = before.settings, &b = after.settings;
  note_setting(diff, "tool version", before.tool_version, after.tool_version);
  note_setting(diff, "policy", a.policy, b.policy);
  note_setting(diff, "preset", a.preset, b.preset);
  note_setting(diff, "tolerance of", a.compat, b.compat);
  note_setting(diff, "device", a.device, b.device);
  note_setting(diff, "torch", a.torch_version, b.torch_version);
  std::set<std::string> ids;
  for (const auto* thresholds : {&a.thresholds, &b.thresholds}) {
    for (const auto& [id, value] : *thresholds) ids.insert(id);
  }
  for (const std::string& id : ids) note_setting(diff, id, value_text(a.thresholds, id), value_text(b.thresholds, id));
}

// The task as the later side names it.
const ManifestEntry& shown(const ManifestChange& change) { return change.after ? *change.after : *change.before; }

std::string title(const ManifestEntry& entry) {
  return entry.name == entry.key ? entry.key : entry.key + " " + entry.name;
}

// "drop → keep; other code; now KA005 drop; no longer KA001 review".
std::string what_changed(const ManifestChange& change) {
  std::vector<std::string> parts;
  if (change.decision) {
    parts.push_back(std::string(to_string(change.before->decision)) + kArrow + to_string(change.after->decision));
  } else {
    parts.push_back(std::string("still ") + to_string(change.after->decision));
  }
  if (change.code) parts.push_back("other code");
  if (change.key) parts.push_back("was " + title(*change.before));
  for (const std::string& rule : change.new_rules) parts.push_back("now " + rule);
  for (const std::string& rule : change.gone_rules) parts.push_back("no longer " + rule);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

std::string first_reason(const ManifestEntry& entry) {
  if (entry.reasons.empty()) return "";
  const ManifestReason& reason = entry.reasons.front();
  return (reason.rule.empty() ? "" : reason.rule + ": ") + reason.message;
}

std::string verdict_of(const ManifestChange& change) {
  return change.before && change.after ? what_changed(change) : to_string(shown(change).decision);
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

using Group = std::pair<const char*, const std::vector<ManifestChange>*>;

std::vector<Group> groups_of(const ManifestDiff& diff) {
  return {{"Changed", &diff.changed}, {"Added", &diff.added}, {"Removed", &diff.removed}};
}

std::string count_line(const ManifestDiff& diff) {
  return std::to_string(diff.changed.size()) + " changed, " + std::to_string(diff.added.size()) + " added, " +
         std::to_string(diff.removed.size()) + " removed, " + std::to_string(diff.unchanged) + " unchanged";
}

std::string render_text(const ManifestDiff& diff) {
  std::string text;
  if (!diff.settings.empty()) text += "The two manifests rest on different settings:\n";
  for (const std::string& line : diff.settings) text += "  " + cell(line) + "\n";
  for (const auto& [name, changes] : groups_of(diff)) {
    if (!changes->empty()) text += std::string(name) + ":\n";
    for (const ManifestChange& change : *changes) {
      text += "  " + cell(title(shown(change))) + ": " + cell(verdict_of(change)) + "\n";
      if (const std::string reason = first_reason(shown(change)); !reason.empty()) text += "    " + cell(reason) + "\n";
    }
  }
  return text + count_line(diff) + "\n";
}

std::string render_markdown(const ManifestDiff& diff) {
  std::string text = "# Changes between two filter manifests\n\n" + count_line(diff) + ".\n";
  if (!diff.settings.empty()) text += "\nThe two manifests rest on different settings:\n\n";
  for (const std::string& line : diff.settings) text += "- " + cell(line) + "\n";
  for (const auto& [name, changes] : groups_of(diff)) {
    if (changes->empty()) continue;
    text += "\n## " + std::string(name) + "\n\n| task | verdict | first reason |\n| --- | --- | --- |\n";
    for (const ManifestChange& change : *changes) {
      text += "| " + cell(title(shown(change))) + " | " + cell(verdict_of(change)) + " | " +
              cell(first_reason(shown(change))) + " |\n";
    }
  }
  return text;
}

Json side_json(const ManifestEntry* entry) {
  if (entry == nullptr) return nullptr;
  Json reasons = Json::array();
  for (const ManifestReason& reason : entry->reasons) {
    reasons.push_back({{"rule", reason.rule}, {"effect", reason.effect}, {"message", reason.message}});
  }
  return {{"key", entry->key},
          {"name", entry->name},
          {"code_sha256", entry->code_sha256},
          {"decision", to_string(entry->decision)},
          {"reasons", std::move(reasons)}};
}

std::string render_json(const ManifestDiff& diff) {
  Json json = {{"kind", "kernel-audit-manifest-diff"},
               {"schema_version", 1},
               {"settings", diff.settings},
               {"unchanged", diff.unchanged}};
  for (const auto& [name, changes] :
       {std::pair<const char*, const std::vector<ManifestChange>*>{"changed", &diff.changed},
        {"added", &diff.added},
        {"removed", &diff.removed}}) {
    Json list = Json::array();
    for (const ManifestChange& change : *changes) {
      list.push_back({{"before", side_json(change.before)}, {"after", side_json(change.after)}});
    }
    json[name] = std::move(list);
  }
  return dump_json(json, 2) + "\n";
}

}  // namespace

ManifestDiff diff_manifests(const Manifest& before, const Manifest& after) {
  ManifestDiff diff;
  compare_settings(diff, before, after);
  std::map<std::pair<std::string, std::string>, const ManifestEntry*> by_name;
  std::multimap<std::string, const ManifestEntry*> by_code;
  std::set<const ManifestEntry*> matched;
  for (const ManifestEntry& entry : before.tasks) by_name[{entry.key, entry.name}] = &entry;
  std::vector<ManifestChange> pairs;
  for (const ManifestEntry& entry : after.tasks) {
    ManifestChange& change = pairs.emplace_back();
    change.after = &entry;
    const auto found = by_name.find({entry.key, entry.name});
    if (found == by_name.end()) continue;
    change.before = found->second;
    matched.insert(found->second);
  }
  for (const ManifestEntry& entry : before.tasks) {
    if (!matched.contains(&entry)) by_code.emplace(entry.code_sha256, &entry);
  }
  for (ManifestChange& change : pairs) {
    if (change.before == nullptr) {
      const auto found = by_code.find(change.after->code_sha256);
      if (found != by_code.end()) {
        change.before = found->second;
        matched.insert(found->second);
        by_code.erase(found);
      }
    }
    if (change.before == nullptr) {
      diff.added.push_back(change);
    } else if (compare(change)) {
      diff.changed.push_back(change);
    } else {
      ++diff.unchanged;
    }
  }
  for (const ManifestEntry& entry : before.tasks) {
    if (!matched.contains(&entry)) diff.removed.push_back({&entry, nullptr, false, false, false, {}, {}});
  }
  return diff;
}

std::string render_diff(const ManifestDiff& diff, DiffFormat format) {
  switch (format) {
    case DiffFormat::kMarkdown:
      return render_markdown(diff);
    case DiffFormat::kJson:
      return render_json(diff);
    case DiffFormat::kText:
      break;
  }
  return render_text(diff);
}

}  // namespace kernel_audit::tasks
