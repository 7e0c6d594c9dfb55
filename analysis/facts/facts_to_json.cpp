// Writing Facts: defaults are left out, so that a value of no interest is a few bytes.
#include "analysis/facts/facts.h"
#include "analysis/facts/facts_enums.h"

namespace kernel_audit::analysis::facts {
namespace {

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}
void put(Json& json, const char* key, Id id) {
  if (id != kNone) json[key] = id;
}
void put(Json& json, const char* key, bool flag) {
  if (flag) json[key] = true;
}
void put(Json& json, const char* key, const std::vector<std::string>& texts) {
  if (!texts.empty()) json[key] = texts;
}
void put(Json& json, const char* key, const SourceSpan& span) {
  if (span.begin >= 0 || !span.file.empty()) json[key] = span;
}
void put(Json& json, const char* key, const Type& type) {
  if (type.kind == TypeKind::kUnknown && type.name.empty()) return;
  json[key] = Json::object({{"kind", name_of(type.kind)}});
  put(json[key], "name", type.name);
  put(json[key], "numbers", type.numbers);
}

template <typename T, typename F>
Json list_of(const std::vector<T>& items, F convert) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(convert(item));
  return list;
}

Json json_of(const Value& value) {
  Json json = Json::object();
  put(json, "type", value.type);
  if (value.origin != OriginKind::kUnknown) json["origin"] = name_of(value.origin);
  if (value.constant) json["constant"] = *value.constant;
  put(json, "symbol", value.symbol);
  put(json, "function", value.function);
  put(json, "class", value.class_id);
  put(json, "reason", value.reason);
  put(json, "span", value.span);
  return json;
}

Json json_of(const Storage& storage) {
  Json json = Json::object({{"kind", name_of(storage.kind)}, {"lifetime", name_of(storage.lifetime)}});
  put(json, "name", storage.name);
  put(json, "function", storage.owner_function);
  put(json, "class", storage.owner_class);
  put(json, "type", storage.type);
  put(json, "span", storage.span);
  if (storage.bytes >= 0) json["bytes"] = storage.bytes;
  return json;
}

Json json_of(const Location& location) {
  Json json = Json::object();
  put(json, "storage", location.storage);
  put(json, "base", location.base);
  put(json, "element", location.element);
  put(json, "key", location.key);
  return json;
}

Json json_of(const Launch& launch) {
  Json json = Json::object();
  put(json, "kernel", launch.kernel_function);
  put(json, "name", launch.kernel_name);
  put(json, "grid", launch.grid);
  put(json, "block", launch.block);
  put(json, "shared", launch.shared_bytes);
  put(json, "stream", launch.stream);
  put(json, "stream_origin", launch.stream_origin);
  return json;
}

Json json_of(const Statement& statement) {
  Json json = Json::object({{"kind", name_of(statement.kind)}});
  put(json, "result", statement.result);
  put(json, "span", statement.span);
  put(json, "callee", statement.callee);
  put(json, "callee_value", statement.callee_value);
  put(json, "target", statement.target);
  put(json, "receiver", statement.receiver);
  if (!statement.args.empty()) json["args"] = statement.args;
  if (!statement.keywords.empty()) json["keywords"] = statement.keywords;
  put(json, "star_args", statement.star_args);
  Json location = json_of(statement.location);
  if (!location.empty()) json["location"] = std::move(location);
  put(json, "value", statement.value);
  put(json, "augmented", statement.augmented);
  put(json, "yields", statement.yields);
  put(json, "in_macro", statement.in_macro);
  if (statement.launch) json["launch"] = json_of(*statement.launch);
  return json;
}

Json json_of(const Block& block) {
  Json json = Json::object();
  json["statements"] = list_of(block.statements, [](const Statement& s) { return json_of(s); });
  put(json, "condition", block.condition);
  json["successors"] = list_of(block.successors, [](const Edge& e) { return Json::array({e.to, name_of(e.kind)}); });
  put(json, "handler_of", block.handler_of);
  put(json, "in_try", block.in_try);
  put(json, "in_finally", block.in_finally);
  return json;
}

