// The probe "distributions": the task under inputs of other distributions, with equal weights. Which trivial answers
// pass there, and do the calls that are dead or redundant under the task's own inputs stay so? An effect that
// goes away names the property of the inputs that makes the task degenerate.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/seeds.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

inline constexpr double kDistributionShare = 0.15;  // of the time limit; probes before it leave it that

void run_distribution_probe(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                            TaskEvidence& evidence);

}  // namespace kernel_audit::filters
