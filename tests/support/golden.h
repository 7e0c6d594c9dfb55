// Golden texts with holes: what a run cannot know is written as %float, %int or %any in the expected text.
#pragma once

#include <string>

namespace kernel_audit::testing_support {

// Empty when `actual` fits `expected` line by line, else the first line that differs, both ways. Holes: %float a
// decimal number, %int digits, %any the rest of a word or more (not a line feed).
std::string golden_difference(const std::string& expected, const std::string& actual);

// Compares with the file at `path`. With KERNEL_AUDIT_UPDATE_GOLDEN set, writes `actual` there instead, and says so.
std::string golden_file_difference(const std::string& path, const std::string& actual);

}  // namespace kernel_audit::testing_support
