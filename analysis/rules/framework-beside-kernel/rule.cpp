// KA103: authored kernels and framework compute both take part in a returned value.
#include <algorithm>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA103",
                     "framework-beside-kernel",
                     "the returned value is made of authored kernels and of framework compute",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {2, 4, 12},
                     Topic::kFrameworkCompute};

Metric share_metric(double share) {
  Metric metric;
  metric.id = "framework_share_of_operations";
  metric.unit = "1";
  metric.hint = Hint::kPercent;
  metric.origin = Origin::kSource;
  metric.value = share;
  metric.description = "Compute operations of the framework among all that take part in the returned value.";
  return metric;
}

// What the framework computes of the arguments and a kernel is handed to fill. Nobody needs that: where the kernel
// leaves a part as it was, that is the result.
void add_filled_again(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const facts::Id kernel = model.kernel_of(place.first);
    if (kernel == facts::kNone || !model.reached(place.first.function, facts::Phase::kForward)) continue;
    const auto& access = model.access(kernel);
    for (std::size_t p = 0; p < arguments.size() && p < access.written.size(); ++p) {
      if (!access.written[p] || (p < access.read.size() && access.read[p])) continue;
      std::vector<facts::NodeId> computed;
      for (const facts::NodeId id : arguments[p].nodes) {
        const facts::Node& node = model.provenance().at(id);
        if (node.kind == facts::NodeKind::kFramework && node.phase == facts::Phase::kForward &&
            model.provenance().reaches({id}, facts::NodeKind::kArgument))
          computed.push_back(id);
      }
      computed = real_compute(model, computed);
      if (computed.empty()) continue;
      Finding finding = make_finding(kInfo, policy,
                                     model.name_of_node(computed.front()) + " of the framework computes what kernel " +
                                         model.function(kernel).qualified_name + " is handed to fill.");
      soften_to_review(finding);
      finding.span = model.span_of(computed.front());
      finding.notes.push_back({model.span(place.first), "handed to the kernel here"});
      findings.push_back(std::move(finding));
      return;
    }
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::vector<facts::NodeId> all, launches;
  const Alternative* first = nullptr;
  double share = 0;
  for (const Alternative& way : model.alternatives()) {
    if (way.launches.empty() || way.framework.empty() || excused_by_device(way)) continue;
    if (first == nullptr) first = &way;
    share = std::max(share, framework_share(model, way));
    all.insert(all.end(), way.framework.begin(), way.framework.end());
    launches.insert(launches.end(), way.launches.begin(), way.launches.end());
  }
  if (first == nullptr) {
    add_filled_again(model, policy, findings);
    return findings;
  }
  const auto compute = real_compute(model, all);
  const facts::Id caller = model.provenance().at((compute.empty() ? all : compute).front()).where.function;
  const std::string where =
      caller != facts::kNone && model.native(caller) ? ", called in the extension's C++ code," : "";
  Finding finding = make_finding(kInfo, policy,
                                 entry_name(model) + " returns a value that " +
                                     name_list(model, compute.empty() ? all : compute) + " of the framework" + where +
                                     " and " + name_list(model, launches) + " of the candidate take part in.");
  finding.effect = policy.effect(kInfo, share);
  finding.evidence.push_back(share_metric(share));
  if (compute.empty()) {
    // Concatenation, padding, gathers: movement, not the task's arithmetic.
    finding.severity = Severity::kNote;
    soften(finding, Effect::kNote);
  }
  finding.span = model.span_of((compute.empty() ? all : compute).front());
  finding.notes = notes_for(model, *first, compute.empty() ? all : compute);
  finding.notes.push_back(
      {model.span_of(launches.front()), model.name_of_node(launches.front()) + " is launched here"});
  findings.push_back(std::move(finding));
  return findings;
}

}  // namespace

const Rule& framework_beside_kernel() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
