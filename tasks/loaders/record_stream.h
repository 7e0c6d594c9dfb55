// Cuts a JSON or JSONL file into records, whatever its extension says: one object per line, a list, a single record, or
// an object of groups {"1": [record, …]}, {"1": {"9": record}}. Records are handed over one by one.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "auditor/core/json.h"
#include "tasks/loaders/loader.h"
#include "tasks/loaders/record_fields.h"

namespace kernel_audit::tasks {

struct RecordPlace {
  int number = 0;            // 1-based, in order of the file
  std::string label;         // "record 17"
  int line = 0;              // of a file of lines, else 0
  std::optional<int> level;  // from the groups around it, for records that do not say
  std::optional<int> id;
};

using UseRecord = std::function<void(const Json& record, const RecordPlace& at)>;

// Calls `use` for each record; what is no record is a problem. False when the file as a whole cannot be read, after
// reporting why.
bool each_record(const Place& place, LoadContext& context, const FieldNames& names, const UseRecord& use);

}  // namespace kernel_audit::tasks
