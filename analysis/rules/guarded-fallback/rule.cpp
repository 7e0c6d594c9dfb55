// KA114: one arm of a branch returns framework compute while another launches the candidate's kernel.
#include <algorithm>
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA114",
                     "guarded-fallback",
                     "some paths return framework compute instead of the candidate's kernel",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {5, 6, 7}};

std::string reasons(const Alternative& way) {
  std::vector<std::string> kinds;
  for (const facts::Guard& guard : way.guards) {
    const std::string kind = facts::describe(guard.kind);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  std::string text;
  for (std::size_t i = 0; i < kinds.size() && i < 2; ++i) text += (i == 0 ? ", decided by " : " and ") + kinds[i];
  return text;
}

// Nothing decides but which of several callables a call is of, and what it computes goes through a kernel elsewhere: a
// chain of steps, of which KA103 tells.
bool step_of_chain(const Model& model, const Alternative& way) {
  const bool dispatched = std::all_of(way.guards.begin(), way.guards.end(), [&](const facts::Guard& guard) {
    if (guard.function == facts::kNone || guard.block == facts::kNone) return false;
    const auto& statements = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].statements;
    return !statements.empty() && statements.back().callee == "dispatch.selects";
  });
  return dispatched && !way.guards.empty() &&
         std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const Alternative& other) {
           return !other.launches.empty() &&
                  std::all_of(way.framework.begin(), way.framework.end(), [&](facts::NodeId node) {
                    return std::any_of(other.framework.begin(), other.framework.end(), [&](facts::NodeId beside) {
                      return model.provenance().at(beside).name == model.provenance().at(node).name;
                    });
                  });
         });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  if (!any_authored(model)) return findings;
  std::set<facts::StatementRef> reported;
  for (const Alternative& way : model.alternatives()) {
    if (way.in_handler || !way.launches.empty() || !way.unknown.empty() || way.framework.empty()) continue;
    if (excused_by_device(way) || step_of_chain(model, way) || !reported.insert(way.returned).second) continue;
    const bool native = model.provenance().at(way.framework.front()).where.function != facts::kNone &&
                        model.native(model.provenance().at(way.framework.front()).where.function);
    Finding finding = make_finding(
        kInfo, policy,
        "On some paths " + entry_name(model) + " returns the result of " + name_list(model, way.framework) +
            (native ? " in the extension's C++ code" : "") + " without a kernel of the candidate" + reasons(way) + ".");
    finding.span = model.span_of(way.framework.front());
    finding.notes = notes_for(model, way, way.framework);
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& guarded_fallback() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
