#include <map>
#include <tuple>

#include "analysis/cuda/extract/extract.h"
#include "analysis/cuda/extract/passes.h"

namespace kernel_audit::analysis::cuda {

using facts::Id;
using facts::kNone;

void connect_definitions(facts::Facts& facts) {
  const auto extension_of = [&facts](const facts::Function& function) {
    return function.unit == kNone ? std::string() : facts.units[static_cast<std::size_t>(function.unit)].extension;
  };
  const auto is_native = [&facts](const facts::Function& function) {
    if (function.unit == kNone) return false;
    const facts::UnitLanguage language = facts.units[static_cast<std::size_t>(function.unit)].language;
    return language == facts::UnitLanguage::kCuda || language == facts::UnitLanguage::kCpp;
  };
  // Overloads differ in their number of parameters or stay unconnected: two definitions for one key are no definition.
  using Key = std::tuple<std::string, std::string, std::size_t>;
  std::map<Key, Id> definitions;
  for (std::size_t i = 0; i < facts.functions.size(); ++i) {
    const facts::Function& function = facts.functions[i];
    if (!is_native(function) || function.blocks.empty() || function.is_module_body) continue;
    const auto [found, added] = definitions.emplace(
        Key(extension_of(function), function.qualified_name, function.parameters.size()), static_cast<Id>(i));
    if (!added) found->second = kNone;
  }
  std::map<Id, Id> moved;
  for (std::size_t i = 0; i < facts.functions.size(); ++i) {
    const facts::Function& function = facts.functions[i];
    if (!is_native(function) || !function.blocks.empty()) continue;
    const auto found =
        definitions.find(Key(extension_of(function), function.qualified_name, function.parameters.size()));
    if (found != definitions.end() && found->second != kNone) moved.emplace(static_cast<Id>(i), found->second);
  }
  const auto move = [&moved](Id& id) {
    const auto found = moved.find(id);
    if (found != moved.end()) id = found->second;
  };
  for (facts::Function& function : facts.functions) {
    for (facts::Block& block : function.blocks) {
      for (facts::Statement& statement : block.statements) {
        move(statement.target);
        if (statement.launch) move(statement.launch->kernel_function);
      }
    }
  }
  for (facts::Value& value : facts.values) move(value.function);
  for (facts::Binding& binding : facts.bindings) move(binding.function);
  // functions=[…] and PYBIND11_MODULE may both name one function.
  std::vector<facts::Binding> unique;
  for (facts::Binding& binding : facts.bindings) {
    bool known = false;
    for (facts::Binding& other : unique) {
      if (other.extension != binding.extension || other.name != binding.name) continue;
      if (other.function != binding.function && other.function != kNone && binding.function != kNone) continue;
      if (other.function == kNone) other = binding;
      known = true;
    }
    if (!known) unique.push_back(binding);
  }
  facts.bindings = std::move(unique);
}

void link_units(facts::Facts& facts) {
  connect_definitions(facts);
  resolve_streams(facts);
}

}  // namespace kernel_audit::analysis::cuda
