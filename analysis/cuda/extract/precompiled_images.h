// The precompiled stub headers as the build made them with the Clang that this is linked with.
#pragma once

#include <string_view>

namespace kernel_audit::analysis::cuda {

std::string_view precompiled_image(bool torch);

}  // namespace kernel_audit::analysis::cuda
