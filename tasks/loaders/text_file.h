// Reading source text: regular files only, size-limited, byte for byte, and refused with the place of the
// fault when it is not UTF-8 or holds NUL bytes (no interpreter or compiler here would read such a source).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "auditor/core/result.h"
#include "tasks/loaders/loader.h"

namespace kernel_audit::tasks {

// Whole content of a regular file of at most `max_bytes`. Never blocks on a FIFO or device.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

// Why `text` is no usable source, with line and byte offset; nothing when it is fine. A byte order mark, any kind of
// line ending and any other control character are fine.
std::optional<std::string> text_fault(std::string_view text);

// Reads a source file for a task or candidate, counting it in `context`; a fault becomes a problem and no value.
std::optional<SourceFile> read_source(const Place& place, LoadContext& context);

// Language by file extension; nothing when it is not a source file.
std::optional<Language> language_of(std::string_view file_name);
bool is_header(std::string_view file_name);  // .cuh .h .hpp .inl: included, never a candidate's entry by itself
bool has_extension(std::string_view file_name, std::string_view extension);  // ".py", compared without case
std::string stem(std::string_view file_name);                                // without its last extension

}  // namespace kernel_audit::tasks
