// A small JSON Schema validator for tests: the keywords that our schemas and that of SARIF use, no more. A keyword it
// does not know makes every document invalid, so that no part of a schema is silently left unchecked.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit::testing_support {

// One line per violation, "place: what"; empty when `document` is valid. `schema` may refer to its own $defs only.
std::vector<std::string> schema_violations(const Json& schema, const Json& document);

// Each property of each object in `schema` that lacks a description of its own or through its $ref.
std::vector<std::string> undocumented_properties(const Json& schema);

// Reads and parses a JSON file; null when that fails, which no schema here accepts.
Json read_json_file(const std::string& path);

}  // namespace kernel_audit::testing_support
