#include "tests/support/json_schema.h"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace kernel_audit::testing_support {
namespace {

// "id", "definitions" and "default" are of older drafts.
const std::set<std::string> kAnnotations = {"$schema", "$id",         "$defs",       "title",
                                            "id",      "description", "definitions", "default"};
const std::set<std::string> kKeywords = {"$ref",
                                         "type",
                                         "const",
                                         "enum",
                                         "required",
                                         "properties",
                                         "additionalProperties",
                                         "propertyNames",
                                         "items",
                                         "minItems",
                                         "uniqueItems",
                                         "minimum",
                                         "maximum",
                                         "exclusiveMinimum",
                                         "exclusiveMaximum",
                                         "minLength",
                                         "maxLength",
                                         "pattern",
                                         "format",
                                         "anyOf",
                                         "oneOf",
                                         "not",
                                         "if",
                                         "then",
                                         "else"};

bool has_type(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return false;
}

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& at) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) fail(at, "is not allowed");
      return;
    }
    for (const auto& [keyword, argument] : schema.items()) {
      if (kAnnotations.contains(keyword)) continue;
      if (!kKeywords.contains(keyword)) {
        fail(at, "the schema uses the keyword " + keyword + ", which is not checked here");
      }
    }
    if (schema.contains("$ref")) check(resolve(schema["$ref"]), value, at);
    check_value(schema, value, at);
    if (value.is_number()) check_number(schema, value, at);
    if (value.is_string()) check_string(schema, value, at);
    if (value.is_object()) check_object(schema, value, at);
    if (value.is_array()) check_array(schema, value, at);
    check_combined(schema, value, at);
  }

  std::vector<std::string> violations;

 private:
  void fail(const std::string& at, const std::string& what) {
    violations.push_back((at.empty() ? "/" : at) + ": " + what);
  }

  bool holds(const Json& schema, const Json& value) const {
    Validator inner(root_);
    inner.check(schema, value, "");
    return inner.violations.empty();
  }

  Json resolve(const Json& reference) {
    const auto text = reference.get<std::string>();
    try {
      if (text.starts_with('#')) return root_.at(Json::json_pointer(text.substr(1)));
      fail("", "the schema refers to " + text + ", which is not in the same file");
    } catch (const Json::exception&) {
      fail("", "the schema refers to " + text + ", which is not there");
    }
    return true;
  }

  void check_value(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("type")) {
      bool fits = false;
      const Json& types = schema["type"];
      for (const Json& type : types.is_array() ? types : Json::array({types})) fits = fits || has_type(value, type);
      if (!fits) fail(at, "is " + value.dump().substr(0, 40) + ", not of type " + types.dump());
    }
    if (schema.contains("const") && value != schema["const"]) fail(at, "is not " + schema["const"].dump());
    if (schema.contains("enum")) {
      bool found = false;
      for (const Json& allowed : schema["enum"]) found = found || allowed == value;
      if (!found) fail(at, "is " + value.dump().substr(0, 40) + ", not one of " + schema["enum"].dump());
    }
  }

  void check_number(const Json& schema, const Json& value, const std::string& at) {
    const auto number = value.get<double>();
    if (schema.contains("minimum") && number < schema["minimum"].get<double>()) fail(at, "is below the minimum");
    if (schema.contains("maximum") && number > schema["maximum"].get<double>()) fail(at, "is above the maximum");
    if (schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"].get<double>())
      fail(at, "is too small");
    if (schema.contains("exclusiveMaximum") && number >= schema["exclusiveMaximum"].get<double>())
      fail(at, "is too large");
  }

  void check_string(const Json& schema, const Json& value, const std::string& at) {
    const auto& text = value.get_ref<const std::string&>();
    if (schema.contains("minLength") && text.size() < schema["minLength"].get<std::size_t>()) fail(at, "is too short");
    if (schema.contains("maxLength") && text.size() > schema["maxLength"].get<std::size_t>()) fail(at, "is too long");
    if (schema.contains("pattern") && !std::regex_search(text, std::regex(schema["pattern"].get<std::string>()))) {
      fail(at, "does not match " + schema["pattern"].dump());
    }
    if (schema.contains("format")) check_format(schema["format"].get<std::string>(), text, at);
  }

  void check_format(const std::string& format, const std::string& text, const std::string& at) {
    static const std::regex uri("^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]*$");
    static const std::regex reference("^[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]*$");
    static const std::regex time(
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9:]{5})$");
    if (format == "uri"             ? !std::regex_match(text, uri)
        : format == "uri-reference" ? !std::regex_match(text, reference)
        : format == "date-time"     ? !std::regex_match(text, time)
                                    : true) {
      fail(at, "is no " + format);
    }
  }

  void check_array(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at + "/" + std::to_string(i));
    }
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>()) fail(at, "is too short");
    if (schema.contains("uniqueItems") && schema["uniqueItems"].get<bool>()) {
      const std::set<Json> distinct(value.begin(), value.end());
      if (distinct.size() != value.size()) fail(at, "holds something twice");
    }
  }

  void check_object(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("required")) {
      for (const Json& name : schema["required"]) {
        if (!value.contains(name.get<std::string>())) fail(at, "lacks " + name.dump());
      }
    }
    for (const auto& [name, inner] : value.items()) {
      if (schema.contains("propertyNames")) check(schema["propertyNames"], Json(name), at + "/" + name + " (name)");
      if (schema.contains("properties") && schema["properties"].contains(name)) {
        check(schema["properties"][name], inner, at + "/" + name);
      } else if (schema.contains("additionalProperties")) {
        check(schema["additionalProperties"], inner, at + "/" + name);
      }
    }
  }

  void check_combined(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("anyOf")) {
      bool any = false;
      std::string why;
      for (const Json& option : schema["anyOf"]) {
        Validator inner(root_);
        inner.check(option, value, at);
        any = any || inner.violations.empty();
        if (!inner.violations.empty()) why = inner.violations.front();
      }
      if (!any) fail(at, "fits none of the alternatives; of the last: " + why);
    }
    if (schema.contains("oneOf")) {
      int fitting = 0;
      for (const Json& option : schema["oneOf"]) fitting += holds(option, value) ? 1 : 0;
      if (fitting != 1) fail(at, "fits " + std::to_string(fitting) + " of the alternatives, not one");
    }
    if (schema.contains("not") && holds(schema["not"], value)) fail(at, "is what the schema excludes");
    if (schema.contains("if")) {
      const char* branch = holds(schema["if"], value) ? "then" : "else";
      if (schema.contains(branch)) check(schema[branch], value, at);
    }
  }

  const Json& root_;
};

