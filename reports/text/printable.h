// Makes hostile text safe to show. Names, messages and source lines may come from a candidate; a terminal must not
// obey them, a reader must not be misled by invisible direction marks, and Markdown must not render them.
#pragma once

#include <string>
#include <string_view>

namespace kernel_audit::reports {

// Control characters, invalid UTF-8 and bidirectional marks as visible escapes ("\x1b", "\u202e"); tabs as one blank.
// Line feeds too, unless `keep_lines`.
std::string printable(std::string_view text, bool keep_lines = false);

// printable() with Markdown's and HTML's special characters escaped; line feeds become blanks.
std::string markdown_text(std::string_view text);

// `text` as a fenced code block that no content can close early.
std::string markdown_code(std::string_view text, std::string_view language);

// Characters of UTF-8 text, each counted as one column.
std::size_t display_width(std::string_view text);

// At most `width` columns of `text`, with "…" for what was cut: at the end, or in the middle.
std::string clip_end(std::string_view text, std::size_t width);
std::string skip_columns(std::string_view text, std::size_t columns);  // what is left after the first `columns`
std::string clip_middle(std::string_view text, std::size_t width);

}  // namespace kernel_audit::reports
