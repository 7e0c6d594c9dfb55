#include "reports/text/source_place.h"

#include <algorithm>

#include "auditor/core/digest.h"
#include "reports/text/printable.h"

namespace kernel_audit::reports {

ArtifactName artifact_of(const std::string& file) {
  static const std::string mark = ":record ";
  const std::size_t at = file.rfind(mark);
  if (at == std::string::npos || at == 0) return {file, ""};
  const std::size_t number = at + mark.size();
  const std::size_t end = file.find_first_not_of("0123456789", number);
  if (end == number || (end != std::string::npos && file[end] != ':')) return {file, ""};
  std::string inner = file.substr(at + 1);
  std::replace(inner.begin(), inner.end(), ':', '/');
  return {file.substr(0, at), inner};
}

std::string uri_of(const std::string& path) {
  static const char* digits = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                       c == '/' || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += digits[byte >> 4];
      uri += digits[byte & 15];
    }
  }
  return uri;
}

std::string_view line_at(std::string_view text, std::size_t offset) {
  if (offset > text.size()) return {};
  const std::size_t previous = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = previous == std::string_view::npos ? 0 : previous + 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

CharacterColumns character_columns(const SourceSpan& span, const Sources& sources) {
  const auto source = sources.find(span.file);
  if (!span.known() || source == sources.end()) return {};
  const std::string_view text = source->second;
  const auto column = [&](std::int64_t offset, int byte_column) {
    if (offset < 0 || static_cast<std::size_t>(offset) > text.size() || byte_column < 1 || byte_column > offset + 1)
      return 0;
    const auto before = static_cast<std::size_t>(byte_column - 1);
    return static_cast<int>(display_width(text.substr(static_cast<std::size_t>(offset) - before, before))) + 1;
  };
  return {column(span.begin, span.column), column(span.end, span.end_column)};
}

std::string fingerprint(const Finding& finding, const std::string& file, const Sources& sources) {
  std::string words;
  const auto source = sources.find(finding.span.file);
  if (finding.span.known() && source != sources.end()) {
    for (const char c : line_at(source->second, static_cast<std::size_t>(finding.span.begin))) {
      const bool blank = c == ' ' || c == '\t';
      if (!blank) {
        words += c;
      } else if (!words.empty() && words.back() != ' ') {
        words += ' ';
      }
    }
    if (words.ends_with(' ')) words.pop_back();
  }
  if (words.empty()) words = finding.message;
  return sha256_hex(finding.code + '\n' + file + '\n' + words).substr(0, 32);
}

}  // namespace kernel_audit::reports
