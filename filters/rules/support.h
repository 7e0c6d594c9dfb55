// What several filter rules share: metrics for a finding's evidence, the scale-aware tolerance, and the
// finding that says "could not tell".
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "auditor/core/finding.h"
#include "auditor/core/metric.h"
#include "auditor/core/policy.h"
#include "filters/evidence.h"
#include "filters/presets.h"

namespace kernel_audit::filters {

inline std::string format_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

inline Metric measured(const std::string& id, double value, const std::string& description, Hint hint = Hint::kError) {
  Metric metric;
  metric.id = id;
  metric.unit = "1";
  metric.hint = hint;
  metric.origin = Origin::kRefereeMemory;
  metric.value = value;
  metric.description = description;
  return metric;
}

// What the benchmark's tolerance amounts to at the scale of an output.
inline double tolerance_at(const TaskEvidence& evidence, double output_scale) {
  return evidence.atol + evidence.rtol * output_scale;
}

inline Finding filter_finding(const RuleInfo& rule, const Policy& policy, std::string message) {
  Finding finding = make_finding(rule, policy, std::move(message));
  finding.origin = Origin::kRefereeMemory;
  return finding;
}

// Near the line: never stronger than review, and no stronger than what the policy gives the rule.
inline void lower_to_review(Finding& finding) {
  if (finding.effect != Effect::kNote) finding.effect = Effect::kReview;
}

inline Finding could_not_tell(const RuleInfo& rule, const std::string& reason) {
  Finding finding = make_finding(rule, rule.summary + ": could not tell, " + reason + ".");
  finding.effect = Effect::kInconclusive;
  finding.origin = Origin::kRefereeMemory;
  return finding;
}

// Reason why `probe` gave no numbers, when it gave none.
inline std::optional<std::string> not_measured(const TaskEvidence& evidence, const std::string& probe) {
  for (const std::string& key : {std::string(kWholeTask), probe}) {
    const auto found = evidence.missing.find(key);
    if (found != evidence.missing.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::filters
