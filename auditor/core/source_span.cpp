#include "auditor/core/source_span.h"

#include <algorithm>

namespace kernel_audit {
namespace {

struct Place {
  int line = 1;
  int column = 1;
};

Place place_of(const std::string& text, std::size_t offset) {
  const auto begin = text.begin();
  const auto at = begin + static_cast<std::ptrdiff_t>(offset);
  const auto newlines = std::count(begin, at, '\n');
  const std::size_t line_start = newlines == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return {static_cast<int>(newlines) + 1, static_cast<int>(offset - line_start) + 1};
}

}  // namespace

void locate(SourceSpan& span, const std::string& text) {
  span.line = span.column = span.end_line = span.end_column = 0;
  const auto size = static_cast<std::int64_t>(text.size());
  if (span.begin < 0 || span.begin > size) return;  // an offset outside the text has no line: unknown
  const Place first = place_of(text, static_cast<std::size_t>(span.begin));
  const Place last = place_of(text, static_cast<std::size_t>(std::clamp(span.end, span.begin, size)));
  span.line = first.line;
  span.column = first.column;
  span.end_line = last.line;
  span.end_column = last.column;
}

}  // namespace kernel_audit
