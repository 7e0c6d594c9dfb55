// Facts as JSON. Writing leaves defaults out, so that a value of no interest is a few bytes. Reading takes nothing for
// granted, as Facts come from a process that parsed hostile text: every field's type, every name of an enumeration and
// every id is checked, and whatever is off becomes one Error with its path.
#include <string>

#include "analysis/facts/facts.h"
#include "analysis/facts/facts_check.h"
#include "analysis/facts/facts_enums.h"
#include "analysis/facts/facts_fields.h"

namespace kernel_audit::analysis::facts {
namespace {

class Writer {
 public:
  static constexpr bool kReads = false;

  template <typename T>
  static Json object_of(const T& item) {
    Writer writer;
    fields(writer, item);
    return std::move(writer.json_);
  }

  template <typename T>
  void operator()(const char* key, const T& item) {
    if (!is_default(item)) always(key, item);
  }
  template <typename T>
  void always(const char* key, const T& item) {
    json_[key] = form(item);
  }

 private:
  static bool is_default(bool flag) { return !flag; }
  static bool is_default(Id id) { return id == kNone; }
  static bool is_default(std::int64_t number) { return number < 0; }
  template <typename E>
    requires std::is_enum_v<E>
  static bool is_default(E value) {
    return value == E{};
  }
  static bool is_default(const std::string& text) { return text.empty(); }
  static bool is_default(const SourceSpan& span) { return span.begin < 0 && span.file.empty(); }
  static bool is_default(const Type& type) { return type.kind == TypeKind::kUnknown && type.name.empty(); }
  static bool is_default(const Location& location) { return form(location).empty(); }
  template <typename T>
  static bool is_default(const std::optional<T>& item) {
    return !item;
  }
  template <typename T>
  static bool is_default(const std::vector<T>& items) {
    return items.empty();
  }

  static Json form(bool flag) { return flag; }
  static Json form(Id id) { return id; }
  static Json form(std::int64_t number) { return number; }
  template <typename E>
    requires std::is_enum_v<E>
  static Json form(E value) {
    return name_of(value);
  }
  static Json form(const std::string& text) { return text; }
  static Json form(const Json& constant) { return constant; }
  static Json form(const SourceSpan& span) { return span; }
  static Json form(const Edge& edge) { return Json::array({edge.to, name_of(edge.kind)}); }
  static Json form(const std::pair<std::string, Id>& pair) { return Json::array({pair.first, pair.second}); }
  static Json form(const std::pair<std::string, Type>& pair) {
    return Json::array({pair.first, name_of(pair.second.kind), pair.second.name});
  }
  template <typename T>
  static Json form(const std::optional<T>& item) {
    return form(*item);
  }
  template <typename T>
  static Json form(const std::vector<T>& items) {
    Json list = Json::array();
    for (const T& item : items) list.push_back(form(item));
    return list;
  }
  template <typename T>
    requires std::is_class_v<T>
  static Json form(const T& item) {
    return object_of(item);
  }

  Json json_ = Json::object();
};

class Reader {
 public:
  static constexpr bool kReads = true;

  Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) throw Malformed{path_, "is not an object"};
  }

  // A field that is not there keeps its default.
  template <typename T>
  void operator()(const char* key, T& item) const {
    if (const auto field = json_.find(key); field != json_.end()) get(*field, key, item);
  }
  template <typename T>
  void always(const char* key, T& item) const {
    (*this)(key, item);
  }

 private:
  void get(const Json& json, const char* key, bool& flag) const {
    if (!json.is_boolean()) bad(key, "is not a boolean");
    flag = json.get<bool>();
  }
  void get(const Json& json, const char* key, Id& id) const {
    if (!json.is_number_integer()) bad(key, "is not an id");
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT32_MAX) bad(key, "is out of range");
    const auto number = json.get<std::int64_t>();
    if (number < kNone || number > INT32_MAX) bad(key, "is out of range");
    id = static_cast<Id>(number);
  }
  void get(const Json& json, const char* key, std::int64_t& number) const {
    if (!json.is_number_integer()) bad(key, "is not a whole number");
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) bad(key, "is too large");
    number = json.get<std::int64_t>();
  }
  template <typename E>
    requires std::is_enum_v<E>
  void get(const Json& json, const char* key, E& value) const {
    std::string name;
    get(json, key, name);
    const auto found = enum_from_name<E>(name, kEnumCount<E>);
    if (!found) bad(key, "has an unknown name");
    value = *found;
  }
  void get(const Json& json, const char* key, std::string& text) const {
    if (!json.is_string()) bad(key, "is not a string");
    text = json.get<std::string>();
  }
  void get(const Json& json, const char* key, SourceSpan& span) const {
    auto read = read_json<SourceSpan>(json, path_);
    if (!read) bad(key, "is not a span");
    span = std::move(*read);
  }
  static void get(const Json& json, const char* /*key*/, std::optional<Json>& constant) { constant = json; }
  template <typename T>
  void get(const Json& json, const char* key, std::optional<T>& item) const {
    get(json, key, item.emplace());
  }
  void get(const Json& json, const char* key, Edge& edge) const {
    check_row(json, key, 2);
    get(json[0], key, edge.to);
    get(json[1], key, edge.kind);
  }
  void get(const Json& json, const char* key, std::pair<std::string, Id>& pair) const {
    check_row(json, key, 2);
    get(json[0], key, pair.first);
    get(json[1], key, pair.second);
  }
  void get(const Json& json, const char* key, std::pair<std::string, Type>& pair) const {
    check_row(json, key, 3);
    get(json[0], key, pair.first);
    get(json[1], key, pair.second.kind);
    get(json[2], key, pair.second.name);
  }
  template <typename T>
  void get(const Json& json, const char* key, std::vector<T>& items) const {
    if (!json.is_array()) bad(key, "is not a list");
    items.reserve(json.size());
    for (const Json& element : json) {
      get(element, (key + ("[" + std::to_string(items.size()) + "]")).c_str(), items.emplace_back());
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(const Json& json, const char* key, T& item) const {
    const Reader reader(json, path_ + "." + key);
    fields(reader, item);
  }

  void check_row(const Json& json, const char* key, std::size_t size) const {
    if (!json.is_array() || json.size() != size) bad(key, "has the wrong shape");
  }
  [[noreturn]] void bad(const char* key, const char* what) const { throw Malformed{path_ + "." + key, what}; }

  const Json& json_;
  std::string path_;
};

}  // namespace

void to_json(Json& json, const Facts& facts) {
  json = Writer::object_of(facts);
  json["version"] = facts.version;
}

Result<Facts> facts_from_json(const Json& json, const std::string& what) {
  try {
    const Reader reader(json, "facts");
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || *version != kFactsVersion) {
      return Error{ErrorKind::kProtocol, "The Facts are of a version that this build does not read.", what,
                   "facts.version", ""};
    }
    Facts facts;
    fields(reader, facts);
    check_ids(facts);
    return facts;
  } catch (const Malformed& malformed) {
    return malformed.error(what);
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kProtocol, std::string("The Facts are malformed: ") + e.what() + ".", what, "", ""};
  }
}

}  // namespace kernel_audit::analysis::facts
