// JSON forms of the core types (nlohmann::json ADL), used by journal, results.json and messages.
// Reading never throws past `parse_json`: callers get a Result with the field that is off.
#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "auditor/core/finding.h"
#include "auditor/core/metric.h"
#include "auditor/core/result.h"
#include "auditor/core/source_span.h"

namespace kernel_audit {

using Json = nlohmann::json;

void to_json(Json& json, const SourceSpan& span);
void from_json(const Json& json, SourceSpan& span);
void to_json(Json& json, const Interval& interval);
void from_json(const Json& json, Interval& interval);
void to_json(Json& json, const Metric& metric);  // a missing or non-finite value is null plus "reason"
void from_json(const Json& json, Metric& metric);
void to_json(Json& json, const FlowNote& note);
void from_json(const Json& json, FlowNote& note);
void to_json(Json& json, const Finding& finding);
void from_json(const Json& json, Finding& finding);

// Parses `text` with a depth limit and a size limit; `what` names the source in the error.
Result<Json> parse_json(std::string_view text, const std::string& what, std::size_t max_bytes = std::size_t{1} << 30,
                        int max_depth = 200);

// Text of `json`; never throws: bytes that are not UTF-8 become U+FFFD, non-finite numbers null.
std::string dump_json(const Json& json, int indent = -1);

// Reads `json` as T, turning any exception of the JSON library or of a from_json into an Error that names `what`.
template <typename T>
Result<T> read_json(const Json& json, const std::string& what) {
  try {
    return json.get<T>();
  } catch (const std::exception& e) {
    return Error{ErrorKind::kProtocol, e.what(), what, "", ""};
  }
}

}  // namespace kernel_audit
