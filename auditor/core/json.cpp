#include "auditor/core/json.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kernel_audit {
namespace {

// Text of an enum field to its value; read_json turns the exception into an Error.
template <typename Enum>
Enum enum_at(const Json& json, const char* field, std::optional<Enum> (*parse)(const std::string&)) {
  const auto text = json.at(field).get<std::string>();
  const std::optional<Enum> value = parse(text);
  if (!value) throw std::invalid_argument(std::string("field \"") + field + "\" has no value \"" + text + "\"");
  return *value;
}

// Deepest nesting of brackets outside strings. Cheap, and runs before the parser allocates anything.
int nesting_depth(std::string_view text, int limit) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && deepest <= limit; ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

void to_json(Json& json, const SourceSpan& span) {
  json = Json{{"file", span.file},
              {"begin", span.begin},
              {"end", span.end},
              {"line", span.line},
              {"column", span.column},
              {"end_line", span.end_line},
              {"end_column", span.end_column}};
}

void from_json(const Json& json, SourceSpan& span) {
  span.file = json.at("file").get<std::string>();
  span.begin = json.at("begin").get<std::int64_t>();
  span.end = json.at("end").get<std::int64_t>();
  span.line = json.at("line").get<int>();
  span.column = json.at("column").get<int>();
  span.end_line = json.at("end_line").get<int>();
  span.end_column = json.at("end_column").get<int>();
}

void to_json(Json& json, const Interval& interval) {
  json = Json{{"low", interval.low}, {"high", interval.high}, {"level", interval.level}};
}

void from_json(const Json& json, Interval& interval) {
  interval.low = json.at("low").get<double>();
  interval.high = json.at("high").get<double>();
  interval.level = json.at("level").get<double>();
}

void to_json(Json& json, const Metric& metric) {
  json = Json{{"id", metric.id},
              {"unit", metric.unit},
              {"hint", to_string(metric.hint)},
              {"origin", to_string(metric.origin)},
              {"value", nullptr},
              {"description", metric.description}};
  if (metric.value && std::isfinite(*metric.value)) {
    json["value"] = *metric.value;
  } else if (metric.value) {
    const char* what = std::isnan(*metric.value) ? "not a number" : *metric.value > 0 ? "infinite" : "minus infinite";
    json["reason"] = "the value is " + std::string(what);
  } else {
    json["reason"] = metric.missing_reason.empty() ? "no reason was recorded" : metric.missing_reason;
  }
  // An interval with an infinite end says nothing that JSON can carry; the value stands without it.
  if (metric.interval && std::isfinite(metric.interval->low) && std::isfinite(metric.interval->high)) {
    json["interval"] = *metric.interval;
  }
}

void from_json(const Json& json, Metric& metric) {
  metric = Metric{};
  metric.id = json.at("id").get<std::string>();
  metric.unit = json.at("unit").get<std::string>();
  metric.hint = enum_at<Hint>(json, "hint", hint_from_string);
  metric.origin = enum_at<Origin>(json, "origin", origin_from_string);
  metric.description = json.value("description", "");
  if (const Json& value = json.at("value"); value.is_null()) {
    metric.missing_reason = json.at("reason").get<std::string>();
  } else {
    metric.value = value.get<double>();
  }
  if (json.contains("interval")) metric.interval = json.at("interval").get<Interval>();
}

void to_json(Json& json, const FlowNote& note) { json = Json{{"span", note.span}, {"message", note.message}}; }

void from_json(const Json& json, FlowNote& note) {
  note.span = json.at("span").get<SourceSpan>();
  note.message = json.at("message").get<std::string>();
}

void to_json(Json& json, const Finding& finding) {
  json = Json{{"code", finding.code},
              {"slug", finding.slug},
              {"severity", to_string(finding.severity)},
              {"confidence", to_string(finding.confidence)},
              {"effect", to_string(finding.effect)},
              {"origin", to_string(finding.origin)},
              {"message", finding.message},
              {"span", finding.span},
              {"notes", finding.notes},
              {"evidence", finding.evidence}};
}

void from_json(const Json& json, Finding& finding) {
  finding.code = json.at("code").get<std::string>();
  finding.slug = json.at("slug").get<std::string>();
  finding.severity = enum_at<Severity>(json, "severity", severity_from_string);
  finding.confidence = enum_at<Confidence>(json, "confidence", confidence_from_string);
  finding.effect = enum_at<Effect>(json, "effect", effect_from_string);
  finding.origin = enum_at<Origin>(json, "origin", origin_from_string);
  finding.message = json.at("message").get<std::string>();
  finding.span = json.at("span").get<SourceSpan>();
  finding.notes = json.at("notes").get<std::vector<FlowNote>>();
  finding.evidence = json.at("evidence").get<std::vector<Metric>>();
}

Result<Json> parse_json(std::string_view text, const std::string& what, std::size_t max_bytes, int max_depth) {
  if (text.size() > max_bytes) {
    return Error{ErrorKind::kProtocol,
                 "The JSON text has " + std::to_string(text.size()) + " bytes, over the limit of " +
                     std::to_string(max_bytes) + ".",
                 what, "", ""};
  }
  if (nesting_depth(text, max_depth) > max_depth) {
    return Error{ErrorKind::kProtocol, "The JSON text is nested deeper than " + std::to_string(max_depth) + " levels.",
                 what, "", ""};
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& e) {
    std::string message = e.what();  // "[json.exception.parse_error.101] parse error at line 2, …"
    if (const std::size_t end = message.find("] "); message.starts_with("[json.") && end != std::string::npos)
      message.erase(0, end + 2);
    return Error{ErrorKind::kProtocol, "this is no JSON: " + message, what, "", ""};
  }
}

std::string dump_json(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kernel_audit
