#include "auditor/core/policy.h"

#include <cmath>
#include <utility>

namespace kernel_audit {
namespace {

Error usage(const std::string& file, const std::string& field, std::string message, std::string remedy = "") {
  return Error{ErrorKind::kUsage, std::move(message), file, field, std::move(remedy)};
}

}  // namespace

double Policy::threshold(const std::string& id, double fallback) const {
  const auto found = thresholds.find(id);
  return found == thresholds.end() ? fallback : found->second;
}

Effect Policy::effect(const RuleInfo& rule) const {
  const auto found = effects.find(rule.code);
  return found == effects.end() ? rule.effect : found->second;
}

Finding make_finding(const RuleInfo& rule, const Policy& policy, std::string message) {
  Finding finding = make_finding(rule, std::move(message));
  finding.effect = policy.effect(rule);
  return finding;
}

Result<Policy> policy_from_json(const Json& json, const std::string& file) {
  if (!json.is_object()) return usage(file, "", "A policy is a JSON object.");
  Policy policy;
  for (const auto& [field, value] : json.items()) {
    if (field == "name") {
      if (!value.is_string()) return usage(file, field, "The name of a policy is a string.");
      policy.name = value.get<std::string>();
    } else if (field == "effects") {
      if (!value.is_object()) return usage(file, field, "`effects` maps rule codes to effects.");
      for (const auto& [code, text] : value.items()) {
        const auto effect = text.is_string() ? effect_from_string(text.get<std::string>()) : std::nullopt;
        if (!effect) {
          return usage(file, "effects." + code, "The effect of a rule is not known.",
                       "use note, review, inconclusive, drop, cheat or wrong");
        }
        policy.effects[code] = *effect;
      }
    } else if (field == "thresholds") {
      if (!value.is_object()) return usage(file, field, "`thresholds` maps threshold ids to numbers.");
      for (const auto& [id, number] : value.items()) {
        if (!number.is_number() || !std::isfinite(number.get<double>())) {
          return usage(file, "thresholds." + id, "A threshold is a finite number.");
        }
        policy.thresholds[id] = number.get<double>();
      }
    } else if (field != "description") {
      // A misspelt field would silently fall back to defaults and change verdicts.
      return usage(file, field, "A policy has no such field.", "use name, description, effects, thresholds");
    }
  }
  return policy;
}

}  // namespace kernel_audit
