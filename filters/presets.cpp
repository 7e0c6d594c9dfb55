#include "filters/presets.h"

#include <algorithm>

#include "auditor/core/embedded_text.h"
#include "auditor/core/json.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& filter_presets();  // generated
}

namespace kernel_audit::filters {
namespace {

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
    preset.policy.name = preset.name;
    for (const auto& [code, text] : json->at("effects").items()) {
      const auto effect = effect_from_string(text.get<std::string>());
      if (!effect) return Error{ErrorKind::kTool, "unknown effect", name, code, ""};
      preset.policy.effects[code] = *effect;
    }
    for (const auto& [id, entry] : json->at("thresholds").items()) {
      preset.thresholds.push_back({id, entry.at("value").get<double>(), entry.at("unit").get<std::string>(),
                                   entry.at("source").get<std::string>()});
      preset.policy.thresholds[id] = preset.thresholds.back().value;
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
