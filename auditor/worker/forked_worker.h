// The forked worker from its first instruction to its last: standard error, limits, sandbox, job.
#pragma once

#include "auditor/core/json.h"
#include "auditor/process/channel.h"
#include "auditor/process/fd.h"
#include "auditor/worker/job_registry.h"

namespace kernel_audit::worker {

struct ForkedWorker {
  Json request;                // the fork request
  process::Channel channel;    // job channel
  process::Fd standard_error;  // becomes standard output too: nothing of ours is printed there
  process::Fd report;          // write end of a pipe: the sandbox's report as JSON, then closed
};

[[noreturn]] void run_forked_worker(ForkedWorker worker, const JobTable& jobs);

}  // namespace kernel_audit::worker