void find_undocumented(const Json& root, const Json& schema, const std::string& at, std::vector<std::string>& found) {
  if (schema.is_array()) {
    for (const Json& inner : schema) find_undocumented(root, inner, at, found);
  }
  if (!schema.is_object()) return;
  if (schema.contains("properties") && !at.ends_with("/if") && !at.ends_with("/not")) {
    for (const auto& [name, inner] : schema["properties"].items()) {
      const bool referred =
          inner.contains("$ref") &&
          root.at(Json::json_pointer(inner["$ref"].get<std::string>().substr(1))).contains("description");
      if (!inner.contains("description") && !referred) found.push_back(at + "/" + name);
    }
  }
  for (const auto& [key, inner] : schema.items()) find_undocumented(root, inner, at + "/" + key, found);
}

}  // namespace

std::vector<std::string> schema_violations(const Json& schema, const Json& document) {
  Validator validator(schema);
  validator.check(schema, document, "");
  return validator.violations;
}

std::vector<std::string> undocumented_properties(const Json& schema) {
  std::vector<std::string> found;
  find_undocumented(schema, schema, "", found);
  return found;
}

Json read_json_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto json = parse_json(text.str(), path);
  return json ? *json : Json(nullptr);
}

}  // namespace kernel_audit::testing_support
