// KA906: a 32-bit index goes over a tensor of more elements than it can count.
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
using facts::Node;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA906",
                     "index-overflow",
                     "a 32-bit index goes over a tensor of more than 2^31 elements",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

constexpr double kMost = 2147483647.0;

// Parameters of the launched kernel whose tensors are known to be too large, and how large.
std::map<Id, double> large_parameters(const Model& model, HostNumbers& host, const facts::StatementRef& where,
                                      const Statement& launch) {
  std::map<Id, double> large;
  const Function& function = model.function(launch.launch->kernel_function);
  const auto add = [&](std::size_t parameter, double elements) {
    if (parameter < function.parameters.size() && elements > kMost)
      large.emplace(function.parameters[parameter].storage, elements);
  };
  const int frame = host.frame_by_caller(where.function);
  for (std::size_t p = 0; p < launch.args.size(); ++p) {
    if (const auto elements = host.elements(launch.args[p], frame)) add(p, *elements);
  }
  const auto& graph = model.provenance();
  for (facts::NodeId id = 0; id < static_cast<facts::NodeId>(graph.size()); ++id) {
    const Node& node = graph.at(id);
    if (node.kind != NodeKind::kLaunch || node.where != where) continue;
    for (std::size_t slot = 0; slot < node.slots.size(); ++slot) {
      for (const facts::NodeId operand : node.slots[slot]) {
        const Node& argument = graph.at(operand);
        if (argument.kind != NodeKind::kArgument || argument.argument < 0) continue;
        if (const auto elements = host.input_elements(static_cast<std::size_t>(argument.argument)))
          add(slot, *elements);
      }
    }
  }
  return large;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  HostNumbers host(model);
  std::set<Id> reported;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || !model.native(where.function)) continue;
    const Id id = launch->launch->kernel_function;
    if (id == kNone || model.function(id).blocks.empty() || reported.contains(id)) continue;
    const auto large = large_parameters(model, host, where, *launch);
    if (large.empty()) continue;
    const KernelView& kernel = view_of(model, id);
    for (const facts::Block& block : kernel.function.blocks) {
      for (const Statement& s : block.statements) {
        const bool access = s.kind == StatementKind::kLoad || s.kind == StatementKind::kStore;
        if (!access || !s.location.element || s.location.key == kNone || !kernel.flow.deref(s)) continue;
        const auto found = large.find(kernel.root(s.location.base));
        const std::string& type = model.value(s.location.key).type.name;
        const bool narrow = type == "int" || type == "unsigned int" || type == "const int";
        if (found == large.end() || !narrow || !kernel.uses(s.location.key, "blockIdx") ||
            !kernel.uses(s.location.key, "threadIdx") || !reported.insert(id).second)
          continue;
        Finding finding = make_finding(kInfo, policy,
                                       kernel.function.qualified_name + " counts " +
                                           std::to_string(static_cast<long long>(found->second)) +
                                           " elements with an index of 32 bits.");
        finding.span = s.span;
        finding.notes.push_back({launch->span, "launched here"});
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}

}  // namespace

const Rule& index_overflow() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
