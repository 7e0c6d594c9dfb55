// The probe "seeds": the task's outputs over several draws of inputs and weights, streamed; and, on the same
// outputs, the probe "trivial-answers". It plans with the time of its first pass: what cannot fit the limits
// is reported with the number instead of being started.
#pragma once

#include <optional>
#include <string>

#include "filters/evidence.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

struct SeedsOutcome {
  bool complete = false;        // statistics are in the evidence
  double seconds_per_seed = 0;  // of a whole turn: weights, inputs, forward, statistics
  double forward_seconds = 0, fastest_forward_seconds = 0;
  bool weights_drawn = true;  // the constructor drew random numbers
  bool random_forward = false;
};

// Fills outputs, trivial answers, sizes and what is missing.
SeedsOutcome run_seeds_probe(TaskSession& session, const Stopwatch& watch, TaskEvidence& evidence);

}  // namespace kernel_audit::filters
