// KA104: a vendor library computes what is returned.
#include <algorithm>

#include "analysis/rules/reached_work.h"
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
  HostNumbers host(model);
  ReachedWork reached(model, host);
  const auto elsewhere = [&](facts::NodeId id) {
    const facts::Node& node = model.provenance().at(id);
    return reached.barred_by(node.where, node.context).has_value();
  };
  std::vector<Finding> findings;
  for (const Alternative& way : model.alternatives()) {
    if (way.vendor.empty()) continue;
    // For other sizes than those that get_inputs gives.
    const bool other_sizes = any_authored(model) && std::all_of(way.vendor.begin(), way.vendor.end(), elsewhere);
    if (other_sizes && !findings.empty()) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     (other_sizes ? "With other sizes than get_inputs gives, " : "") + entry_name(model) +
                         " returns a value that the vendor library call " + name_list(model, way.vendor) +
                         " takes part in" + (way.launches.empty() ? ", and no kernel of the candidate does." : "."));
    finding.span = model.span_of(way.vendor.front());
    finding.notes = notes_for(model, way, way.vendor);
    if (other_sizes) soften_to_review(finding);
    findings.assign(1, std::move(finding));
    if (!other_sizes) break;
  }
  return findings;
}

}  // namespace

const Rule& vendor_library() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
