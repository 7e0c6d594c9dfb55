// Comments of a source that speak to this program. They are taken from comment tokens alone: Python's own tokeniser
// finds those of Python, the lexer here those of C++ and CUDA, where strings, raw strings and character literals are
// stepped over. A source embedded in Python is read after the splitter cut it out, and positions go through its offset
// map.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/split/locator.h"
#include "analysis/split/text.h"

namespace kernel_audit::analysis::split {

// What such a comment begins with, in any case; a colon or the word `allow` follows.
inline constexpr std::string_view kDirectiveMark = "kernel-audit";

struct ByteRange {
  std::size_t begin = 0, end = 0;
};

// Comment tokens of C++ source that hold the mark.
std::vector<ByteRange> marked_cpp_comments(std::string_view source);

// The directives in `comments` of a unit's text. `leader`: what a comment to the end of a line begins with, "#" or
// "//".
std::vector<facts::Directive> directives_of(const Text& unit, const std::vector<ByteRange>& comments,
                                            std::string_view leader, const Locator& locator);

}  // namespace kernel_audit::analysis::split
