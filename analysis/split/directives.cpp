#include "analysis/split/directives.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

namespace kernel_audit::analysis::split {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where `words`, which are in small letters, stand in `text` from `from` on, in any case.
std::size_t find_words(std::string_view text, std::string_view words, std::size_t from = 0) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size()));
  const auto found = std::search(begin, text.end(), words.begin(), words.end(), same);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

// Walks over C++ tokens as far as it must to tell comments from literals.
class CppLexer {
 public:
  explicit CppLexer(std::string_view text) : text_(text) {}

  std::vector<ByteRange> comments() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '/' && next() == '/') {
        line_comment();
      } else if (c == '/' && next() == '*') {
        block_comment();
      } else if (is_digit(c)) {
        number();
      } else if (is_word(c)) {
        word();
      } else if (c == '"' || c == '\'') {
        literal(c);
      } else {
        ++at_;
      }
    }
    return std::move(found_);
  }

 private:
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void keep(std::size_t begin) {
    if (find_words(text_.substr(begin, at_ - begin), kDirectiveMark) != std::string_view::npos)
      found_.push_back({begin, at_});
  }

  // A backslash before the line feed continues the comment.
  void line_comment() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      std::size_t last = at_;
      if (last > begin && text_[last - 1] == '\r') --last;
      if (at_ == text_.size() || text_[last - 1] != '\\') break;
      ++at_;
    }
    keep(begin);
  }

  void block_comment() {
    const std::size_t begin = at_;
    const std::size_t close = text_.find("*/", at_ + 2);
    at_ = close == std::string_view::npos ? text_.size() : close + 2;
    keep(begin);
  }

  // Digits, letters, points, exponents' signs do not matter here; separators (1'000) do.
  void number() {
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || (text_[at_] == '\'' && is_word(next()))))
      ++at_;
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    const bool raw = name == "R" || name == "u8R" || name == "uR" || name == "UR" || name == "LR";
    if (raw && at_ < text_.size() && text_[at_] == '"') raw_string();
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 17)
      return literal('"');  // delimiters have at most 16 characters
    std::string close = ")";
    close += text_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const std::size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  // An unclosed one ends with its line: an apostrophe in `#error don't` must not swallow the rest.
  void literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == quote) {
        ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<ByteRange> found_;
};

constexpr std::string_view kBlanks = " \t\r\f\v";

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n\f\v");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n\f\v") - begin + 1));
}

// What stands behind the mark: after a colon, or, where that was forgotten, from the word `allow` on.
std::optional<std::string_view> behind_mark(std::string_view rest) {
  constexpr std::string_view kAllow = "allow";
  const std::size_t first = std::min(rest.find_first_not_of(" \t"), rest.size());
  if (rest.substr(first).starts_with(':')) return rest.substr(first + 1);
  const bool word = first > 0 && find_words(rest.substr(first, kAllow.size()), kAllow) == 0 &&
                    (first + kAllow.size() == rest.size() || !is_word(rest[first + kAllow.size()]));
  return word ? std::optional(rest.substr(first)) : std::nullopt;
}

// What follows the mark, when the mark is the first word of the comment or of a further comment inside it.
std::optional<std::string> directive_text(std::string_view comment) {
  for (std::size_t at = 0; (at = find_words(comment, kDirectiveMark, at)) != std::string_view::npos; ++at) {
    const std::size_t before = at == 0 ? std::string_view::npos : comment.find_last_not_of(" \t", at - 1);
    if (before == std::string_view::npos ||
        (comment[before] != '#' && comment[before] != '/' && comment[before] != '*'))
      continue;
    std::optional<std::string_view> rest = behind_mark(comment.substr(at + kDirectiveMark.size()));
    if (!rest) continue;
    if (rest->ends_with("*/")) rest->remove_suffix(2);
    return trimmed(rest->substr(0, rest->find('\n')));
  }
  return std::nullopt;
}

// First byte of the code that a comment at `comment` speaks of: its own line's, or that of the next line with code.
std::size_t target_of(std::string_view text, ByteRange comment, std::string_view leader) {
  const std::size_t previous = comment.begin == 0 ? std::string_view::npos : text.rfind('\n', comment.begin - 1);
  const std::size_t line = previous == std::string_view::npos ? 0 : previous + 1;
  if (text.find_first_not_of(kBlanks, line) < comment.begin) return comment.begin;
  for (std::size_t at = text.find('\n', comment.end); at != std::string_view::npos; at = text.find('\n', at)) {
    ++at;
    const std::size_t first = text.find_first_not_of(kBlanks, at);
    if (first == std::string_view::npos) break;
    at = first;
    if (text[first] != '\n' && !text.substr(first).starts_with(leader)) return first;
  }
  return comment.begin;  // nothing follows
}

}  // namespace

std::vector<ByteRange> marked_cpp_comments(std::string_view source) {
  if (find_words(source, kDirectiveMark) == std::string_view::npos) return {};
  return CppLexer(source).comments();
}

std::vector<facts::Directive> directives_of(const Text& unit, const std::vector<ByteRange>& comments,
                                            std::string_view leader, const Locator& locator) {
  std::vector<facts::Directive> directives;
  const std::string_view text = unit.bytes;
  for (const ByteRange& comment : comments) {
    if (comment.begin >= comment.end || comment.end > text.size()) continue;
    facts::Directive directive;
    std::optional<std::string> words = directive_text(text.substr(comment.begin, comment.end - comment.begin));
    if (!words) continue;
    directive.text = std::move(*words);
    const auto resolve = [&](std::size_t begin, std::size_t end) {
      return locator.locate(unit.map.resolve(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)));
    };
    directive.span = resolve(comment.begin, comment.end);
    const std::size_t target = target_of(text, comment, leader);
    directive.line = resolve(target, target + 1).line;
    directives.push_back(std::move(directive));
  }
  return directives;
}

}  // namespace kernel_audit::analysis::split
