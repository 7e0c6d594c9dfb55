// A message is the version, the texts in order of their numbers, and the fields without their names; numbers are groups
// of seven bits, lowest first.
#include "analysis/facts/facts_packed.h"

#include <algorithm>
#include <type_traits>
#include <unordered_map>

#include "analysis/facts/facts_check.h"
#include "analysis/facts/facts_enums.h"
#include "analysis/facts/facts_fields.h"
#include "auditor/core/utf8.h"

namespace kernel_audit::analysis::facts {
namespace {

// How a constant is written; what has no form of its own is JSON text.
enum class ConstantForm : std::uint8_t { kNothing, kNull, kFalse, kTrue, kCount, kNegative, kString, kJson };
constexpr std::uint64_t kConstantForms = 8;

// The places of a span that has none are not carried, nor does JSON carry them.
template <typename Io>
void places(Io& io, Of<Io, SourceSpan>& span) {
  io("file", span.file);
  io("begin", span.begin);
  io("end", span.end);
  io("line", span.line);
  io("column", span.column);
  io("end_line", span.end_line);
  io("end_column", span.end_column);
}

void append_number(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) out.push_back(static_cast<char>(0x80U | (number & 0x7FU)));
  out.push_back(static_cast<char>(number));
}

class Writer {
 public:
  static constexpr bool kReads = false;

  std::string message() const {
    std::string out;
    append_number(out, kFactsVersion);
    append_number(out, numbers_.size());
    return out + texts_ + body_;
  }

  template <typename T>
  void operator()(const char* /*name*/, const T& item) {
    put(item);
  }
  template <typename T>
  void always(const char* /*name*/, const T& item) {
    put(item);
  }

 private:
  void number(std::uint64_t value) { append_number(body_, value); }

