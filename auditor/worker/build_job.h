// The job "build" (jobs.h): imports a candidate's module where no input exists, so that its extensions get built.
#pragma once

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::worker {

Result<Json> run_build_job(const Json& job);

}  // namespace kernel_audit::worker
