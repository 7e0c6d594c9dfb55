// From evidence to what stage 3 contributes to the verdict (auditor/core/verdict.h decides it): runs
// every guard, and says whether the evaluation ran, broke, is comparable, and which speedup is proven.
#pragma once

#include "auditor/core/policy.h"
#include "auditor/core/verdict.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {

StageSummary summarize(const EvalEvidence& evidence, const Policy& policy);

}  // namespace kernel_audit::eval
