// KA115: a kernel is defined, and nothing that runs launches it.
#include <algorithm>
#include <set>
#include <string>

#include "analysis/rules/reached_work.h"
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
                     {5, 7, 57, 62}};

// A Triton function that a kernel calls, or hands to a reduction or a scan, is a helper.
bool helps_a_kernel(const Model& model, Id function) {
  const auto is_it = [&](Id value) { return value != kNone && model.value(value).function == function; };
  const auto& functions = model.facts().functions;
  return std::any_of(functions.begin(), functions.end(), [&](const facts::Function& f) {
    return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const facts::Block& block) {
      return std::any_of(block.statements.begin(), block.statements.end(), [&](const facts::Statement& statement) {
        if (statement.target == function) return true;
        if (!f.is_kernel) return false;
        if (statement.kind == facts::StatementKind::kLaunch)
          return statement.launch && statement.launch->kernel_function == function;
        return std::any_of(statement.args.begin(), statement.args.end(), is_it) ||
               std::any_of(statement.keywords.begin(), statement.keywords.end(),
                           [&](const auto& keyword) { return is_it(keyword.second); });
      });
    });
  });
}

// What forward returns where it launches nothing, if that is one thing alone.
std::string instead(const Model& model) {
  std::set<std::string> said;
  for (const facts::Alternative& way : model.alternatives()) {
    if (!way.launches.empty()) continue;
    const facts::NodeKind kind = model.provenance().at(way.node).kind;
    said.insert(!way.framework.empty()                 ? "the result of " + model.name_of_node(way.framework.front())
                : way.is_argument                      ? "its argument"
                : kind == facts::NodeKind::kAllocation ? "memory that no kernel writes"
                                                       : "");
  }
  return said.size() == 1 && !said.begin()->empty() ? " It returns " + *said.begin() + "." : "";
}

// With the sizes that get_inputs gives forward comes to none of the launches that its result is made of, or their
// grids have no blocks.
std::vector<Finding> passed_by(const Model& model, const Policy& policy) {
  facts::StatementRef launch;
  SourceSpan span;
  std::string why;
  HostNumbers numbers(model);
  ReachedWork reached(model, numbers);
  for (const facts::Alternative& way : model.alternatives()) {
    if (!way.unknown.empty() || !way.replays.empty()) return {};
    for (const facts::NodeId id : way.launches) {
      const facts::Node& node = model.provenance().at(id);
      launch = node.where;
      if (const auto bar = reached.barred_by(node.where, node.context)) {
        span = model.value(model.function(bar->function).blocks[static_cast<std::size_t>(bar->block)].condition).span;
        why = bar->loop ? "the loop around it does not turn." : "a condition keeps it from there.";
      } else if (reached.launches_nothing(node.where, node.context)) {
        span = model.span(node.where);
        why = "its grid has no blocks.";
      } else {
        return {};
      }
    }
  }
  if (!launch.known()) return {};
  Finding finding = make_finding(
      kInfo, policy,
      "With what get_inputs makes, " + entry_name(model) + " comes to no launch of a kernel: " + why + instead(model));
  finding.span = span;
  finding.notes.push_back({model.span(launch), "not launched here"});
  return {finding};
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  if (!model.ran_forward()) return {};
  std::vector<Finding> findings = passed_by(model, policy);
  if (any_unknown(model) || nothing_followed(model)) return findings;
  std::set<Id> launched;
  std::set<std::string> names;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Id kernel = model.kernel_of(where);
    if (kernel == kNone) return findings;  // which one it launches is not known
    launched.insert(kernel);
    names.insert(model.function(kernel).name);
  }
  for (std::size_t n = 0; n < model.provenance().size(); ++n) {  // as nodes of graphs, too
    const Id kernel = model.provenance().at(static_cast<facts::NodeId>(n)).kernel;
    if (kernel != kNone) launched.insert(kernel);
  }
  const bool authored = any_authored(model);
  for (std::size_t i = 0; i < model.facts().functions.size(); ++i) {
    const facts::Function& function = model.facts().functions[i];
    if (!function.is_kernel || function.blocks.empty() || launched.contains(static_cast<Id>(i)) ||
        names.contains(function.name))
      continue;
    if (helps_a_kernel(model, static_cast<Id>(i))) continue;
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
