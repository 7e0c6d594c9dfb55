// Reading Facts from a process that parsed hostile text: every field's type, every name of an
// enumeration and every id is checked; whatever is off becomes one Error with its path.
#include <string>

#include "analysis/facts/facts.h"
#include "analysis/facts/facts_check.h"
#include "analysis/facts/facts_enums.h"

namespace kernel_audit::analysis::facts {
namespace {

class Reader {
 public:
  Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) throw Malformed{path_, "is not an object"};
  }

  std::string text(const char* key) const {
    const Json* field = find(key);
    if (field == nullptr) return {};
    if (!field->is_string()) bad(key, "is not a string");
    return field->get<std::string>();
  }
  bool flag(const char* key, bool fallback = false) const {
    const Json* field = find(key);
    if (field == nullptr) return fallback;
    if (!field->is_boolean()) bad(key, "is not a boolean");
    return field->get<bool>();
  }
  std::int64_t number(const char* key, std::int64_t fallback) const {
    const Json* field = find(key);
    if (field == nullptr) return fallback;
    if (!field->is_number_integer()) bad(key, "is not a whole number");
    if (field->is_number_unsigned() && field->get<std::uint64_t>() > (std::uint64_t{1} << 53U))
      bad(key, "is too large");
    return field->get<std::int64_t>();
  }
  Id id(const char* key) const {
    const Json* field = find(key);
    return field == nullptr ? kNone : as_id(*field, key);
  }
  int number(const char* key) const {
    const Json* field = find(key);
    if (field == nullptr) return 0;
    if (!field->is_number_integer()) bad(key, "is not a whole number");
    const auto value = field->get<std::int64_t>();
    if (value < INT32_MIN || value > INT32_MAX) bad(key, "is out of range");
    return static_cast<int>(value);
  }
  template <typename E>
  E choice(const char* key, E fallback) const {
    const Json* field = find(key);
    return field == nullptr ? fallback : as_choice<E>(*field, key);
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> out;
    for (const Json& item : list(key)) {
      if (!item.is_string()) bad(key, "has an element that is not a string");
      out.push_back(item.get<std::string>());
    }
    return out;
  }
  std::vector<Id> ids(const char* key) const {
    std::vector<Id> out;
    for (const Json& item : list(key)) out.push_back(as_id(item, key));
    return out;
  }
  SourceSpan span(const char* key) const {
    const Json* field = find(key);
    if (field == nullptr) return {};
    auto span = read_json<SourceSpan>(*field, path_);
    if (!span) bad(key, "is not a span");
    return *span;
  }
  Type type(const char* key) const {
    const Json* field = find(key);
    if (field == nullptr) return {};
    const Reader reader(*field, path_ + "." + key);
    return Type{reader.choice("kind", TypeKind::kUnknown), reader.text("name"), reader.flag("numbers")};
  }
  const Json& list(const char* key) const {
    static const Json empty = Json::array();
    const Json* field = find(key);
    if (field == nullptr) return empty;
    if (!field->is_array()) bad(key, "is not a list");
    return *field;
  }
  template <typename T, typename F>
  std::vector<T> objects(const char* key, F convert) const {
    std::vector<T> out;
    const Json& items = list(key);
    out.reserve(items.size());
    for (const Json& item : items) {
      out.push_back(convert(Reader(item, path_ + "." + key + "[" + std::to_string(out.size()) + "]")));
    }
    return out;
  }
  const Json* find(const char* key) const {
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
  }
  // Elements of `key`, each of which must be a list of `size` items.
  const Json& rows(const char* key, std::size_t size) const {
    const Json& items = list(key);
    for (const Json& item : items) {
      if (!item.is_array() || item.size() != size) bad(key, "has an element of the wrong shape");
    }
    return items;
  }
  std::string as_text(const Json& json, const char* key) const {
    if (!json.is_string()) bad(key, "has an element that is not a string");
    return json.get<std::string>();
  }
  Id as_id(const Json& json, const char* key) const {
    if (!json.is_number_integer()) bad(key, "is not an id");
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > 0x7fffffffU) bad(key, "is out of range");
    const auto number = json.get<std::int64_t>();
    if (number < kNone || number > 0x7fffffff) bad(key, "is out of range");
    return static_cast<Id>(number);
  }
  template <typename E>
  E as_choice(const Json& json, const char* key) const {
    const auto found = enum_from_name<E>(as_text(json, key), kEnumCount<E>);
    if (!found) bad(key, "has an unknown name");
    return *found;
  }
  [[noreturn]] void bad(const char* key, const char* what) const { throw Malformed{path_ + "." + key, what}; }

 private:
  const Json& json_;
  std::string path_;
};

