// Parameters of kernels that are constants when the kernel is compiled: how the Python lowering marks them.
#pragma once

namespace kernel_audit::analysis::facts {

// Name of the type of such a parameter.
inline constexpr const char* kCompiledIn = "constexpr";

}  // namespace kernel_audit::analysis::facts
