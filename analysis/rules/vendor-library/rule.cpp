// KA104: a vendor library computes what is returned.
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;

const RuleInfo kInfo{"KA104",
                     "vendor-library",
                     "the returned value is computed by a vendor library that the candidate calls",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {3},
                     Topic::kVendorLibraries};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const Alternative& way : model.alternatives()) {
    if (way.vendor.empty()) continue;
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " returns a value that the vendor library call " +
                                       name_list(model, way.vendor) + " takes part in" +
                                       (way.launches.empty() ? ", and no kernel of the candidate does." : "."));
    finding.span = model.span_of(way.vendor.front());
    finding.notes = notes_for(model, way, way.vendor);
    findings.push_back(std::move(finding));
    break;
  }
  return findings;
}

}  // namespace

const Rule& vendor_library() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