Value value_from(const Reader& reader) {
  Value value;
  value.type = reader.type("type");
  value.origin = reader.choice("origin", OriginKind::kUnknown);
  if (const Json* constant = reader.find("constant")) value.constant = *constant;
  value.symbol = reader.text("symbol");
  value.function = reader.id("function");
  value.class_id = reader.id("class");
  value.reason = reader.text("reason");
  value.span = reader.span("span");
  return value;
}

Storage storage_from(const Reader& reader) {
  return Storage{reader.choice("kind", StorageKind::kLocal),
                 reader.text("name"),
                 reader.choice("lifetime", Lifetime::kCall),
                 reader.id("function"),
                 reader.id("class"),
                 reader.type("type"),
                 reader.span("span"),
                 reader.number("bytes", -1)};
}

Statement statement_from(const Reader& reader) {
  Statement statement;
  statement.kind = reader.choice("kind", StatementKind::kCall);
  statement.result = reader.id("result");
  statement.span = reader.span("span");
  statement.callee = reader.text("callee");
  statement.callee_value = reader.id("callee_value");
  statement.target = reader.id("target");
  statement.receiver = reader.id("receiver");
  statement.args = reader.ids("args");
  for (const Json& row : reader.rows("keywords", 2)) {
    statement.keywords.emplace_back(reader.as_text(row[0], "keywords"), reader.as_id(row[1], "keywords"));
  }
  statement.star_args = reader.flag("star_args");
  if (const Json* field = reader.find("location")) {
    const Reader location(*field, "location");
    statement.location =
        Location{location.id("storage"), location.id("base"), location.flag("element"), location.id("key")};
  }
  statement.value = reader.id("value");
  statement.augmented = reader.flag("augmented");
  statement.yields = reader.flag("yields");
  statement.in_macro = reader.flag("in_macro");
  if (const Json* field = reader.find("launch")) {
    const Reader launch(*field, "launch");
    statement.launch = Launch{launch.id("kernel"), launch.text("name"), launch.id("grid"),           launch.id("block"),
                              launch.id("shared"), launch.id("stream"), launch.text("stream_origin")};
  }
  return statement;
}

Block block_from(const Reader& reader) {
  Block block;
  block.statements = reader.objects<Statement>("statements", statement_from);
  block.condition = reader.id("condition");
  for (const Json& row : reader.rows("successors", 2)) {
    block.successors.push_back(
        Edge{reader.as_id(row[0], "successors"), reader.as_choice<EdgeKind>(row[1], "successors")});
  }
  block.handler_of = reader.id("handler_of");
  block.in_try = reader.id("in_try");
  block.in_finally = reader.flag("in_finally");
  return block;
}

Parameter parameter_from(const Reader& reader) {
  return Parameter{reader.text("name"),          reader.type("type"),     reader.id("storage"), reader.id("value"),
                   reader.flag("const_pointer"), reader.flag("variadic"), reader.id("default")};
}

