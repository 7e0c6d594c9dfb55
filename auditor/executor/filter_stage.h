// Stage 1: for each task a trusted worker runs the probes under limits and answers with TaskEvidence. A task too large
// or too slow for the machine ends as a typed fault with the number (`not-run`). Several workers at once share cores
// and memory out and take their times one after another (auditor/process/device_lock.h).
#pragma once

#include <vector>

#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

struct FilterWork {
  const tasks::Task* task = nullptr;
  Key key;
};

// `jobs` tasks at once. Records are written in the order in which they finish; what does not fit its share of the
// memory is measured again by itself with all of it, at the end, and only that is recorded.
Status filter_all(Session& session, const std::vector<FilterWork>& work, const MeasureOptions& options, int jobs);

}  // namespace kernel_audit::executor
