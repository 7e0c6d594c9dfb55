// A range of bytes in a user's file. Offsets are physical bytes of the file as it lies on disk (or
// of the record's code field); lines and columns are derived from them, 1-based, columns in bytes.
#pragma once

#include <cstdint>
#include <string>

namespace kernel_audit {

struct SourceSpan {
  std::string file;         // as the user named it; for JSONL records "path:record 17:custom_code"
  std::int64_t begin = -1;  // first byte, -1 when unknown
  std::int64_t end = -1;    // one past the last byte
  int line = 0;             // of `begin`; 0 when unknown
  int column = 0;
  int end_line = 0;
  int end_column = 0;

  bool known() const { return begin >= 0 && line > 0; }
  bool operator==(const SourceSpan&) const = default;
};

// Fills line, column, end_line, end_column of `span` from its offsets in `text`.
void locate(SourceSpan& span, const std::string& text);

}  // namespace kernel_audit
