// One list of fields for each type of Facts, which every written form of them follows: bytes (facts_packed.h) and JSON
// (facts.h). An `Io` is given the name of a field and the field, `io("name", field)`: a reader fills it, a writer looks
// at it. `io.always` is for fields that JSON has even where they hold their default; a form without names takes both
// alike. The order is the order of the bytes.
#pragma once

#include <type_traits>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

template <typename Io, typename T>
using Of = std::conditional_t<Io::kReads, T, const T>;

template <typename Io>
void fields(Io& io, Of<Io, Type>& type) {
  io.always("kind", type.kind);
  io("name", type.name);
  io("numbers", type.numbers);
}

template <typename Io>
void fields(Io& io, Of<Io, Value>& value) {
  io("type", value.type);
  io("origin", value.origin);
  io("constant", value.constant);
  io("symbol", value.symbol);
  io("function", value.function);
  io("class", value.class_id);
  io("reason", value.reason);
  io("span", value.span);
}

template <typename Io>
void fields(Io& io, Of<Io, Storage>& storage) {
  io.always("kind", storage.kind);
  io("name", storage.name);
  io.always("lifetime", storage.lifetime);
  io("function", storage.owner_function);
  io("class", storage.owner_class);
  io("type", storage.type);
  io("span", storage.span);
  io("bytes", storage.bytes);
}

template <typename Io>
void fields(Io& io, Of<Io, Location>& location) {
  io("storage", location.storage);
  io("base", location.base);
  io("element", location.element);
  io("key", location.key);
}

template <typename Io>
void fields(Io& io, Of<Io, Launch>& launch) {
  io("kernel", launch.kernel_function);
  io("name", launch.kernel_name);
  io("grid", launch.grid);
  io("block", launch.block);
  io("shared", launch.shared_bytes);
  io("stream", launch.stream);
  io("stream_origin", launch.stream_origin);
}

template <typename Io>
void fields(Io& io, Of<Io, Statement>& statement) {
  io.always("kind", statement.kind);
  io("result", statement.result);
  io("span", statement.span);
  io("callee", statement.callee);
  io("callee_value", statement.callee_value);
  io("target", statement.target);
  io("receiver", statement.receiver);
  io("args", static_cast<Of<Io, std::vector<Id>>&>(statement.args));
  io("keywords", statement.keywords);
  io("star_args", statement.star_args);
  io("location", statement.location);
  io("value", statement.value);
  io("augmented", statement.augmented);
  io("yields", statement.yields);
  io("in_macro", statement.in_macro);
  io("launch", statement.launch);
}

template <typename Io>
void fields(Io& io, Of<Io, Block>& block) {
  io.always("statements", block.statements);
  io("condition", block.condition);
  io.always("successors", block.successors);
  io("handler_of", block.handler_of);
  io("in_try", block.in_try);
  io("in_finally", block.in_finally);
}

template <typename Io>
void fields(Io& io, Of<Io, Parameter>& parameter) {
  io.always("name", parameter.name);
  io("type", parameter.type);
  io("storage", parameter.storage);
  io("value", parameter.value);
  io("const_pointer", parameter.is_const_pointer);
  io("variadic", parameter.variadic);
  io("default", parameter.default_value);
}

template <typename Io>
void fields(Io& io, Of<Io, Function>& function) {
  io.always("name", function.name);
  io.always("qualified_name", function.qualified_name);
  io("unit", function.unit);
  io("class", function.class_id);
  io("enclosing", function.enclosing_function);
  io.always("parameters", function.parameters);
  io.always("blocks", function.blocks);
  io("decorators", function.decorators);
  io("module_body", function.is_module_body);
  io("kernel", function.is_kernel);
  io("device", function.is_device);
  io("generator", function.is_generator);
  io("static", function.is_static_method);
  io("class_method", function.is_class_method);
  io("property", function.is_property);
  io("constructor_attribute", function.is_constructor_attribute);
  io("span", function.span);
  io("name_span", function.name_span);
}

template <typename Io>
void fields(Io& io, Of<Io, Class>& klass) {
  io.always("name", klass.name);
  io.always("qualified_name", klass.qualified_name);
  io("unit", klass.unit);
  io("bases", klass.bases);
  io("base_classes", klass.base_classes);
  io("methods", klass.methods);
  io("attributes", klass.attributes);
  io("span", klass.span);
}

template <typename Io>
void fields(Io& io, Of<Io, Unit>& unit) {
  io.always("name", unit.name);
  io.always("language", unit.language);
  io("parent", unit.parent);
  io("module_body", unit.module_body);
  io("sha256", unit.sha256);
  io("parsed", unit.parsed);
  io("build_flags", unit.build_flags);
  io("includes", unit.includes);
  io("missing_includes", unit.missing_includes);
  io("extension", unit.extension);
}

template <typename Io>
void fields(Io& io, Of<Io, Binding>& binding) {
  io.always("extension", binding.extension);
  io.always("name", binding.name);
  io("function", binding.function);
  io("cpp_name", binding.cpp_name);
  io("span", binding.span);
}

template <typename Io>
void fields(Io& io, Of<Io, Problem>& problem) {
  io.always("kind", problem.kind);
  io.always("message", problem.message);
  io("unit", problem.unit);
  io("span", problem.span);
  io.always("blocks_clean", problem.blocks_clean);
}

template <typename Io>
void fields(Io& io, Of<Io, Directive>& directive) {
  io.always("text", directive.text);
  io("span", directive.span);
  io.always("line", directive.line);
}

// All but the version, which each form says first.
template <typename Io>
void fields(Io& io, Of<Io, Facts>& facts) {
  io("extractor_version", facts.extractor_version);
  io("python_version", facts.python_version);
  io("clang_version", facts.clang_version);
  io.always("units", facts.units);
  io.always("classes", facts.classes);
  io.always("functions", facts.functions);
  io.always("storages", facts.storages);
  io.always("values", facts.values);
  io.always("bindings", facts.bindings);
  io.always("problems", facts.problems);
  io("directives", facts.directives);
  io("entry_class", facts.entry_class);
  io("entry_function", facts.entry_function);
}

}  // namespace kernel_audit::analysis::facts
