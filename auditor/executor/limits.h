// Limits of workers and the reading of their last message, common to all stages.
#pragma once

#include "auditor/executor/plan.h"
#include "auditor/executor/session.h"
#include "auditor/process/child.h"

namespace kernel_audit::executor {

// Wall clock from the options; resident memory from the options, else 80 % of what is free now.
process::Limits worker_limits(const MeasureOptions& options);

// {"kind":"result","evidence":…,"seeds":…} or {"kind":"fault","error":{"kind","message"}} as a record.
StageRecord record_of_answer(Json& answer);

}  // namespace kernel_audit::executor
