// KA532: forward writes into a tensor that the caller handed to it.
#include "analysis/rules/returned_arguments.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA532",
                     "input-written",
                     "forward writes into one of its arguments",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {60, 61}};

std::string argument_name(const Model& model, int position) {
  const auto& entry = model.function(model.facts().entry_function);
  const std::size_t at = static_cast<std::size_t>(position) + (model.facts().entry_class != facts::kNone ? 1 : 0);
  return at < entry.parameters.size() ? entry.parameters[at].name : std::to_string(position);
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const std::set<int> handed_back = written_and_returned(model);  // returned-argument tells of those
  for (const auto& [where, positions] : model.run().argument_writes) {
    const Statement* statement = model.statement(where);
    if (statement == nullptr) continue;
    for (const int position : positions) {
      if (handed_back.contains(position)) continue;
      const std::string what = statement->launch ? "kernel " + statement->launch->kernel_name
                               : statement->kind == facts::StatementKind::kCall && !statement->callee.empty()
                                   ? statement->callee
                                   : "a store";
      Finding finding = make_finding(
          kInfo, policy,
          what + " writes into argument " + argument_name(model, position) + " of " + entry_name(model) + ".");
      finding.span = statement->span;
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& input_written() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