Json json_of(const Parameter& parameter) {
  Json json = Json::object({{"name", parameter.name}});
  put(json, "type", parameter.type);
  put(json, "storage", parameter.storage);
  put(json, "value", parameter.value);
  put(json, "const_pointer", parameter.is_const_pointer);
  put(json, "variadic", parameter.variadic);
  put(json, "default", parameter.default_value);
  return json;
}

Json json_of(const Function& function) {
  Json json = Json::object({{"name", function.name}, {"qualified_name", function.qualified_name}});
  put(json, "unit", function.unit);
  put(json, "class", function.class_id);
  put(json, "enclosing", function.enclosing_function);
  json["parameters"] = list_of(function.parameters, [](const Parameter& p) { return json_of(p); });
  json["blocks"] = list_of(function.blocks, [](const Block& b) { return json_of(b); });
  put(json, "decorators", function.decorators);
  put(json, "module_body", function.is_module_body);
  put(json, "kernel", function.is_kernel);
  put(json, "device", function.is_device);
  put(json, "generator", function.is_generator);
  put(json, "static", function.is_static_method);
  put(json, "class_method", function.is_class_method);
  put(json, "property", function.is_property);
  put(json, "constructor_attribute", function.is_constructor_attribute);
  put(json, "span", function.span);
  put(json, "name_span", function.name_span);
  return json;
}

Json json_of(const Class& klass) {
  Json json = Json::object({{"name", klass.name}, {"qualified_name", klass.qualified_name}});
  put(json, "unit", klass.unit);
  put(json, "bases", klass.bases);
  if (!klass.base_classes.empty()) json["base_classes"] = klass.base_classes;
  if (!klass.methods.empty()) json["methods"] = klass.methods;
  if (!klass.attributes.empty()) {
    json["attributes"] = list_of(klass.attributes, [](const auto& attribute) {
      return Json::array({attribute.first, name_of(attribute.second.kind), attribute.second.name});
    });
  }
  put(json, "span", klass.span);
  return json;
}

Json json_of(const Unit& unit) {
  Json json = Json::object({{"name", unit.name}, {"language", name_of(unit.language)}});
  put(json, "parent", unit.parent);
  put(json, "module_body", unit.module_body);
  put(json, "sha256", unit.sha256);
  put(json, "parsed", unit.parsed);
  put(json, "build_flags", unit.build_flags);
  put(json, "includes", unit.includes);
  put(json, "missing_includes", unit.missing_includes);
  put(json, "extension", unit.extension);
  return json;
}

Json json_of(const Binding& binding) {
  Json json = Json::object({{"extension", binding.extension}, {"name", binding.name}});
  put(json, "function", binding.function);
  put(json, "cpp_name", binding.cpp_name);
  put(json, "span", binding.span);
  return json;
}

Json json_of(const Problem& problem) {
  Json json =
      Json::object({{"kind", problem.kind}, {"message", problem.message}, {"blocks_clean", problem.blocks_clean}});
  put(json, "unit", problem.unit);
  put(json, "span", problem.span);
  return json;
}

Json json_of(const Directive& directive) {
  Json json = Json::object({{"text", directive.text}, {"line", directive.line}});
  put(json, "span", directive.span);
  return json;
}

}  // namespace

void to_json(Json& json, const Facts& facts) {
  const auto convert = [](const auto& item) { return json_of(item); };
  json = Json::object({{"version", facts.version}});
  put(json, "extractor_version", facts.extractor_version);
  put(json, "python_version", facts.python_version);
  put(json, "clang_version", facts.clang_version);
  json["units"] = list_of(facts.units, convert);
  json["classes"] = list_of(facts.classes, convert);
  json["functions"] = list_of(facts.functions, convert);
  json["storages"] = list_of(facts.storages, convert);
  json["values"] = list_of(facts.values, convert);
  json["bindings"] = list_of(facts.bindings, convert);
  json["problems"] = list_of(facts.problems, convert);
  if (!facts.directives.empty()) json["directives"] = list_of(facts.directives, convert);
  put(json, "entry_class", facts.entry_class);
  put(json, "entry_function", facts.entry_function);
}

}  // namespace kernel_audit::analysis::facts
