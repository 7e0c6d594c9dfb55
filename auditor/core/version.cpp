#include "auditor/core/version.h"

namespace kernel_audit {

std::string_view tool_version() { return KERNEL_AUDIT_VERSION; }

}  // namespace kernel_audit
