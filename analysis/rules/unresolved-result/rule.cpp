// KA701: the way from forward to a returned value goes through something that the analysis cannot see into.
#include <algorithm>
#include <set>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

constexpr char kSetter[] = "builtins.setattr";

const RuleInfo kInfo{"KA701",
                     "unresolved-result",
                     "the returned value depends on something that the analysis could not resolve",
                     Severity::kWarning,
                     Confidence::kLow,
                     Stage::kAnalysis,
                     Effect::kInconclusive,
                     {94}};

// A setattr whose names are not known, in a branch that nothing takes.
bool never_runs(const Model& model, const facts::Problem& problem) {
  if (problem.kind != "dynamic-call") return false;
  bool stands = false;
  for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
    const auto id = static_cast<facts::Id>(f);
    const bool entered = model.reached(id, facts::Phase::kImport) || model.reached(id, facts::Phase::kInit) ||
                         model.reached(id, facts::Phase::kForward);
    for (const facts::Block& block : model.function(id).blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.callee != kSetter || !(statement.span == problem.span)) continue;
        if (!entered) return false;
        stands = true;
      }
    }
  }
  static constexpr std::string_view setters[] = {kSetter};
  const auto calls = ran(model, setters);
  return stands && std::none_of(calls.begin(), calls.end(),
                                [&](const Ran& call) { return call.statement->span == problem.span; });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<std::string> reported;
  const auto add = [&](const std::string& message, const SourceSpan& span) {
    if (!reported.insert(message).second || findings.size() >= 5) return;
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = span;
    findings.push_back(std::move(finding));
  };
  // By whatever name: what is set on a flag package is told of as a flag.
  const auto told = [&](const facts::Problem& problem) {
    bool flag = false, other = problem.kind != "dynamic-call";
    for (const facts::ForeignStore& store : model.run().foreign_stores) {
      if (!(model.span(store.where) == problem.span)) continue;
      (store.name.starts_with("torch.backends.") ? flag : other) = true;
    }
    return flag && !other;
  };
  for (const facts::Problem& problem : model.facts().problems) {
    if (told(problem) || never_runs(model, problem)) continue;
    if (problem.blocks_clean && problem.kind != "opaque-blob") add(problem.message, problem.span);
  }
  // Of a class without a forward of its own the problems tell, or KA112; why there is no class, the problems mostly.
  if (!model.has_entry() && model.facts().entry_class == facts::kNone && findings.empty())
    add("The candidate defines neither ModelNew nor Model with a forward.", {});
  for (const auto& [where, reason] : model.run().limits)
    add("The analysis stopped: " + reason + ".", model.span(where));
  for (const Alternative& way : model.alternatives()) {
    if (excused_by_device(way)) continue;
    for (const facts::NodeId id : way.unknown) {
      add("What " + entry_name(model) +
              " returns could not be traced to its making: " + model.provenance().at(id).name + ".",
          model.span_of(id));
    }
  }
  if (findings.empty() && nothing_followed(model)) {
    add("No value that " + entry_name(model) + " returns could be followed.",
        model.function(model.facts().entry_function).name_span);
  }
  return findings;
}

}  // namespace

const Rule& unresolved_result() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
