// Which field of a record holds what: the built-in names of CUDA-L1 and of KernelBench's data set, and the user's own
// by --field ROLE=NAME, which then replace the built-in ones for that role.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {

struct FieldNames {
  std::vector<std::string> ref, code, level, id, name, claim, language, sample;

  // Whether `object` has any of these fields, and so is a record rather than a group of records.
  bool any_in(const Json& object) const;
  bool is_key(const std::string& field) const;  // level, id or sample: a number that is no claim
  bool knows(const std::string& field) const;   // whether it has any role
};

// Errors: an unknown role or an empty name.
Result<FieldNames> field_names(const LoadOptions& options);

// parse_json for a file of the user's: its errors are of kind kUsage and say what to do.
Result<Json> parse_user_json(std::string_view text, const std::string& what);

// The first of `names` that `record` has; nullptr when it has none. `found` gets its name.
const Json* find_field(const Json& record, const std::vector<std::string>& names, std::string* found);

// Why a code field holds no code ("null", "\"None\"", "empty", "absent"); empty when it does hold text or another type.
std::string missing_code(const Json* value);

// A finite number, also written as a string ("1.25"); nothing for null, "None" and empty text. Errors: anything else.
Result<std::optional<double>> number_of(const Json& value);

// A whole number from 0 to 9999999, also written as a string. Errors as above; nothing when absent.
Result<std::optional<int>> whole_number_of(const Json* value);

}  // namespace kernel_audit::tasks
