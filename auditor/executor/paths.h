// Where programs are. Our binaries: kernel-audit-extract and kernel-audit-worker beside the running kernel-audit
// (or where KERNEL_AUDIT_BIN points). A binary that is not there is an Error with a remedy: each stage
// that needs none of them still runs.
#pragma once

#include <optional>
#include <string>

#include "auditor/core/result.h"

namespace kernel_audit::executor {

Result<std::string> sibling_binary(const std::string& name);

// The interpreter that parses candidates, as the extractor finds it (its PATH is that of its own fixed environment):
// canonical path, or nothing when it cannot be run. `asked`: a path, a name, or empty for python3.
std::optional<std::string> python_path(const std::string& asked);

}  // namespace kernel_audit::executor
