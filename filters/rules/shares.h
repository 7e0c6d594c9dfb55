// The filter that METR published judges shares of elements: how many are near zero, near the output's mean, near the
// previous seed's value. A criterion holds for a task when it holds on every seed, for every output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filters/rules/support.h"

namespace kernel_audit::filters {

// Findings of `rule` by the share `field` of TaskEvidence::extra["shares"]; `of` completes "are within … of". Outputs
// of at most `least_elements` elements do not meet the criterion.
inline std::vector<Finding> judge_shares(const RuleInfo& rule, const TaskEvidence& evidence, const Policy& policy,
                                         const std::string& field, double limit, const std::string& of,
                                         double least_elements = 0) {
  if (const auto reason = not_measured(evidence, kSeedsProbe)) return {could_not_tell(rule, *reason)};
  const auto shares = evidence.extra.find("shares");
  if (shares == evidence.extra.end() || !shares->is_array() || shares->empty()) {
    return {could_not_tell(rule, "shares of elements were not measured")};
  }
  double smallest = 1, distance = 0;
  for (const Json& output : *shares) {
    if (!output.contains(field) || !output[field].is_number()) {
      return {could_not_tell(rule, "the share '" + field + "' was not measured")};
    }
    if (output.value("elements", 0.0) <= least_elements) return {};
    smallest = std::min(smallest, output[field].get<double>());
    distance = std::max(distance, output.value("distance", 0.01));
  }
  if (!(smallest > limit)) return {};
  Finding finding = filter_finding(rule, policy,
                                   "On every seed at least " + format_number(100 * smallest) +
                                       " % of the elements of the output are within " + format_number(distance) +
                                       " of " + of + ", more than the limit of " + format_number(100 * limit) + " %.");
  finding.evidence = {measured(field + "_share", smallest, "smallest share over the seeds", Hint::kPercent)};
  return {finding};
}

// The same as one more reason for a person to look, where no other finding speaks of the outputs: most elements pass as
// something simpler by the benchmark's absolute tolerance, and not all.
inline void review_shares(const RuleInfo& rule, const TaskEvidence& evidence, const Policy& policy,
                          const std::string& field, const std::string& threshold_id, const std::string& of,
                          double least_elements, std::vector<Finding>& findings) {
  const auto limit = threshold(policy, threshold_id);
  if (!findings.empty() || !limit || !evidence.extra.contains("shares")) return;
  for (Finding& finding : judge_shares(rule, evidence, policy, field, *limit, of, least_elements)) {
    if (finding.effect != Effect::kInconclusive) lower_to_review(finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace kernel_audit::filters
