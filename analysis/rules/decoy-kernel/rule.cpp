// KA115: a kernel is defined, and nothing that runs launches it.
#include <algorithm>
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;

const RuleInfo kInfo{"KA115",
                     "decoy-kernel",
                     "a kernel is defined and never launched",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {5}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  if (!model.ran_forward() || any_unknown(model)) return findings;
  std::set<Id> launched;
  std::set<std::string> names;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Id kernel = model.kernel_of(where);
    if (kernel == kNone) return findings;  // which one it launches is not known
    launched.insert(kernel);
    names.insert(model.function(kernel).name);
  }
  const bool authored = any_authored(model);
  for (std::size_t i = 0; i < model.facts().functions.size(); ++i) {
    const facts::Function& function = model.facts().functions[i];
    if (!function.is_kernel || function.blocks.empty() || launched.contains(static_cast<Id>(i)) ||
        names.contains(function.name))
      continue;
    // A Triton function that a launched kernel calls is a helper.
    const bool called = std::any_of(model.facts().functions.begin(), model.facts().functions.end(), [&](const auto& f) {
      return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const auto& block) {
        return std::any_of(block.statements.begin(), block.statements.end(), [&](const facts::Statement& statement) {
          return statement.target == static_cast<Id>(i) ||
                 (f.is_kernel && statement.kind == facts::StatementKind::kLaunch && statement.launch &&
                  statement.launch->kernel_function == static_cast<Id>(i));
        });
      });
    });
    if (called) continue;
    Finding finding = make_finding(kInfo, policy, "Nothing that runs launches the kernel " + function.name + ".");
    if (authored) {
      soften(finding, Effect::kNote);  // a leftover beside the kernels that do the work
      finding.severity = Severity::kNote;
    }
    finding.span = function.name_span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& decoy_kernel() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
