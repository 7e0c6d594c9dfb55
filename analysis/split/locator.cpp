#include "analysis/split/locator.h"

#include <algorithm>

namespace kernel_audit::analysis::split {

void Locator::add(const std::string& file, const std::string& text) {
  std::vector<std::int64_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(static_cast<std::int64_t>(i) + 1);
  }
  line_starts_[file] = std::move(starts);
}

SourceSpan Locator::locate(SourceSpan span) const {
  const auto found = line_starts_.find(span.file);
  if (found == line_starts_.end() || span.begin < 0) return span;
  const auto place = [&](std::int64_t offset, int& line, int& column) {
    const auto after = std::upper_bound(found->second.begin(), found->second.end(), offset);
    line = static_cast<int>(after - found->second.begin());
    column = static_cast<int>(offset - *(after - 1)) + 1;
  };
  place(span.begin, span.line, span.column);
  place(std::max(span.begin, span.end), span.end_line, span.end_column);
  return span;
}

}  // namespace kernel_audit::analysis::split
