// Which modules a Python source names in its import statements, so that those beside it can come along. Read from the
// text, line by line: a statement inside a string may be taken for one, which brings a file too many and none too few.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernel_audit::tasks {

// Paths with dots, each once: "helpers.core" for `import helpers.core as h`, ".helpers" and ".helpers.f" for `from
// .helpers import f` (f may be a module too), "helpers" for `importlib.import_module("helpers")`. Leading dots are
// those of the statement.
std::vector<std::string> imported_modules(std::string_view source);

// Whether a module of this name is the standard library's, or a package's that candidates use.
bool is_installed(const std::string& module);

}  // namespace kernel_audit::tasks
