// KA501: forward returns one of its arguments, at most viewed or copied.
#include "analysis/rules/returned_arguments.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA501",
                     "returned-argument",
                     "forward returns an argument unchanged",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {60, 62}};

// Work in place, and the caller gets its own memory back.
void written_in_place(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  const auto& entry = model.function(model.facts().entry_function);
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const int position : written_and_returned(model, returned)) {
      const std::size_t at = static_cast<std::size_t>(position) + (model.facts().entry_class != facts::kNone ? 1 : 0);
      const std::string name = at < entry.parameters.size() ? entry.parameters[at].name : std::to_string(position);
      Finding finding = make_finding(
          kInfo, policy,
          entry_name(model) + " returns the memory of its argument " + name + ", which it writes in place.");
      finding.span = model.span(returned.where);
      for (const auto& [where, written] : model.run().argument_writes) {
        if (written.contains(position)) finding.notes.push_back({model.span(where), "written here"});
      }
      findings.push_back(std::move(finding));
    }
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  written_in_place(model, policy, findings);
  const bool work = any_authored(model);
  for (const Alternative& way : model.alternatives()) {
    if (!way.is_argument) continue;
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " returns its " + model.name_of_node(way.node) + " as it is" +
                                       (work ? " on some paths." : ", without any work on it."));
    if (work) {
      // A branch for an empty input, evaluation mode or a size without work.
      soften(finding, Effect::kNote);
      finding.severity = Severity::kNote;
    }
    finding.span = model.span(way.returned);
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
    break;
  }
  return findings;
}

}  // namespace

const Rule& returned_argument() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
