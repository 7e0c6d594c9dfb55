// The part of the probe "trivial-answers" that needs passes of its own: the output for another seed's inputs under
// equal weights, the answer from half of the rows or half of a reduction, and the model in lower precision.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/seeds.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

// Appends to evidence.trivial_answers, on two draws of weights and inputs while the time lasts.
void run_forward_answers(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                         TaskEvidence& evidence);

// `inputs` with every floating tensor in `type`.
std::vector<worker::Argument> cast_inputs(const std::vector<worker::Argument>& inputs, at::ScalarType type);

}  // namespace kernel_audit::filters
