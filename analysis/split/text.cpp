#include "analysis/split/text.h"

#include <algorithm>

namespace kernel_audit::analysis::split {

Text Text::coarse(std::string bytes, const SourceSpan& span) {
  Text text;
  const auto size = static_cast<std::int64_t>(bytes.size());
  text.map.append(Segment{0, size, span.file, span.begin, span.end, false});
  text.bytes = std::move(bytes);
  return text;
}

void Text::append(const Text& other) {
  map.append(other.map);
  bytes.append(other.bytes);
}

Text Text::slice(std::size_t begin, std::size_t end) const {
  begin = std::min(begin, bytes.size());
  end = std::clamp(end, begin, bytes.size());
  return Text{bytes.substr(begin, end - begin),
              map.slice(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end))};
}

Text concat(const Text& left, const Text& right) {
  Text result = left;
  result.append(right);
  return result;
}

Text repeat(const Text& text, std::size_t count) {
  Text result;
  for (std::size_t i = 0; i < count; ++i) result.append(text);
  return result;
}

Text join(const Text& separator, const std::vector<Text>& parts) {
  Text result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) result.append(separator);
    result.append(parts[i]);
  }
  return result;
}

Text replace_all(const Text& text, std::string_view from, const Text& to, std::int64_t limit) {
  Text result;
  if (from.empty()) {
    return text;  // Python inserts between all characters here; the caller does not fold that case
  }
  std::size_t done = 0;
  for (std::int64_t count = 0; limit < 0 || count < limit; ++count) {
    const std::size_t found = text.bytes.find(from, done);
    if (found == std::string::npos) break;
    result.append(text.slice(done, found));
    result.append(to);
    done = found + from.size();
  }
  result.append(text.slice(done, text.bytes.size()));
  return result;
}

std::vector<Text> split_on(const Text& text, std::string_view separator) {
  std::vector<Text> parts;
  std::size_t done = 0;
  for (std::size_t found; !separator.empty() && (found = text.bytes.find(separator, done)) != std::string::npos;) {
    parts.push_back(text.slice(done, found));
    done = found + separator.size();
  }
  parts.push_back(text.slice(done, text.bytes.size()));
  return parts;
}

std::vector<Text> split_lines(const Text& text, bool keep_ends) {
  std::vector<Text> lines;
  std::size_t begin = 0;
  while (begin < text.bytes.size()) {
    const std::size_t newline = text.bytes.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? text.bytes.size() : newline;
    const std::size_t next = newline == std::string::npos ? end : newline + 1;
    lines.push_back(text.slice(begin, keep_ends ? next : end));
    begin = next;
  }
  return lines;
}

Text strip(const Text& text, Side side, std::string_view characters) {
  std::size_t begin = 0;
  std::size_t end = text.bytes.size();
  if (side != Side::kRight) {
    begin = std::min(text.bytes.find_first_not_of(characters), text.bytes.size());
  }
  if (side != Side::kLeft) {
    const std::size_t last = text.bytes.find_last_not_of(characters);
    end = last == std::string::npos ? begin : std::max(begin, last + 1);
  }
  return text.slice(begin, end);
}

Text dedent(const Text& text) {
  const std::vector<Text> lines = split_lines(text, true);
  const auto is_blank = [](const std::string& line) { return line.find_first_not_of(" \t\n") == std::string::npos; };
  std::optional<std::string> margin;
  for (const Text& line : lines) {
    if (is_blank(line.bytes)) continue;
    const std::string indent = line.bytes.substr(0, line.bytes.find_first_not_of(" \t"));
    if (!margin) {
      margin = indent;
      continue;
    }
    const auto differ = std::mismatch(margin->begin(), margin->end(), indent.begin(), indent.end());
    margin->erase(differ.first, margin->end());
  }
  Text result;
  for (const Text& line : lines) {
    if (is_blank(line.bytes)) {
      const std::size_t newline = line.bytes.find('\n');
      if (newline != std::string::npos) result.append(line.slice(newline, newline + 1));
    } else {
      result.append(line.slice(margin ? margin->size() : 0, line.bytes.size()));
    }
  }
  return result;
}

Text map_case(const Text& text, bool upper) {
  Text result = text;
  for (char& c : result.bytes) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

Text swap_case(const Text& text) {
  Text result = text;
  for (char& c : result.bytes) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ ('a' ^ 'A'));
  }
  return result;
}

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace kernel_audit::analysis::split
