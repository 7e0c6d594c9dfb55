#include "filters/presets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "auditor/core/embedded_text.h"
#include "auditor/core/json.h"
#include "filters/rules/rule.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& filter_presets();  // generated
}

namespace kernel_audit::filters {
namespace {

std::string enabled_id(const std::string& slug) { return "filters." + slug + ".enabled"; }

Result<Preset> read_preset(const EmbeddedText& file) {
  const std::string name(file.name);
  const auto json = parse_json(file.text, name);
  if (!json) return json.error();
  try {
    Preset preset;
    preset.name = json->at("name").get<std::string>();
    preset.summary = json->at("summary").get<std::string>();
    preset.probes = json->at("probes").get<std::vector<std::string>>();
    preset.seeds = json->value("seeds", preset.seeds);
    preset.max_seeds = json->value("max_seeds", preset.seeds);
    preset.policy.name = preset.name;
    for (const auto& [code, text] : json->at("effects").items()) {
      const auto effect = effect_from_string(text.get<std::string>());
      if (!effect) return Error{ErrorKind::kTool, "unknown effect", name, code, ""};
      preset.policy.effects[code] = *effect;
    }
    for (const auto& [id, entry] : json->at("thresholds").items()) {
      Threshold threshold{id,
                          entry.at("value").get<double>(),
                          entry.at("unit").get<std::string>(),
                          entry.at("source").get<std::string>(),
                          entry.value("minimum", 0.0),
                          std::nullopt};
      if (entry.contains("maximum")) threshold.maximum = entry["maximum"].get<double>();
      preset.policy.thresholds[id] = threshold.value;
      preset.thresholds.push_back(std::move(threshold));
    }
    if (json->contains("rules")) {
      const auto wanted = json->at("rules").get<std::set<std::string>>();
      for (const std::string& slug : wanted) {
        if (find_rule(slug) == nullptr) return Error{ErrorKind::kTool, "unknown rule", name, slug, ""};
      }
      for (const Rule& rule : registry()) {
        if (!wanted.contains(rule.info.slug)) preset.policy.thresholds[enabled_id(rule.info.slug)] = 0;
      }
    }
    return preset;
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kTool, e.what(), name, "", ""};
  }
}

}  // namespace

bool Preset::runs(const std::string& probe) const {
  return std::find(probes.begin(), probes.end(), probe) != probes.end();
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> list;
    // An embedded file that does not parse is left out here and fails the registry test.
    for (const auto& file : filter_presets()) {
      if (auto preset = read_preset(file)) list.push_back(std::move(*preset));
    }
    std::sort(list.begin(), list.end(), [](const Preset& a, const Preset& b) { return a.name < b.name; });
    return list;
  }();
  return all;
}

Result<Preset> find_preset(const std::string& name) {
  std::string known;
  for (const auto& preset : presets()) {
    if (preset.name == name) return preset;
    known += (known.empty() ? "" : ", ") + preset.name;
  }
  return Error{ErrorKind::kUsage, "there is no preset of the name '" + name + "'", "", "preset", "known: " + known};
}

void apply_preset(const Preset& preset, Policy& policy) {
  policy.effects.insert(preset.policy.effects.begin(), preset.policy.effects.end());
  policy.thresholds.insert(preset.policy.thresholds.begin(), preset.policy.thresholds.end());
}

bool rule_enabled(const Policy& policy, const std::string& slug) {
  const auto found = policy.thresholds.find(enabled_id(slug));
  return found == policy.thresholds.end() || found->second != 0;
}

Status set_threshold(const std::string& assignment, std::map<std::string, double>& thresholds) {
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    return Error{ErrorKind::kUsage, "'" + assignment + "' " + message, "", "--set", remedy};
  };
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) return refuse("is not NAME=VALUE", "see kernel-audit filter presets");
  std::string id = assignment.substr(0, equals);
  if (!id.starts_with("filters.")) id.insert(0, "filters.");
  double value = 0;
  const char* begin = assignment.data() + equals + 1;
  const char* end = assignment.data() + assignment.size();
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (problem != std::errc() || stop != end || !std::isfinite(value)) {
    return refuse("gives no number", "write it like seed-std.absolute=0.01");
  }
  for (const Rule& rule : registry()) {
    if (id != enabled_id(rule.info.slug)) continue;
    if (value != 0 && value != 1) return refuse("is neither on nor off", "use 1 or 0");
    thresholds[id] = value;
    return Ok{};
  }
  for (const Preset& preset : presets()) {
    for (const Threshold& known : preset.thresholds) {
      if (known.id != id) continue;
      if (value < known.minimum || (known.maximum && value > *known.maximum)) {
        return refuse("is out of range", "use " + dump_json(Json(known.minimum)) + " or more" +
                                             (known.maximum ? ", up to " + dump_json(Json(*known.maximum)) : ""));
      }
      thresholds[id] = value;
      return Ok{};
    }
  }
  return refuse("names no threshold", "see kernel-audit filter presets");
}

std::optional<double> threshold(const Policy& policy, const std::string& id) {
  if (const auto found = policy.thresholds.find(id); found != policy.thresholds.end()) return found->second;
  for (const auto& preset : presets()) {
    if (preset.name != "default") continue;
    const auto found = preset.policy.thresholds.find(id);
    if (found != preset.policy.thresholds.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::filters
