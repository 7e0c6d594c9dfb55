// Keys that stand twice in a JSON object: a parser takes the last of both without a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernel_audit {

// The first such key of `text`; nothing for a text that does not parse.
std::optional<std::string> repeated_key(std::string_view text);

}  // namespace kernel_audit
