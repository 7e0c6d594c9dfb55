#include "analysis/python/string_literal.h"

#include <cctype>
#include <string>

namespace kernel_audit::analysis::python {
namespace {

using split::Text;

class Decoder {
 public:
  Decoder(const Text& source, std::size_t begin, std::size_t end)
      : source_(source), bytes_(source.bytes), at_(begin), end_(end) {}

  std::optional<std::vector<LiteralPiece>> run() {
    bool any = false;
    for (;;) {
      skip_between();
      if (at_ >= end_) break;
      if (!token()) return std::nullopt;
      any = true;
    }
    if (!any) return std::nullopt;
    return std::move(pieces_);
  }

 private:
  void skip_between() {
    while (at_ < end_) {
      const char c = bytes_[at_];
      if (c == '#') {
        while (at_ < end_ && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool token() {
    bool raw = false, formatted = false, is_bytes = false;
    while (at_ < end_ && std::isalpha(static_cast<unsigned char>(bytes_[at_])) != 0) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(bytes_[at_])));
      if (c == 'r')
        raw = true;
      else if (c == 'f' || c == 't')
        formatted = true;
      else if (c == 'b')
        is_bytes = true;
      else if (c != 'u')
        return false;
      ++at_;
    }
    if (at_ >= end_ || (bytes_[at_] != '"' && bytes_[at_] != '\'')) return false;
    const char quote = bytes_[at_];
    const bool triple = bytes_.compare(at_, 3, std::string(3, quote)) == 0;
    at_ += triple ? 3 : 1;
    exact_begin_ = at_;
    while (at_ < end_) {
      const char c = bytes_[at_];
      if (c == quote && (!triple || bytes_.compare(at_, 3, std::string(3, quote)) == 0)) {
        flush();
        at_ += triple ? 3 : 1;
        return true;
      }
      if (c == '\r') {  // universal newlines: "\r\n" and "\r" read as "\n"
        const std::size_t length = at_ + 1 < end_ && bytes_[at_ + 1] == '\n' ? 2 : 1;
        made_up("\n", length);
      } else if (formatted && (c == '{' || c == '}')) {
        if (at_ + 1 < end_ && bytes_[at_ + 1] == c) {
          made_up(std::string(1, c), 2);
        } else if (c == '}' || !field(quote, triple)) {
          return false;
        }
      } else if (c == '\\' && !raw) {
        if (!escape(is_bytes, formatted)) return false;
      } else if (c == '\\' && at_ + 1 < end_ && bytes_[at_ + 1] == quote) {
        at_ += 2;  // raw: both characters stay
      } else {
        ++at_;
      }
    }
    return false;
  }

  Text& literal() {
    if (pieces_.empty() || pieces_.back().field) pieces_.emplace_back();
    return pieces_.back().text;
  }

  void flush() {
    if (exact_begin_ < at_) literal().append(source_.slice(exact_begin_, at_));
    exact_begin_ = at_;
  }

  // `value` stands for the next `length` source bytes.
  void made_up(std::string value, std::size_t length) {
    flush();
    const SourceSpan span =
        source_.map.resolve(static_cast<std::int64_t>(at_), static_cast<std::int64_t>(at_ + length));
    literal().append(Text::coarse(std::move(value), span));
    at_ += length;
    exact_begin_ = at_;
  }

  // Skips a replacement field, with nested strings, brackets and format fields.
  bool field(char quote, bool triple) {
    flush();
    int depth = 0;
    while (at_ < end_) {
      const char c = bytes_[at_];
      if (c == quote && !triple && depth > 0 && at_ + 1 == end_) return false;
      if (c == '{' || c == '(' || c == '[') ++depth;
      if (c == '}' || c == ')' || c == ']') --depth;
      ++at_;
      if (depth == 0) {
        pieces_.push_back(LiteralPiece{true, {}});
        exact_begin_ = at_;
        return true;
      }
      if ((c == '"' || c == '\'') && !skip_nested(c)) return false;
    }
    return false;
  }

  // Skips a string inside a replacement field; its opening quote is already behind us.
  bool skip_nested(char quote) {
    while (at_ < end_) {
      if (bytes_[at_] == '\\') {
        at_ += 2;
      } else if (bytes_[at_++] == quote) {
        return true;
      }
    }
    return false;
  }

  static void append_utf8(std::string& out, unsigned long code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  bool numeric(std::size_t digits_begin, std::size_t max_digits, int base, bool is_bytes) {
    std::size_t length = 0;
    unsigned long code = 0;
    while (length < max_digits && digits_begin + length < end_) {
      const char c = bytes_[digits_begin + length];
      const int digit = c >= '0' && c <= '9' ? c - '0'
                        : std::isxdigit(static_cast<unsigned char>(c)) != 0
                            ? std::tolower(static_cast<unsigned char>(c)) - 'a' + 10
                            : 99;
      if (digit >= base) break;
      code = code * static_cast<unsigned long>(base) + static_cast<unsigned long>(digit);
      ++length;
    }
    if (length == 0 || (base == 16 && length != max_digits) || code > 0x10FFFF) return false;
    std::string value;
    if (is_bytes)
      value += static_cast<char>(code & 0xFF);
    else
      append_utf8(value, code);
    made_up(std::move(value), digits_begin + length - at_);
    return true;
  }

  bool escape(bool is_bytes, bool formatted) {
    if (at_ + 1 >= end_) return false;
    const char c = bytes_[at_ + 1];
    static const std::string_view kSimple = "\\'\"abfnrtv";
    static const std::string_view kMeaning = "\\'\"\a\b\f\n\r\t\v";
    const std::size_t simple = kSimple.find(c);
    if (simple != std::string_view::npos) {
      made_up(std::string(1, kMeaning[simple]), 2);
      return true;
    }
    if (c == '\n' || c == '\r') {  // line continuation: nothing
      const std::size_t length = c == '\r' && at_ + 2 < end_ && bytes_[at_ + 2] == '\n' ? 3 : 2;
      flush();
      at_ += length;
      exact_begin_ = at_;
      return true;
    }
    if (c >= '0' && c <= '7') return numeric(at_ + 1, 3, 8, is_bytes);
    if (c == 'x') return numeric(at_ + 2, 2, 16, is_bytes);
    if (!is_bytes && c == 'u') return numeric(at_ + 2, 4, 16, false);
    if (!is_bytes && c == 'U') return numeric(at_ + 2, 8, 16, false);
    if (!is_bytes && c == 'N') return false;  // needs the Unicode name table: the caller falls back
    ++at_;                                    // unknown escape: the backslash stays
    if (!(formatted && (c == '{' || c == '}'))) ++at_;
    return true;
  }

  const Text& source_;
  const std::string& bytes_;
  std::size_t at_;
  std::size_t end_;
  std::size_t exact_begin_ = 0;
  std::vector<LiteralPiece> pieces_;
};

}  // namespace

std::optional<std::vector<LiteralPiece>> decode_literals(const Text& source, std::size_t begin, std::size_t end) {
  end = std::min(end, source.bytes.size());
  return Decoder(source, std::min(begin, end), end).run();
}

}  // namespace kernel_audit::analysis::python
