// Writing a report where the user finds it: results.json, report.md and the chosen format in the output folder
// (written to a temporary name and renamed), the chosen format on stdout. Returns the exit code of the command.
#pragma once

#include <string>

#include "auditor/core/result.h"
#include "reports/model.h"

namespace kernel_audit::commands {

Status write_file(const std::string& path, const std::string& text);

// `out` may be empty: nothing is written then. `format`: "text" or a writer of reports/registry.h.
int finish(reports::Report& report, const std::string& out, const std::string& format, bool interrupted);

}  // namespace kernel_audit::commands
