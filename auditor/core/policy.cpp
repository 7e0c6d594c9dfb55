#include "auditor/core/policy.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "auditor/core/embedded_text.h"
#include "auditor/core/letter_case.h"
#include "auditor/core/names.h"

namespace kernel_audit {

const std::vector<EmbeddedText>& policy_preset_texts();

namespace {

constexpr Names<Stance, 3> kStances = {
    {{Stance::kAllow, "allow"}, {Stance::kReview, "review"}, {Stance::kForbid, "forbid"}}};
constexpr const char* kStanceRemedy = "use allow, review or forbid";
constexpr const char* kEffectRemedy = "use note, review, inconclusive, drop, cheat or wrong";
constexpr const char* kThresholdRemedy = "for example {\"eval.wrong.atol\": 0.001}";
constexpr const char* kShareRemedy = "use allow, review, forbid, or shares between 0 and 1";

Error usage(const std::string& file, const std::string& field, std::string message, std::string remedy = "") {
  return Error{ErrorKind::kUsage, std::move(message), file, field, std::move(remedy)};
}

Effect effect_of(Stance stance) {
  switch (stance) {
    case Stance::kAllow:
      return Effect::kNote;
    case Stance::kForbid:
      return Effect::kCheat;
    case Stance::kReview:
      break;
  }
  return Effect::kReview;
}

ShareLimits limits_of(Stance stance) {
  switch (stance) {
    case Stance::kAllow:
      return {1, 1};
    case Stance::kForbid:
      return {0, 0};
    case Stance::kReview:
      break;
  }
  return {0, 1};
}

std::string topic_names() {
  std::string names;
  for (int i = static_cast<int>(Topic::kFrameworkCompute); i <= static_cast<int>(Topic::kBackendFlags); ++i)
    names += (names.empty() ? "" : ", ") + std::string(to_string(static_cast<Topic>(i)));
  return names;
}

bool is_share(double value) { return std::isfinite(value) && value >= 0 && value <= 1; }

// A stance by name, or both limits by number.
Status read_framework_compute(const Json& value, const std::string& file, ShareLimits& limits) {
  const std::string field = "topics.framework_compute";
  if (value.is_string()) {
    const auto stance = value_of(kStances, value.get<std::string>());
    if (!stance) return usage(file, field, "\"" + value.get<std::string>() + "\" is no stance.", kShareRemedy);
    limits = limits_of(*stance);
    return Ok{};
  }
  if (!value.is_object()) return usage(file, field, "This is neither a stance nor shares.", kShareRemedy);
  for (const auto& [key, number] : value.items()) {
    double* limit = key == "review_above"   ? &limits.review_above
                    : key == "forbid_above" ? &limits.forbid_above
                                            : nullptr;
    if (limit == nullptr)
      return usage(file, field + "." + key, "There is no such share.", "use review_above, forbid_above");
    if (!number.is_number() || !is_share(number.get<double>()))
      return usage(file, field + "." + key, "A share is a number between 0 and 1.", kShareRemedy);
    *limit = number.get<double>();
  }
  if (limits.review_above > limits.forbid_above)
    return usage(file, field, "review_above is larger than forbid_above.", "what is forbidden needs no review");
  return Ok{};
}

Status read_topics(const Json& value, const std::string& file, Policy& policy) {
  if (!value.is_object()) return usage(file, "topics", "`topics` maps topics to stances.", kStanceRemedy);
  for (const auto& [name, stance] : value.items()) {
    const std::string field = "topics." + name;
    const auto topic = topic_from_string(name);
    if (!topic || *topic == Topic::kNone) return usage(file, field, "There is no such topic.", "use " + topic_names());
    if (*topic == Topic::kFrameworkCompute) {
      if (Status read = read_framework_compute(stance, file, policy.framework_compute); !read) return read;
      continue;
    }
    const auto known = stance.is_string() ? value_of(kStances, stance.get<std::string>()) : std::nullopt;
    if (!known) return usage(file, field, dump_json(stance) + " is no stance.", kStanceRemedy);
    policy.topics[*topic] = *known;
  }
  return Ok{};
}

bool is_rule_code(const std::string& code) {
  return code.size() == 5 && code.starts_with("KA") && code.find_first_not_of("0123456789", 2) == std::string::npos;
}

bool is_slug(const std::string& name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

Status read_effects(const Json& value, const std::string& file, Policy& policy) {
  if (!value.is_object()) return usage(file, "effects", "`effects` maps rules to effects.", kEffectRemedy);
  for (const auto& [written, text] : value.items()) {
    const std::string code = in_capitals(written), slug = in_small_letters(written);
    if (!is_rule_code(code) && !is_slug(slug))
      return usage(file, "effects." + written, "This is no code or slug of a rule.", "write it as in KA104");
    const auto effect = text.is_string() ? effect_from_string(text.get<std::string>()) : std::nullopt;
    if (!effect) return usage(file, "effects." + written, "The effect of a rule is not known.", kEffectRemedy);
    policy.effects[is_rule_code(code) ? code : slug] = *effect;
  }
  return Ok{};
}

Status read_thresholds(const Json& value, const std::string& file, Policy& policy) {
  if (!value.is_object())
    return usage(file, "thresholds", "`thresholds` maps threshold ids to numbers.", kThresholdRemedy);
  for (const auto& [id, number] : value.items()) {
    if (!number.is_number() || !std::isfinite(number.get<double>()))
      return usage(file, "thresholds." + id, "A threshold is a finite number.", kThresholdRemedy);
    policy.thresholds[id] = number.get<double>();
  }
  return Ok{};
}

std::string preset_name(const EmbeddedText& text) {
  const auto slash = text.name.rfind('/');
  std::string name(slash == std::string_view::npos ? text.name : text.name.substr(slash + 1));
  return name.substr(0, name.rfind(".json"));
}

// The value of an option as JSON would hold it.
Json option_value(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

}  // namespace

const char* to_string(Stance stance) { return name_of(kStances, stance); }

double Policy::threshold(const std::string& id, double fallback) const {
  const auto found = thresholds.find(id);
  return found == thresholds.end() ? fallback : found->second;
}

Effect Policy::effect(const RuleInfo& rule, double share) const {
  if (const auto found = effects.find(rule.code); found != effects.end()) return found->second;
  if (rule.topic == Topic::kFrameworkCompute) {
    return share > framework_compute.forbid_above   ? Effect::kCheat
           : share > framework_compute.review_above ? Effect::kReview
                                                    : Effect::kNote;
  }
  const auto stance = topics.find(rule.topic);
  return stance == topics.end() ? rule.effect : effect_of(stance->second);
}

Finding make_finding(const RuleInfo& rule, const Policy& policy, std::string message) {
  Finding finding = make_finding(rule, std::move(message));
  finding.effect = policy.effect(rule);
  return finding;
}

std::vector<std::string> policy_presets() {
  std::vector<std::string> names;
  for (const EmbeddedText& text : policy_preset_texts()) names.push_back(preset_name(text));
  return names;
}

Result<Policy> find_policy(const std::string& name) {
  std::string names;
  for (const EmbeddedText& text : policy_preset_texts()) {
    if (preset_name(text) == name) {
      Result<Json> json = parse_json(text.text, name);
      return json ? policy_from_json(*json, name) : Result<Policy>(json.error());
    }
    names += preset_name(text) + ", ";
  }
  return usage(name, "--policy", "there is no such policy preset or file", "use " + names + "or a JSON file");
}

Result<Policy> policy_from_json(const Json& json, const std::string& file) {
  if (!json.is_object())
    return usage(file, "", "A policy is a JSON object.", R"(for example {"extends": "strict", "topics": {…}})");
  Policy policy;
  policy.name = file;
  if (const auto base = json.find("extends"); base != json.end()) {
    Result<Policy> found =
        base->is_string()
            ? find_policy(base->get<std::string>())
            : Result<Policy>(usage(file, "extends", "A preset is named by a string.", "for example \"strict\""));
    if (!found) return usage(file, "extends", found.error().message, found.error().remedy);
    policy = std::move(*found);
    policy.name = file;
  }
  for (const auto& [field, value] : json.items()) {
    Status read = Ok{};
    if (field == "name" || field == "description") {
      if (!value.is_string()) return usage(file, field, "This is not a string.", "write it in quotes");
      if (field == "name") policy.name = value.get<std::string>();
    } else if (field == "topics") {
      read = read_topics(value, file, policy);
    } else if (field == "effects") {
      read = read_effects(value, file, policy);
    } else if (field == "thresholds") {
      read = read_thresholds(value, file, policy);
    } else if (field != "extends") {
      // A misspelt field would silently fall back to defaults and change verdicts.
      return usage(file, field, "A policy has no such field.",
                   "use name, description, extends, topics, effects, thresholds");
    }
    if (!read) return read.error();
  }
  return policy;
}

Status set_policy_option(Policy& policy, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size()) {
    return usage("--set", assignment, "This is not NAME=VALUE.", "for example --set vendor_libraries=forbid");
  }
  std::string name = assignment.substr(0, equals);
  const Json value = option_value(assignment.substr(equals + 1));
  for (char& c : name) c = c == '-' ? '_' : c;
  const std::string compute = to_string(Topic::kFrameworkCompute);
  if (name == compute && value.is_number()) {
    const double limit = value.get<double>();
    ShareLimits limits = policy.framework_compute;
    limits.forbid_above = limit;
    if (limits.review_above > limit) limits.review_above = limit;
    if (!is_share(limit)) return usage("--set", name, "A share is a number between 0 and 1.", kShareRemedy);
    policy.framework_compute = limits;
    return Ok{};
  }
  if (name.starts_with(compute + "."))
    return read_framework_compute({{name.substr(compute.size() + 1), value}}, "--set", policy.framework_compute);
  // Slugs and ids of thresholds are kept as they were written.
  if (name.starts_with("effects.")) return read_effects({{assignment.substr(8, equals - 8), value}}, "--set", policy);
  if (name.starts_with("thresholds."))
    return read_thresholds({{assignment.substr(11, equals - 11), value}}, "--set", policy);
  return read_topics({{name, value}}, "--set", policy);
}

}  // namespace kernel_audit
