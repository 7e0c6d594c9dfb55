// A folded string that knows where each of its bytes came from. Python's string operations that the
// splitter folds (concatenation, join, replace, strip, dedent, …) work on it and carry the offset map
// along; what an operation makes up itself (a formatted number) maps to the range of its expression.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/split/unit.h"

namespace kernel_audit::analysis::split {

struct Text {
  std::string bytes;
  OffsetMap map;  // map.size() == bytes.size()

  // All of `bytes` maps to the whole of `span`.
  static Text coarse(std::string bytes, const SourceSpan& span);

  void append(const Text& other);
  Text slice(std::size_t begin, std::size_t end) const;
};

Text concat(const Text& left, const Text& right);
Text repeat(const Text& text, std::size_t count);
Text join(const Text& separator, const std::vector<Text>& parts);
Text replace_all(const Text& text, std::string_view from, const Text& to, std::int64_t limit = -1);
std::vector<Text> split_on(const Text& text, std::string_view separator);
std::vector<Text> split_lines(const Text& text, bool keep_ends);
enum class Side { kBoth, kLeft, kRight };
Text strip(const Text& text, Side side, std::string_view characters = " \t\n\r\f\v");
// textwrap.dedent, as CPython 3.8 to 3.13 defines it (lines of blanks only are normalised to "\n").
Text dedent(const Text& text);
Text map_case(const Text& text, bool upper);  // ASCII letters only
Text swap_case(const Text& text);
bool is_ascii(std::string_view bytes);

}  // namespace kernel_audit::analysis::split
