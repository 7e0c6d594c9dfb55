// Names that native calls are given: all that an argument may be, and the files that are opened.
#pragma once

#include <string>
#include <vector>

#include "analysis/rules/native_calls.h"

namespace kernel_audit::analysis::rules {

// All texts that argument `i` (receiver first) may be; none when it may be anything else.
std::vector<std::string> texts_argument(const facts::Model& model, const NativeCall& call, std::size_t i);

// Files that are opened, and the names that they have or the constant parts of those.
struct OpenedFile {
  NativeCall call;
  std::string path;
};
std::vector<OpenedFile> opened_files(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
