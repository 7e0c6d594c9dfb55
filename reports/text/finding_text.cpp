#include "reports/text/finding_text.h"

#include <algorithm>

#include "reports/text/format.h"
#include "reports/text/printable.h"

namespace kernel_audit::reports {
namespace {

std::string indented(const std::string& lines, const std::string& by) {
  std::string result;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1);
    result += by + lines.substr(at, end - at + 1);
    at = end + 1;
  }
  return result;
}

// Columns of printable(text) before byte `bytes` of `text`.
std::size_t columns_before(std::string_view text, std::size_t bytes) {
  return display_width(printable(text.substr(0, std::min(bytes, text.size()))));
}

}  // namespace

std::string place_of(const SourceSpan& span) {
  if (span.file.empty()) return "";
  std::string place = printable(span.file);
  if (span.line > 0) place += ":" + std::to_string(span.line) + ":" + std::to_string(std::max(span.column, 1));
  return place;
}

std::string excerpt(const SourceSpan& span, const Sources& sources, std::size_t max_columns) {
  const auto source = sources.find(span.file);
  if (!span.known() || source == sources.end()) return "";
  const std::string& text = source->second;
  const auto begin = static_cast<std::size_t>(span.begin);
  if (begin > text.size()) return "";  // the span is of another version of the text
  const std::size_t previous = begin == 0 ? std::string::npos : text.rfind('\n', begin - 1);
  const std::size_t line_begin = previous == std::string::npos ? 0 : previous + 1;
  std::string_view line = std::string_view(text).substr(line_begin, text.find('\n', line_begin) - line_begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t line_end = line_begin + line.size();
  const std::size_t end = std::clamp(static_cast<std::size_t>(std::max(span.end, span.begin)), begin, line_end);

  std::string shown = printable(line);
  std::size_t first = columns_before(line, begin - line_begin);
  std::size_t last = std::max(columns_before(line, end - line_begin), first + 1);
  if (display_width(shown) > max_columns) {  // a window that begins a little before the place
    const std::size_t skipped = first > 20 ? first - 20 : 0;
    if (skipped > 0) {
      shown = "…" + skip_columns(shown, skipped);
      first = first - skipped + 1;
      last = last - skipped + 1;
    }
    shown = clip_end(shown, max_columns);
    last = std::max(first + 1, std::min(last, max_columns));
  }
  const std::string number = std::to_string(span.line);
  return number + " | " + shown + "\n" + std::string(number.size(), ' ') + " | " + std::string(first, ' ') + "^" +
         std::string(last - first - 1, '~') + "\n";
}

std::string suppressed_line(const SuppressedFinding& suppressed) {
  const std::string place = place_of(suppressed.finding.span);
  const std::string by = suppressed.by == "inline"     ? "is allowed by a comment"
                         : suppressed.by == "baseline" ? "is in the baseline"
                                                       : "is not selected";
  return (place.empty() ? "" : place + ": ") + printable(suppressed.finding.code) + " " +
         printable(suppressed.finding.slug) + " " + by +
         (suppressed.reason.empty() ? "" : ": " + printable(suppressed.reason));
}

std::string render_finding(const Finding& finding, const Sources& sources, bool color) {
  const std::string place = place_of(finding.span);
  const auto painted = [color](const std::string& words, const char* code) {
    return color ? code + words + "\x1b[0m" : words;
  };
  const char* hue = finding.severity == Severity::kError     ? "\x1b[1;31m"
                    : finding.severity == Severity::kWarning ? "\x1b[1;33m"
                                                             : "\x1b[1;36m";
  std::string text = place.empty() ? "" : painted(place, "\x1b[1m") + ": ";
  text += painted(to_string(finding.severity), hue) + ": " + printable(finding.message) + " [" +
          printable(finding.code) + " " + printable(finding.slug) + "]\n";
  text += indented(excerpt(finding.span, sources), "  ");
  text += std::string("  effect ") + to_string(finding.effect) + ", confidence " + to_string(finding.confidence) +
          ", says the " + origin_words(finding.origin) + "\n";
  for (const FlowNote& note : finding.notes) {
    const std::string where = place_of(note.span);
    text += "  " + (where.empty() ? "" : where + ": ") + "note: " + printable(note.message) + "\n";
    text += indented(excerpt(note.span, sources), "    ");
  }
  for (const Metric& metric : finding.evidence) {
    text += "  " + printable(label_of(metric)) + ": " + printable(format_metric(metric)) + ", says the " +
            origin_words(metric.origin) + "\n";
  }
  return text;
}

}  // namespace kernel_audit::reports
