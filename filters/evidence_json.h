// Shared by the JSON forms of evidence: numbers that may be absent, and lists. JSON knows no NaN and no infinity:
// such a number is written as null, which reads as "absent".
#pragma once

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit::filters::evidence_json {

inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

template <typename T>
Json optional(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <typename T>
std::optional<T> read(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<T>();
}

template <typename T>
std::optional<T> read(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found == json.end() ? std::nullopt : read<T>(*found);
}

// The functions of T must be visible by its namespace.
template <typename T>
Json list(const std::vector<T>& items) {
  Json result = Json::array();
  for (const auto& item : items) {
    Json element;
    to_json(element, item);
    result.push_back(std::move(element));
  }
  return result;
}

template <typename T>
std::vector<T> read_list(const Json& json) {
  std::vector<T> items;
  for (const auto& element : json) from_json(element, items.emplace_back());
  return items;
}

// A part that evidence of an older version lacks reads as empty.
template <typename T>
std::vector<T> read_list(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found == json.end() ? std::vector<T>() : read_list<T>(*found);
}

template <typename T>
void read_part(const Json& json, const char* field, std::optional<T>& part) {
  const auto found = json.find(field);
  part.reset();
  if (found != json.end() && !found->is_null()) from_json(*found, part.emplace());
}

template <typename T>
Json part(const std::optional<T>& value) {
  Json json;
  if (value) to_json(json, *value);
  return json;
}

}  // namespace kernel_audit::filters::evidence_json
