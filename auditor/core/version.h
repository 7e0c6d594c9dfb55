// Version of the tool, from the CMake project version: printed by --version, written to the journal's
// header and to every report. Stage versions (kProbeVersion, kExtractorVersion, …) are separate and decide
// what is measured again; this one decides nothing.
#pragma once

#include <string_view>

namespace kernel_audit {

std::string_view tool_version();  // "0.1.0"

}  // namespace kernel_audit
