#include "auditor/worker/forked_worker.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "auditor/sandbox/sandbox.h"
#include "auditor/worker/interpreter.h"

namespace kernel_audit::worker {
namespace {

[[noreturn]] void leave_with_fault(process::Channel& channel, const Error& error) {
  // When nobody listens any more there is nothing left to do about it.
  static_cast<void>(channel.send_json(fault_message(error)));
  leave_process(1);
}

Status join_cgroup(const std::string& directory) {
  if (directory.empty()) return Ok{};
  std::ofstream file(directory + "/cgroup.procs");
  file << ::getpid() << std::flush;
  if (!file) return Error{ErrorKind::kTool, "The cgroup could not be joined.", directory, "", ""};
  return Ok{};
}

// What the supervisor does not watch from outside.
void apply_rlimits(const Json& limits) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto field = limits.is_object() ? limits.find("file_bytes") : limits.end();
  if (limits.is_object() && field != limits.end() && field->is_number_unsigned() && field->get<rlim_t>() > 0) {
    const rlimit file{field->get<rlim_t>(), field->get<rlim_t>()};
    ::setrlimit(RLIMIT_FSIZE, &file);
  }
}

Status enter(ForkedWorker& worker) {
  const Json wanted = worker.request.value("sandbox", Json());
  if (!wanted.is_object()) return join_cgroup(worker.request.value("cgroup", std::string()));
#ifdef KA_WITH_SANDBOX
  Result<sandbox::SandboxPolicy> policy = read_json<sandbox::SandboxPolicy>(wanted, "fork request: sandbox");
  if (!policy) return policy.error();
  policy->keep_descriptors.push_back(worker.channel.fd());
  policy->keep_descriptors.push_back(worker.report.get());
  // Standard input, output and error: the sandbox would replace them.
  for (const int standard : {0, 1, 2}) policy->keep_descriptors.push_back(standard);
  Result<sandbox::SandboxReport> report = sandbox::enter_sandbox(*policy);
  if (!report) return report.error();
  const std::string text = dump_json(Json(*report));
  if (::write(worker.report.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return Error{ErrorKind::kTool, "The sandbox's report could not be sent.", "", "", ""};
  }
  return Ok{};
#else
  return Error{ErrorKind::kTool, "This worker was built without a sandbox.", "", "", ""};
#endif
}

// A share of the machine; empty: all of it. One that the machine does not have is no reason to give up.
void keep_to_processors(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) {
    if (processor >= 0 && processor < CPU_SETSIZE) CPU_SET(processor, &set);
  }
  if (CPU_COUNT(&set) > 0) static_cast<void>(::sched_setaffinity(0, sizeof set, &set));
}

void redirect_output(int descriptor) {
  ::dup2(descriptor, STDOUT_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) {
    ::dup2(null, STDIN_FILENO);
    ::close(null);
  }
}

}  // namespace

void run_forked_worker(ForkedWorker worker, const JobTable& jobs) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_IGN);
  redirect_output(worker.standard_error.get());
  worker.standard_error.reset();
  apply_rlimits(worker.request.value("limits", Json()));
  const Status entered = enter(worker);
  worker.report.reset();
  if (!entered) leave_with_fault(worker.channel, entered.error());
  const Json job = worker.request.value("job", Json::object());
  if (job.is_object()) {
    const char* sandbox_tmp = worker.request.value("sandbox", Json()).is_object() ? std::getenv("TMPDIR") : nullptr;
    const std::string folder = sandbox_tmp != nullptr ? sandbox_tmp : job.value("private_tmp", std::string());
    if (!folder.empty()) {
      if (const Status set = use_private_folder(folder); !set) leave_with_fault(worker.channel, set.error());
    }
    keep_to_processors(job.value("processors", std::vector<int>()));
    set_threads(job.value("threads", 0));
  }
  if (const auto last = run_job(jobs, job, worker.channel)) {
    static_cast<void>(worker.channel.send_json(*last));
  }
  leave_process(0);
}

}  // namespace kernel_audit::worker
