// Stage 1 on the supervisor's side: evidence in, findings, summary and metrics out. Pure functions; no
// torch, no files, no processes.
#pragma once

#include <vector>

#include "auditor/core/finding.h"
#include "auditor/core/metric.h"
#include "auditor/core/policy.h"
#include "auditor/core/verdict.h"
#include "filters/evidence.h"

namespace kernel_audit::filters {

// Runs every registered rule. Nothing at all was measured (kWholeTask): no findings.
std::vector<Finding> judge(const TaskEvidence& evidence, const Policy& policy);

// Verdict input of this stage. `ran` is false with the reason when the task as a whole was not measured.
StageSummary summarize(const TaskEvidence& evidence, const Policy& policy);

// The same for a probe process that ended without evidence: died, ran out of time or memory, spoke nonsense.
StageSummary summarize_fault(const Error& error);

// Headline numbers for reports; what is missing carries its reason.
std::vector<Metric> metrics(const TaskEvidence& evidence);

}  // namespace kernel_audit::filters
