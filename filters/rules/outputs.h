// Judging the outputs of a task one by one. A task is degenerate in a way only when all its outputs are:
// where one of several is, the finding is for review.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filters/rules/support.h"

namespace kernel_audit::filters {

enum class Grade { kFine, kNear, kDegenerate, kUnknown };

struct Judgement {
  Grade grade = Grade::kFine;
  std::string message;  // for kNear and kDegenerate; for kUnknown the reason
  std::vector<Metric> evidence;
};

// Runs `judge` on every output and turns what it says into findings of `rule`. Says "could not tell" when
// `probe` did not run.
template <typename Judge>
std::vector<Finding> judge_outputs(const RuleInfo& rule, const TaskEvidence& evidence, const Policy& policy,
                                   const std::string& probe, Judge judge) {
  if (const auto reason = not_measured(evidence, probe)) return {could_not_tell(rule, *reason)};
  std::vector<Finding> findings;
  std::vector<std::size_t> degenerate;
  for (const OutputStatistics& output : evidence.outputs) {
    Judgement judgement = judge(output);
    if (judgement.grade == Grade::kFine) continue;
    if (judgement.grade == Grade::kUnknown) {
      findings.push_back(could_not_tell(rule, judgement.message));
      continue;
    }
    Finding finding = filter_finding(rule, policy, std::move(judgement.message));
    finding.evidence = std::move(judgement.evidence);
    if (judgement.grade == Grade::kDegenerate) {
      degenerate.push_back(findings.size());
    } else {
      lower_to_review(finding);
    }
    findings.push_back(std::move(finding));
  }
  if (degenerate.size() < evidence.outputs.size()) {
    for (const std::size_t index : degenerate) lower_to_review(findings[index]);
  }
  return findings;
}

}  // namespace kernel_audit::filters
