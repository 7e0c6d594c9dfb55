// The probe "op-mutation": would the benchmark notice if one operator of the reference were wrong? Each compute call
// of the trace is replaced once by each of its mutants, all else as it was. No mutant noticed: the call is dead
// (never used, or always swallowed by what follows). Its input, or a constant, passed on in its place unnoticed:
// it is redundant. What is found is tried on a second draw of weights and inputs before it is said.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/traced_task.h"

namespace kernel_audit::filters {

// Ends `task`: its draw makes room for the second one.
void run_mutation_probe(TaskSession& session, const Stopwatch& watch, TracedTask& task, TaskEvidence& evidence);

}  // namespace kernel_audit::filters
