// Stage 3 for one task × candidate: builds the candidate in the sandbox, starts the referee, and starts
// the timed parties (null worker, baseline, candidate) when the referee asks for them. The referee's
// evidence is recorded as it comes; whatever goes wrong is a typed fault or stands in the evidence.
#pragma once

#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

// The null worker's time and spread, the gap probe, and proven against spun time (schema: eval/referee/job.h).
Result<Json> measure_spin_table(ZygotePair& zygotes, const MeasureOptions& options);

StageRecord evaluate(Session& session, const tasks::Task& task, const tasks::Candidate& candidate,
                     const MeasureOptions& options);

}  // namespace kernel_audit::executor
