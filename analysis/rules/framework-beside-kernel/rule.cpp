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
                     {2, 4},
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
  if (first == nullptr) return findings;
  const auto compute = real_compute(model, all);
  Finding finding =
      make_finding(kInfo, policy,
                   entry_name(model) + " returns a value that " + name_list(model, compute.empty() ? all : compute) +
                       " of the framework and " + name_list(model, launches) + " of the candidate take part in.");
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
