#include "analysis/split/build_faults.h"

#include <algorithm>

namespace kernel_audit::analysis::split {
namespace {

using facts::Id;
using facts::kNone;

std::string last_part(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

class FaultFinder {
 public:
  FaultFinder(const std::vector<SourceUnit>& units, facts::Facts& facts) : units_(units), facts_(facts) {}

  void run() {
    for (const SourceUnit& unit : units_) {
      if (unit.extension.empty() || unit.bare_kernel_source || done(unit.extension)) continue;
      const std::string fault = fault_of(unit);
      if (fault.empty()) continue;
      facts::Problem problem;
      problem.kind = "build-fault";
      problem.message = "The extension '" + unit.extension.substr(4) + "' can never be built: " + fault + ".";
      problem.unit = unit.facts_unit;
      problem.span = unit.text.empty() ? SourceSpan{} : unit.map.resolve(0, 0);
      problem.blocks_clean = false;  // whether it matters depends on who catches it
      facts_.problems.push_back(std::move(problem));
    }
  }

 private:
  bool done(const std::string& extension) const {
    return std::any_of(facts_.problems.begin(), facts_.problems.end(), [&](const facts::Problem& problem) {
      return problem.kind == "build-fault" && problem.unit != kNone &&
             facts_.units[static_cast<std::size_t>(problem.unit)].extension == extension;
    });
  }

  // Read to its end, with every header known and nothing that Clang stumbled over.
  bool read_whole(const SourceUnit& unit) const {
    const facts::Unit& entry = facts_.units[static_cast<std::size_t>(unit.facts_unit)];
    return entry.parsed && entry.missing_includes.empty() &&
           std::none_of(facts_.problems.begin(), facts_.problems.end(), [&](const facts::Problem& problem) {
             return problem.unit == unit.facts_unit && problem.kind != "unfoldable-flags" &&
                    problem.kind != "build-fault";
           });
  }

  bool declares(const SourceUnit& unit, const std::string& name) const {
    const bool function = std::any_of(facts_.functions.begin(), facts_.functions.end(), [&](const facts::Function& f) {
      return f.unit == unit.facts_unit && (f.qualified_name == name || f.name == last_part(name));
    });
    const SourceSpan all = unit.map.resolve(0, unit.map.size());
    return function || std::any_of(facts_.storages.begin(), facts_.storages.end(), [&](const facts::Storage& storage) {
             return storage.kind == facts::StorageKind::kGlobal && storage.name == last_part(name) &&
                    storage.span.file == all.file && all.begin <= storage.span.begin && storage.span.end <= all.end;
           });
  }

  bool binds_module(const SourceUnit& unit) const {
    return std::any_of(facts_.functions.begin(), facts_.functions.end(), [&](const facts::Function& f) {
      return f.unit == unit.facts_unit && f.name == "ka_pybind_module";
    });
  }

  // Through `<<<…>>>`, which only a CUDA compiler reads.
  const facts::Statement* launch_in(const SourceUnit& unit) const {
    for (const facts::Function& function : facts_.functions) {
      if (function.unit != unit.facts_unit) continue;
      for (const facts::Block& block : function.blocks) {
        for (const facts::Statement& s : block.statements) {
          if (s.kind == facts::StatementKind::kLaunch && s.callee_value == kNone) return &s;
        }
      }
    }
    return nullptr;
  }

  std::string fault_of(const SourceUnit& first) const {
    std::vector<const SourceUnit*> all, host;
    for (const SourceUnit& unit : units_) {
      if (unit.extension != first.extension) continue;
      // Two builds of one name cannot be told apart here.
      if (unit.bound_functions != first.bound_functions) return "";
      all.push_back(&unit);
      if (unit.language == facts::UnitLanguage::kCpp) host.push_back(&unit);
    }
    for (const SourceUnit* unit : host) {
      if (launch_in(*unit) != nullptr)
        return "its C++ source, which the host compiler reads, launches a kernel with <<<>>>";
    }
    if (first.bound_functions.empty()) return "";
    for (const SourceUnit* unit : all) {
      if (binds_module(*unit))
        return "a source defines its Python module with PYBIND11_MODULE, and the functions that are listed define it "
               "once more";
    }
    const bool known =
        !host.empty() && std::all_of(host.begin(), host.end(), [&](const SourceUnit* u) { return read_whole(*u); });
    for (const std::string& name : first.bound_functions) {
      const bool declared =
          std::any_of(host.begin(), host.end(), [&](const SourceUnit* unit) { return declares(*unit, name); });
      if (known && !declared)
        return "the function '" + name + "' is listed, and the C++ source that binds it does not declare it";
    }
    return "";
  }

  const std::vector<SourceUnit>& units_;
  facts::Facts& facts_;
};

}  // namespace

void note_build_faults(const std::vector<SourceUnit>& units, facts::Facts& facts) { FaultFinder(units, facts).run(); }

}  // namespace kernel_audit::analysis::split
