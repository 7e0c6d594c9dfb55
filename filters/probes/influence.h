// The probe "input-influence": what moves the output? First all inputs together, redrawn under the weights of
// one seed; then each input, parameter and buffer varied alone while all else, the random numbers that
// forward draws included, stays fixed. Single variations are run cheapest question first, each only if one
// more forward pass fits the time that is left; what was not run says so.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/seeds.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

// Reuses the spread over seeds where the seeds' weights were equal anyway (nothing random was drawn for them).
void run_all_inputs_influence(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                              TaskEvidence& evidence);
void run_single_influences(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                           TaskEvidence& evidence);

}  // namespace kernel_audit::filters