Function function_from(const Reader& reader) {
  Function function;
  function.name = reader.text("name");
  function.qualified_name = reader.text("qualified_name");
  function.unit = reader.id("unit");
  function.class_id = reader.id("class");
  function.enclosing_function = reader.id("enclosing");
  function.parameters = reader.objects<Parameter>("parameters", parameter_from);
  function.blocks = reader.objects<Block>("blocks", block_from);
  function.decorators = reader.texts("decorators");
  function.is_module_body = reader.flag("module_body");
  function.is_kernel = reader.flag("kernel");
  function.is_device = reader.flag("device");
  function.is_generator = reader.flag("generator");
  function.is_static_method = reader.flag("static");
  function.is_class_method = reader.flag("class_method");
  function.is_property = reader.flag("property");
  function.is_constructor_attribute = reader.flag("constructor_attribute");
  function.span = reader.span("span");
  function.name_span = reader.span("name_span");
  return function;
}

Class class_from(const Reader& reader) {
  Class klass;
  klass.name = reader.text("name");
  klass.qualified_name = reader.text("qualified_name");
  klass.unit = reader.id("unit");
  klass.bases = reader.texts("bases");
  klass.base_classes = reader.ids("base_classes");
  for (const Json& row : reader.rows("methods", 2)) {
    klass.methods.emplace_back(reader.as_text(row[0], "methods"), reader.as_id(row[1], "methods"));
  }
  for (const Json& row : reader.rows("attributes", 3)) {
    klass.attributes.emplace_back(
        reader.as_text(row[0], "attributes"),
        Type{reader.as_choice<TypeKind>(row[1], "attributes"), reader.as_text(row[2], "attributes")});
  }
  klass.span = reader.span("span");
  return klass;
}

Unit unit_from(const Reader& reader) {
  return Unit{reader.text("name"),
              reader.choice("language", UnitLanguage::kPython),
              reader.id("parent"),
              reader.id("module_body"),
              reader.text("sha256"),
              reader.flag("parsed"),
              reader.texts("build_flags"),
              reader.texts("includes"),
              reader.texts("missing_includes"),
              reader.text("extension")};
}

Binding binding_from(const Reader& reader) {
  return Binding{reader.text("extension"), reader.text("name"), reader.id("function"), reader.text("cpp_name"),
                 reader.span("span")};
}

Problem problem_from(const Reader& reader) {
  return Problem{reader.text("kind"), reader.text("message"), reader.id("unit"), reader.span("span"),
                 reader.flag("blocks_clean", true)};
}

Directive directive_from(const Reader& reader) {
  return Directive{reader.text("text"), reader.span("span"), reader.number("line")};
}

}  // namespace

Result<Facts> facts_from_json(const Json& json, const std::string& what) {
  try {
    const Reader reader(json, "facts");
    const Json* version = reader.find("version");
    if (version == nullptr || !version->is_number_integer() || *version != kFactsVersion) {
      return Error{ErrorKind::kProtocol, "The Facts are of a version that this build does not read.", what,
                   "facts.version", ""};
    }
    Facts facts;
    facts.extractor_version = reader.text("extractor_version");
    facts.python_version = reader.text("python_version");
    facts.clang_version = reader.text("clang_version");
    facts.units = reader.objects<Unit>("units", unit_from);
    facts.classes = reader.objects<Class>("classes", class_from);
    facts.functions = reader.objects<Function>("functions", function_from);
    facts.storages = reader.objects<Storage>("storages", storage_from);
    facts.values = reader.objects<Value>("values", value_from);
    facts.bindings = reader.objects<Binding>("bindings", binding_from);
    facts.problems = reader.objects<Problem>("problems", problem_from);
    facts.directives = reader.objects<Directive>("directives", directive_from);
    facts.entry_class = reader.id("entry_class");
    facts.entry_function = reader.id("entry_function");
    check_ids(facts);
    return facts;
  } catch (const Malformed& malformed) {
    return malformed.error(what);
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kProtocol, std::string("The Facts are malformed: ") + e.what() + ".", what, "", ""};
  }
}

}  // namespace kernel_audit::analysis::facts
