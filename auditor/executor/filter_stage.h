// Stage 1 for one task: a trusted worker runs the probes under limits and answers with TaskEvidence. A
// task too large or too slow for the machine ends as a typed fault with the number (`not-run`).
#pragma once

#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

StageRecord measure_task(Session& session, const tasks::Task& task, const MeasureOptions& options);

}  // namespace kernel_audit::executor
