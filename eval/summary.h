// From evidence to what stage 3 contributes to the verdict (auditor/core/verdict.h decides it): runs
// every guard, and says whether the evaluation ran, broke, is comparable, and which speedup is proven.
#pragma once

#include <string>

#include "auditor/core/policy.h"
#include "auditor/core/verdict.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {

StageSummary summarize(const EvalEvidence& evidence, const Policy& policy);

// The ratio of proven times that a verdict rests on: of graph replays where there are any (host-bound work), else of
// eager calls; nullptr when neither was established.
const Metric* carrying_speedup(const EvalEvidence& evidence);

// Why the machine, not the candidate, left the measurement without a figure to rest on; empty when it was steady. Told
// from the baseline's windows alone, so that nothing a candidate does decides whether it is measured again: their
// median is known no better than `eval.baseline.unsteady` (0.1 of it), or they were faster or slower than before the
// candidate existed by more than that.
std::string disturbance(const EvalEvidence& evidence, const Policy& policy);

}  // namespace kernel_audit::eval
