#include "analysis/split/link.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace kernel_audit::analysis::split {
namespace {

using facts::Id;
using facts::kNone;

std::string last_part(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

class Linker {
 public:
  Linker(facts::Facts& facts, const std::vector<std::string>& extension_of_unit)
      : facts_(facts), extension_of_unit_(extension_of_unit) {}

  void run() {
    for (facts::Binding& binding : facts_.bindings) {
      if (binding.cpp_name.starts_with(facts::kBoundClass)) continue;
      if (binding.function == kNone && !binding.cpp_name.empty())
        binding.function = find(binding.extension, binding.cpp_name, false);
      if (binding.function == kNone) binding.function = find(binding.extension, binding.name, false);
    }
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      for (facts::Block& block : facts_.functions[i].blocks) {
        for (facts::Statement& statement : block.statements) link(statement);
      }
    }
    for (facts::Value& value : facts_.values) {
      if (value.function == kNone && value.symbol.rfind("ext:", 0) == 0)
        value.function = resolve(value.symbol, value.type.name == "kernel");
      if (value.function == kNone && value.symbol.rfind("ext:", 0) == 0 &&
          value.type.kind == facts::TypeKind::kFunction)
        value.function = resolve(value.symbol, true);  // the handle of a kernel
    }
    bind_plain_libraries();
  }

 private:
  // A library that a compiler makes of a source binds what C finds in it: whoever asks for a function by a name that is
  // only known when it runs gets it by that.
  void bind_plain_libraries() {
    std::set<std::string> bound;
    for (const facts::Binding& binding : facts_.bindings) bound.insert(binding.extension);
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      const facts::Function& function = facts_.functions[i];
      if (function.unit == kNone || static_cast<std::size_t>(function.unit) >= extension_of_unit_.size()) continue;
      const std::string& extension = extension_of_unit_[static_cast<std::size_t>(function.unit)];
      const bool c_name = function.qualified_name == function.name && !function.name.starts_with('<');
      const bool host = !function.is_kernel && function.class_id == kNone && !function.blocks.empty();
      if (extension.empty() || bound.contains(extension) || !c_name || !host) continue;
      facts_.bindings.push_back({extension, function.name, static_cast<Id>(i), function.name, function.name_span});
    }
  }

  void link(facts::Statement& statement) {
    if (statement.callee.rfind("ext:", 0) != 0) return;
    if (statement.kind == facts::StatementKind::kLaunch && statement.launch &&
        statement.launch->kernel_function == kNone) {
      statement.launch->kernel_function = resolve(statement.callee, true);
    } else if (statement.kind == facts::StatementKind::kCall && statement.target == kNone) {
      const bool counted = !statement.star_args;
      statement.target =
          resolve(statement.callee, false,
                  counted ? std::optional(statement.args.size() + statement.keywords.size()) : std::nullopt);
    }
  }

  // "ext:<name>.<function>"; extension names may hold dots, function names do not. Of several functions of one name the
  // first that takes so many arguments.
  Id resolve(const std::string& symbol, bool kernel, std::optional<std::size_t> arguments = std::nullopt) {
    const std::size_t dot = symbol.rfind('.');
    if (dot == std::string::npos) return kNone;
    const std::string extension = symbol.substr(0, dot);
    const std::string name = symbol.substr(dot + 1);
    Id first = kNone;
    for (const facts::Binding& binding : facts_.bindings) {
      if (binding.extension != extension || binding.name != name || binding.function == kNone) continue;
      if (first == kNone) first = binding.function;
      const auto& parameters = facts_.functions[static_cast<std::size_t>(binding.function)].parameters;
      if (arguments && parameters.size() == *arguments) return binding.function;
    }
    if (first != kNone) return first;
    // A plain library, which ctypes loads, has no bindings: its functions have the names that they have in C.
    const bool bound = std::any_of(facts_.bindings.begin(), facts_.bindings.end(),
                                   [&](const facts::Binding& binding) { return binding.extension == extension; });
    if (kernel && name.ends_with('>')) return find_template(extension, name.substr(0, name.find('<')));
    return kernel || !bound ? find(extension, name, kernel) : kNone;
  }

  // "scale<float, 4>": the only kernel of the extension with that name, for a specialisation may be another one.
  Id find_template(const std::string& extension, const std::string& name) {
    Id found = kNone;
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      const facts::Function& function = facts_.functions[i];
      if (function.blocks.empty() || !of_extension(function, extension, true) || function.name != last_part(name))
        continue;
      if (found != kNone) return kNone;
      found = static_cast<Id>(i);
    }
    return found;
  }

  bool of_extension(const facts::Function& function, const std::string& extension, bool kernel) const {
    return function.unit != kNone && static_cast<std::size_t>(function.unit) < extension_of_unit_.size() &&
           extension_of_unit_[static_cast<std::size_t>(function.unit)] == extension && function.is_kernel == kernel;
  }

  // A function of the extension by its name: a definition before a declaration.
  Id find(const std::string& extension, const std::string& name, bool kernel) {
    Id declared = kNone;
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      const facts::Function& function = facts_.functions[i];
      if (!of_extension(function, extension, kernel)) continue;
      if (function.qualified_name != name && function.name != name && function.name != last_part(name)) continue;
      if (!function.blocks.empty()) return static_cast<Id>(i);
      if (declared == kNone) declared = static_cast<Id>(i);
    }
    return declared;
  }

  facts::Facts& facts_;
  const std::vector<std::string>& extension_of_unit_;
};

}  // namespace

void link_border(facts::Facts& facts, const std::vector<std::string>& extension_of_unit) {
  Linker(facts, extension_of_unit).run();
}

}  // namespace kernel_audit::analysis::split
