// The probe "cost": work and traffic of the reference from the shapes of its calls, what of it the mathematics needs,
// what the device can do, and how long the reference takes.
#pragma once

#include "filters/evidence.h"
#include "filters/probes/traced_task.h"

namespace kernel_audit::filters {

// Before mutation, which ends task.draw: times and peaks. Fills evidence.cost.
void measure_cost(TaskSession& session, const Stopwatch& watch, TracedTask& task, TaskEvidence& evidence);
// After mutation: waste, and the least work without calls that are dead or redundant.
void conclude_cost(const TracedTask& task, TaskEvidence& evidence);

// A matrix product and a copy on the device, timed while it is had alone; about 0.1 s of work.
DevicePeaks measure_peaks(const std::string& device, process::DeviceTurns& turns);

}  // namespace kernel_audit::filters
