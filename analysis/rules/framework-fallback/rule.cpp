// KA101: a returned value is made of framework compute, and no authored kernel takes part in it.
#include <algorithm>
#include <set>

#include "analysis/facts/operations.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA101",
                     "framework-fallback",
                     "the returned value is computed by the framework, without an authored kernel",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {1, 2, 5, 8, 12, 94},
                     Topic::kFrameworkCompute};

// A model of a library that parts of the candidate's may have been put into: kernels may run inside of it.
bool may_hold_kernels(const Model& model, const Alternative& way) {
  const auto& problems = model.facts().problems;
  const bool changed = std::any_of(problems.begin(), problems.end(), [](const facts::Problem& problem) {
    return problem.kind == "dynamic-call" && problem.blocks_clean;
  });
  return changed && std::any_of(way.framework.begin(), way.framework.end(), [&](facts::NodeId id) {
           return facts::of_library_model(model.provenance().at(id).name);
         });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const bool authored = any_authored(model);
  const bool any = any_unknown(model);
  std::set<std::pair<facts::StatementRef, bool>> reported;
  for (const Alternative& way : model.alternatives()) {
    if (!way.launches.empty() || !way.unknown.empty()) continue;
    if (way.framework.empty()) continue;
    const bool unknown = any || may_hold_kernels(model, way);
    const auto& top = model.provenance().at(way.framework.front());
    const bool native = top.where.function != facts::kNone && model.native(top.where.function);
    // Beside a kernel of the candidate: KA113 and KA114 tell of those.
    if (way.in_handler && (authored || unknown)) continue;
    if (authored && !excused_by_device(way)) continue;
    if (!reported.insert({way.returned, way.in_handler}).second) continue;
    const std::string where = native ? " in the extension's C++ code" : "";
    Finding finding = make_finding(kInfo, policy, "");
    finding.span = model.span_of(way.framework.front());
    finding.notes = notes_for(model, way, way.framework);
    add_guard_notes(way.guards, finding.notes);
    if (!authored && !unknown) {
      finding.message = entry_name(model) + " returns the result of " + name_list(model, way.framework) + where +
                        ", and no kernel of the candidate takes part in any value that it returns.";
      if (model.launches().empty()) {
        finding.notes.push_back(
            {model.function(model.facts().entry_function).name_span, "the candidate launches no kernel of its own"});
      } else {
        finding.notes.push_back(
            {model.span(model.launches().front()), "this launch does not lead to the returned value"});
      }
      for (const facts::Problem& problem : model.facts().problems) {
        if (problem.kind == "build-fault") finding.notes.push_back({problem.span, problem.message});
      }
    } else if (excused_by_device(way)) {
      finding.severity = Severity::kNote;
      soften(finding, Effect::kNote);
      finding.message = entry_name(model) + " returns the result of " + name_list(model, way.framework) + where +
                        " where there is no CUDA device.";
    } else {
      finding.severity = Severity::kWarning;
      finding.confidence = unknown ? Confidence::kLow : Confidence::kMedium;
      soften(finding, Effect::kReview);
      finding.message = "On some paths " + entry_name(model) + " returns the result of " +
                        name_list(model, way.framework) + where + " without a kernel of the candidate.";
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& framework_fallback() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
