// The candidate's files and their line starts: turns byte offsets of the user's file into full spans.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "auditor/core/source_span.h"

namespace kernel_audit::analysis::split {

class Locator {
 public:
  void add(const std::string& file, const std::string& text);
  // `span` with its lines and columns filled; unchanged when the file is not known.
  SourceSpan locate(SourceSpan span) const;

 private:
  std::map<std::string, std::vector<std::int64_t>> line_starts_;
};

}  // namespace kernel_audit::analysis::split
