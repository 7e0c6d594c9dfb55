#include "reports/text/printable.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace kernel_audit::reports {
namespace {

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 1;
  bool valid = false;
};

Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || at + length > text.size()) return {lead, 1, false};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {lead, 1, false};
    code = (code << 6) | (byte(at + i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {lead, 1, false};
  return {code, length, true};
}

// Marks that reorder or hide what is shown, and the second range of control characters.
bool is_deceptive(std::uint32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

std::string escaped(const char* form, unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

// Offset of the character after `count` characters of `text`.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size() && count > 0; --count) at += decode(text, at).length;
  return at;
}

}  // namespace

std::string printable(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded character = decode(text, at);
    if (!character.valid || character.code == 0x7F || (character.code < 0x20 && text[at] != '\t' && text[at] != '\n')) {
      result += escaped("\\x%02x", static_cast<std::uint8_t>(text[at]));
    } else if (text[at] == '\t') {
      result += ' ';
    } else if (text[at] == '\n') {
      result += keep_lines ? "\n" : "\\n";
    } else if (is_deceptive(character.code)) {
      result += escaped("\\u%04x", character.code);
    } else {
      result.append(text.substr(at, character.length));
    }
    at += character.length;
  }
  return result;
}

std::string markdown_text(std::string_view text) {
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), '\n', ' ');
  std::string result;
  for (const char c : printable(lines)) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]()#|~!").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string markdown_code(std::string_view text, std::string_view language) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  std::string body = printable(text, true);
  if (!body.ends_with('\n')) body += '\n';
  return fence + std::string(language) + "\n" + body + fence + "\n";
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size(); at += decode(text, at).length) ++width;
  return width;
}

std::string clip_end(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  return std::string(text.substr(0, offset_of(text, width - 1))) + "…";
}

std::string skip_columns(std::string_view text, std::size_t columns) {
  return std::string(text.substr(offset_of(text, columns)));
}

std::string clip_middle(std::string_view text, std::size_t width) {
  const std::size_t total = display_width(text);
  if (total <= width) return std::string(text);
  if (width < 3) return clip_end(text, width);
  const std::size_t tail = (width - 1) / 2;
  const std::size_t head = width - 1 - tail;
  return std::string(text.substr(0, offset_of(text, head))) + "…" + skip_columns(text, total - tail);
}

}  // namespace kernel_audit::reports
