#include "tasks/loaders/record_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kernel_audit::tasks {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error not_a(const std::string& kind, const Json& value) {
  std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
  return {ErrorKind::kUsage, "is " + shown + ", not " + kind, "", "", "correct the field, or name another by --field"};
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

}  // namespace

bool FieldNames::any_in(const Json& object) const {
  if (!object.is_object()) return false;
  for (const auto* names : {&ref, &code, &level, &id, &name}) {
    if (find_field(object, *names, nullptr) != nullptr) return true;
  }
  return false;
}

bool FieldNames::is_key(const std::string& field) const {
  return contains(level, field) || contains(id, field) || contains(sample, field);
}

bool FieldNames::knows(const std::string& field) const {
  for (const auto* names : {&ref, &code, &level, &id, &name, &claim, &language, &sample}) {
    if (contains(*names, field)) return true;
  }
  return false;
}

Result<FieldNames> field_names(const LoadOptions& options) {
  FieldNames names;
  names.ref = {"ref_code", "code"};
  names.code = {"custom_code", "code"};
  names.level = {"level_id", "level"};
  names.id = {"task_id", "problem_id", "id"};
  names.name = {"name", "task_name"};
  names.claim = {"score_default", "claimed_speedup", "speedup"};
  names.language = {"language", "backend"};
  names.sample = {"sample_id", "sample"};
  const std::vector<std::pair<std::string, std::vector<std::string>*>> roles = {
      {"ref", &names.ref},   {"code", &names.code},   {"level", &names.level},       {"id", &names.id},
      {"name", &names.name}, {"claim", &names.claim}, {"language", &names.language}, {"sample", &names.sample}};
  for (const auto& [role, field] : options.fields) {
    const auto it = std::find_if(roles.begin(), roles.end(), [&](const auto& known) { return known.first == role; });
    if (it == roles.end() || field.empty()) {
      return Error{ErrorKind::kUsage, "\"" + role + "=" + field + "\" names no role and field", "", "--field",
                   "write --field ROLE=NAME with ROLE one of ref, code, level, id, name, claim, language, sample"};
    }
    *it->second = {field};
  }
  // A file whose only code is in a field of the user's own is read by `--field code=NAME` alone, tasks included.
  const auto code = options.fields.find("code");
  if (code != options.fields.end() && !options.fields.contains("ref")) names.ref.push_back(code->second);
  return names;
}

Result<Json> parse_user_json(std::string_view text, const std::string& what) {
  auto json = parse_json(text, what);
  if (json) return json;
  Error error = json.error();
  error.kind = ErrorKind::kUsage;
  error.remedy = "correct the JSON text";
  return error;
}

const Json* find_field(const Json& record, const std::vector<std::string>& names, std::string* found) {
  for (const std::string& name : names) {
    const auto it = record.find(name);
    if (it == record.end()) continue;
    if (found != nullptr) *found = name;
    return &*it;
  }
  return nullptr;
}

std::string missing_code(const Json* value) {
  if (value == nullptr) return "absent";
  if (value->is_null()) return "null";
  if (!value->is_string()) return "";
  const auto& text = value->get_ref<const std::string&>();
  if (text == "None" || text == "null") return "\"" + text + "\"";
  return is_blank(text) ? "empty" : "";
}

Result<std::optional<double>> number_of(const Json& value) {
  if (value.is_null()) return std::optional<double>();
  if (value.is_number()) {
    const auto number = value.get<double>();
    if (!std::isfinite(number)) return not_a("a finite number", value);
    return std::optional<double>(number);
  }
  if (!value.is_string()) return not_a("a number", value);
  const auto& text = value.get_ref<const std::string&>();
  if (is_blank(text) || text == "None" || text == "null") return std::optional<double>();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return not_a("a number", value);
  }
  return std::optional<double>(number);
}

Result<std::optional<int>> whole_number_of(const Json* value) {
  if (value == nullptr) return std::optional<int>();
  auto number = number_of(*value);
  if (!number) return not_a("a whole number", *value);
  if (!number->has_value()) return std::optional<int>();
  if (**number < 0 || **number > 9999999 || **number != std::floor(**number)) return not_a("a whole number", *value);
  return std::optional<int>(static_cast<int>(**number));
}

}  // namespace kernel_audit::tasks
