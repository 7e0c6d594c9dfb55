// KA421: what fp32 inputs hold is narrowed to a 16 or 8 bit float, or to TF32, on its way.
#include <algorithm>

#include "analysis/rules/device_code.h"
#include "analysis/rules/narrowing.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA421",
                     "narrowed-precision",
                     "fp32 data is narrowed to half, bfloat16, fp8 or TF32 on its way to the result",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {49},
                     Topic::kReducedPrecision};

// Kernels in Python that launches reach, and what they call.
std::vector<DeviceFunction> launched_in_python(const Model& model) {
  std::vector<DeviceFunction> found;
  const auto add = [&](facts::Id function, const facts::StatementRef& launch) {
    const bool known = function == facts::kNone || std::any_of(found.begin(), found.end(), [&](const auto& each) {
                         return each.function == function;
                       });
    if (!known) found.push_back({function, launch});
  };
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Statement* statement = model.statement(launch);
    if (statement != nullptr && statement->launch && !model.native(launch.function))
      add(statement->launch->kernel_function, launch);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const facts::StatementRef launch = found[i].launch;
    for (const facts::Block& block : model.function(found[i].function).blocks) {
      for (const facts::Statement& statement : block.statements) add(statement.target, launch);
    }
  }
  return found;
}

void in_kernels(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  std::vector<DeviceFunction> launched = launched_code(model);
  const std::vector<DeviceFunction> in_python = launched_in_python(model);
  launched.insert(launched.end(), in_python.begin(), in_python.end());
  for (const DeviceFunction& code : launched) {
    const Function& function = model.function(code.function);
    const Narrowing narrowing = narrowing_in(model, function);
    if (narrowing.statement == nullptr) continue;
    findings.push_back(finding_in_launched(kInfo, model, policy, code, *narrowing.statement,
                                           "narrows what it reads from wider memory to " + narrowing.to + "."));
  }
}

void on_host(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  std::set<NodeId> seen;
  for (const facts::Alternative& way : model.alternatives()) {
    model.provenance().walk({way.node}, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
      if (!narrowing_copy(model, node) || !model.provenance().reaches({id}, NodeKind::kArgument)) return true;
      if (!seen.insert(id).second) return true;
      Finding finding = make_finding(
          kInfo, policy,
          entry_name(model) + " returns a value that " + node.name + " narrows to 16 bits or less on its way.");
      finding.span = model.span_of(id);
      model.add_call_notes(id, finding.notes);
      finding.notes.push_back({model.span(way.returned), "returned here"});
      findings.push_back(std::move(finding));
      return true;
    });
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  in_kernels(model, policy, findings);
  on_host(model, policy, findings);
  return findings;
}

}  // namespace

const Rule& narrowed_precision() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
