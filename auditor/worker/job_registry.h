// Jobs that a forked worker can do, by the "kind" of the job (jobs.h). main.cpp fills the table, so that the
// worker library knows neither probes nor referee. A job gets its description and its job channel. It runs in the
// thread that holds the GIL, with torch imported, and may throw: an exception becomes a fault message.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/process/channel.h"

namespace kernel_audit::worker {

// Returns the last message, {"kind":"result", …} or fault_message(), or nothing when the job has sent all of its
// messages itself.
using JobFunction = std::optional<Json> (*)(const Json& job, process::Channel& channel);
using JobTable = std::map<std::string, JobFunction>;

// {"kind":"fault","error":{"kind","message"}}
Json fault_message(const Error& error);

// Finds the job's function by job["kind"], else job["job"], and runs it; an unknown kind and exceptions are faults.
std::optional<Json> run_job(const JobTable& jobs, const Json& job, process::Channel& channel);

}  // namespace kernel_audit::worker
