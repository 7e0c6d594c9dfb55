// A finding as lines of text, in the form that compilers use and editors understand:
//   file:line:column: severity: message [KA201 result-cache]
// with the source line and a caret below it where the text is at hand, and the steps of the evidence indented.
#pragma once

#include <map>
#include <string>

#include "auditor/core/finding.h"

namespace kernel_audit::reports {

using Sources = std::map<std::string, std::string>;  // SourceSpan::file → text

// "file:12:9", "file" when the place in it is unknown, "" when there is no file.
std::string place_of(const SourceSpan& span);

// The line of `span` with a caret under its columns, two lines, each ending in a line feed; empty without the text.
std::string excerpt(const SourceSpan& span, const Sources& sources, std::size_t max_columns = 100);

// The whole finding, each line ending in a line feed.
std::string render_finding(const Finding& finding, const Sources& sources, bool color = false);

// "file:3:5: KA104 vendor-library is suppressed by a comment: the reason", without a line feed.
std::string suppressed_line(const SuppressedFinding& suppressed);

}  // namespace kernel_audit::reports
