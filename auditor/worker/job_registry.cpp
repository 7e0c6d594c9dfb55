#include "auditor/worker/job_registry.h"

#include <exception>
#include <new>

namespace kernel_audit::worker {
namespace {

std::string name_of(const Json& job) {
  if (!job.is_object()) return "";
  for (const char* field : {"kind", "job"}) {
    const auto found = job.find(field);
    if (found != job.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

}  // namespace

Json fault_message(const Error& error) {
  return {{"kind", "fault"}, {"error", {{"kind", to_string(error.kind)}, {"message", error.describe()}}}};
}

std::optional<Json> run_job(const JobTable& jobs, const Json& job, process::Channel& channel) {
  const std::string kind = name_of(job);
  const auto found = jobs.find(kind);
  if (found == jobs.end()) {
    return fault_message(Error{ErrorKind::kUsage, "This worker does not know the job '" + kind + "'.", "", "kind", ""});
  }
  try {
    return found->second(job, channel);
  } catch (const std::bad_alloc&) {
    return fault_message(Error{ErrorKind::kMemory, "The job '" + kind + "' ran out of memory.", "", "", ""});
  } catch (const std::exception& e) {
    return fault_message(Error{ErrorKind::kTool, "The job '" + kind + "' failed: " + e.what(), "", "", ""});
  }
}

}  // namespace kernel_audit::worker
