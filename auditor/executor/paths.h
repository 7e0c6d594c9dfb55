// Where our binaries are: kernel-audit-extract and kernel-audit-worker beside the running kernel-audit
// (or where KERNEL_AUDIT_BIN points). A binary that is not there is an Error with a remedy: each stage
// that needs none of them still runs.
#pragma once

#include <string>

#include "auditor/core/result.h"

namespace kernel_audit::executor {

Result<std::string> sibling_binary(const std::string& name);

}  // namespace kernel_audit::executor
