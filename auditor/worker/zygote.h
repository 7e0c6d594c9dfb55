// The zygote loop of kernel-audit-worker (protocol: jobs.h): imports torch once, forks a worker per request, reaps
// them and tells their ends. A worker enters its sandbox or cgroup before it does anything else.
#pragma once

#include "auditor/process/channel.h"
#include "auditor/worker/job_registry.h"

namespace kernel_audit::worker {

// Serves until the channel closes; returns the exit code. Returns only in the zygote; workers leave from within.
int run_zygote(process::Channel channel, const JobTable& jobs);

}  // namespace kernel_audit::worker
