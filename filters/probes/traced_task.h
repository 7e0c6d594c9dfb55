// One draw of the task with its expected outputs and the trace of its operator calls: what the probes "op-mutation",
// "cost" and "distributions" start from.
#pragma once

#include <cstdint>
#include <memory>

#include "filters/evidence.h"
#include "filters/probes/call_trace.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/seeds.h"
#include "filters/probes/waste.h"

namespace kernel_audit::filters {

struct TracedTask {
  std::unique_ptr<ModulePaths> paths;
  std::unique_ptr<FixedDraw> draw;
  std::unique_ptr<CallTrace> trace;
  std::vector<OperandFacts> operands;  // for each call
  std::uint64_t unused_bytes = 0;      // of inputs and state that no output depends on
  std::string missing;                 // not empty: there is no trace, and why
};

// Fills evidence.calls, evidence.usage and what the repetition of a pass says.
TracedTask trace_task(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds, TaskEvidence& evidence);

}  // namespace kernel_audit::filters