  void put(bool flag) { number(flag ? 1 : 0); }
  // kNone and the like become zero.
  void put(Id id) { number(static_cast<std::uint64_t>(std::int64_t{id} + 1)); }
  void put(std::int64_t value) { number(static_cast<std::uint64_t>(value) + 1); }
  template <typename E>
    requires std::is_enum_v<E>
  void put(E value) {
    number(static_cast<std::uint64_t>(value));
  }
  void put(const std::string& text) {
    const auto [at, added] = numbers_.try_emplace(text, numbers_.size());
    if (added) append_text(text);
    number(at->second);
  }
  void append_text(const std::string& text) {
    if (!is_utf8(text)) return append_text(Json::parse(dump_json(text)).get<std::string>());
    append_number(texts_, text.size());
    texts_ += text;
  }
  void put(const SourceSpan& span) {
    const bool known = span.begin >= 0 || !span.file.empty();
    put(known);
    if (known) places(*this, span);
  }
  void put(const std::optional<Json>& constant) {
    if (!constant) return put(ConstantForm::kNothing);
    switch (constant->type()) {
      case Json::value_t::null:
        return put(ConstantForm::kNull);
      case Json::value_t::boolean:
        return put(constant->get<bool>() ? ConstantForm::kTrue : ConstantForm::kFalse);
      case Json::value_t::number_integer:
        if (const auto value = constant->get<std::int64_t>(); value < 0) {
          put(ConstantForm::kNegative);
          return number(~static_cast<std::uint64_t>(value));
        }
        [[fallthrough]];
      case Json::value_t::number_unsigned:
        put(ConstantForm::kCount);
        return number(constant->get<std::uint64_t>());
      case Json::value_t::string:
        put(ConstantForm::kString);
        return put(constant->get_ref<const std::string&>());
      default:
        put(ConstantForm::kJson);
        // A text of its own number: the table holds views of texts that live as long as the Facts.
        body_text(dump_json(*constant));
    }
  }
  void body_text(const std::string& text) {
    number(text.size());
    body_ += text;
  }
  template <typename T>
  void put(const std::optional<T>& item) {
    put(item.has_value());
    if (item) put(*item);
  }
  template <typename T>
  void put(const std::vector<T>& items) {
    number(items.size());
    for (const T& item : items) put(item);
  }
  template <typename First, typename Second>
  void put(const std::pair<First, Second>& pair) {
    put(pair.first);
    put(pair.second);
  }
  void put(const Edge& edge) {
    put(edge.to);
    put(edge.kind);
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(const T& item) {
    fields(*this, item);
  }

  std::unordered_map<std::string_view, std::uint64_t> numbers_;  // of texts of the Facts
  std::string texts_, body_;
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Facts message() {
    if (number() != kFactsVersion) throw Malformed{"version", "is one that this build does not read"};
    texts_.resize(count());
    for (std::string_view& text : texts_) {
      text = take(number());
      if (!is_utf8(text)) throw Malformed{"a text", "is not UTF-8"};
    }
    Facts facts;
    fields(*this, facts);
    if (!bytes_.empty()) throw Malformed{"the message", "has bytes left over"};
    return facts;
  }

  template <typename T>
  void operator()(const char* /*name*/, T& item) {
    get(item);
  }
  template <typename T>
  void always(const char* /*name*/, T& item) {
    get(item);
  }

 private:
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    throw Malformed{"a number", "does not end"};
  }
  std::uint64_t number_below(std::uint64_t limit, const char* what) {
    const std::uint64_t value = number();
    if (value >= limit) throw Malformed{what, "is out of range"};
    return value;
  }
  // Of things that take a byte at least: a count that is a lie makes no room.
  std::size_t count() { return number_below(bytes_.size() + 1, "a count"); }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw Malformed{"a text", "is longer than the message"};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  void get(bool& flag) { flag = number_below(2, "a flag") != 0; }
  void get(Id& id) {
    id = static_cast<Id>(static_cast<std::int64_t>(number_below(std::uint64_t{1} << 31U, "a number")) - 1);
  }
  void get(std::int64_t& value) { value = static_cast<std::int64_t>(number() - 1); }
  template <typename E>
    requires std::is_enum_v<E>
  void get(E& value) {
    value = static_cast<E>(number_below(static_cast<std::uint64_t>(kEnumCount<E>), "the value of an enumeration"));
  }
  void get(std::string& text) { text = texts_[number_below(texts_.size(), "the number of a text")]; }
  void get(SourceSpan& span) {
    bool known = false;
    get(known);
    if (known) places(*this, span);
  }
  void get(std::optional<Json>& constant) {
    switch (static_cast<ConstantForm>(number_below(kConstantForms, "the form of a constant"))) {
      case ConstantForm::kNothing:
        break;
      case ConstantForm::kNull:
        constant = Json(nullptr);
        break;
      case ConstantForm::kFalse:
        constant = Json(false);
        break;
      case ConstantForm::kTrue:
        constant = Json(true);
        break;
      case ConstantForm::kCount:
        constant = Json(number());
        break;
      case ConstantForm::kNegative:
        constant = Json(-1 - static_cast<std::int64_t>(number_below(std::uint64_t{1} << 63U, "a constant")));
        break;
      case ConstantForm::kString: {
        std::string text;
        get(text);
        constant = Json(std::move(text));
        break;
      }
      case ConstantForm::kJson: {
        Result<Json> json = parse_json(take(number()), "constant");
        if (!json) throw Malformed{"a constant", "is not JSON"};
        constant = std::move(*json);
        break;
      }
    }
  }
  template <typename T>
  void get(std::optional<T>& item) {
    bool there = false;
    get(there);
    if (there) get(item.emplace());
  }
  template <typename T>
  void get(std::vector<T>& items) {
    const std::size_t size = count();
    // Items take more room than their bytes do, so no more is reserved than the message takes itself.
    items.reserve(std::min(size, bytes_.size() / sizeof(T)));
    while (items.size() < size) get(items.emplace_back());
  }
  template <typename First, typename Second>
  void get(std::pair<First, Second>& pair) {
    get(pair.first);
    get(pair.second);
  }
  void get(Edge& edge) {
    get(edge.to);
    get(edge.kind);
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(T& item) {
    fields(*this, item);
  }

  std::string_view bytes_;  // not read yet
  std::vector<std::string_view> texts_;
};

}  // namespace

std::string packed(const Facts& facts) {
  Writer writer;
  fields(writer, facts);
  return writer.message();
}

Result<Facts> facts_from_packed(std::string_view bytes, const std::string& what) {
  try {
    Facts facts = Reader(bytes).message();
    check_ids(facts);
    return facts;
  } catch (const Malformed& malformed) {
    return malformed.error(what);
  }
}

}  // namespace kernel_audit::analysis::facts
