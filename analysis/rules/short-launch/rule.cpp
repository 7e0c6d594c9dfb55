// KA905: a launch of a known size has fewer threads than the tensor that it writes has elements.
#include <algorithm>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA905",
                     "short-launch",
                     "a launch has fewer threads than its output has elements, by the numbers in the source",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

// Elements that each thread stores through a parameter; 0 when it is not known.
std::map<Id, std::size_t> stores_by_parameter(const KernelView& kernel) {
  std::map<Id, std::size_t> stores;
  for (const facts::Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      if (!writes_global(kernel.model, kernel.function, s)) continue;
      const Id root = s.kind == StatementKind::kStore ? kernel.root(s.location.base) : kNone;
      if (root == kNone) return {};
      const std::string& type = kernel.model.facts().storages[static_cast<std::size_t>(root)].type.name;
      stores[root] += type.find("float4") != std::string::npos ? 4 : type.find('2') != std::string::npos ? 2 : 1;
    }
  }
  return stores;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  HostNumbers numbers(model);
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || !model.native(where.function)) continue;
    const Id id = launch->launch->kernel_function;
    if (id == kNone || model.function(id).blocks.empty()) continue;
    const Function& function = model.function(id);
    const KernelView& host = view_of(model, where.function);
    const auto threads = threads_of(host, *launch->launch);
    if (!threads || !blocks_in_loops(model, id).empty()) continue;
    const KernelView& kernel = view_of(model, id);
    const auto stores = stores_by_parameter(kernel);
    for (std::size_t p = 0; p < function.parameters.size() && p < launch->args.size(); ++p) {
      const auto stored = stores.find(function.parameters[p].storage);
      if (stored == stores.end()) continue;
      const auto elements = numbers.elements(launch->args[p], numbers.frame_by_caller(where.function));
      const double covered = *threads * static_cast<double>(stored->second);
      if (!elements || covered >= *elements) continue;
      Finding finding = make_finding(kInfo, policy,
                                     "The launch of " + function.qualified_name + " stores at most " +
                                         std::to_string(static_cast<long long>(covered)) + " of the " +
                                         std::to_string(static_cast<long long>(*elements)) + " elements of " +
                                         function.parameters[p].name + ".");
      finding.span = launch->span;
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& short_launch() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
