// The probe "numerics": the reference against itself in fp64, and the tolerance against what inputs do to the output.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/seeds.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

// Adds to evidence.numerics, which trace_task() has begun where it ran.
void run_numerics_probe(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                        TaskEvidence& evidence);

}  // namespace kernel_audit::filters
