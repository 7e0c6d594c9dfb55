// Python string tokens with byte provenance: decodes the literal(s) that a Constant or JoinedStr node
// spans, so that each byte of the value knows the byte or escape of the source it came from. The
// caller compares with the value that CPython computed and falls back to a coarse map on any difference.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/split/text.h"

namespace kernel_audit::analysis::python {

// One piece of an f-string or string: literal text, or a replacement field `{…}` (text empty).
struct LiteralPiece {
  bool field = false;
  split::Text text;
};

// `source` with its own map to the user's file; [begin, end) spans one or more adjacent string tokens
// (with blanks, comments and line continuations between them). nullopt when that is not what is there.
std::optional<std::vector<LiteralPiece>> decode_literals(const split::Text& source, std::size_t begin, std::size_t end);

}  // namespace kernel_audit::analysis::python
