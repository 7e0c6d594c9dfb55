// Whether text is UTF-8 as JSON may carry it: no overlong forms, no surrogates, nothing cut off.
#pragma once

#include <string_view>

namespace kernel_audit {

bool is_utf8(std::string_view text);

}  // namespace kernel_audit
