// kernel-audit-worker: the process that links torch, CPython and CUDA. Started by kernel-audit as a zygote; the other
// commands are for people.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "auditor/process/channel.h"
#include "auditor/worker/build_job.h"
#include "auditor/worker/interpreter.h"
#include "auditor/worker/job_registry.h"
#include "auditor/worker/jobs.h"
#include "auditor/worker/selftest.h"
#include "auditor/worker/zygote.h"
#ifdef KA_WITH_PARTY
#include "eval/candidate/party.h"
#endif
#ifdef KA_WITH_PROBES
#include "filters/probes/job.h"
#endif
#ifdef KA_WITH_REFEREE
#include "eval/referee/job.h"
#endif

namespace kernel_audit::worker {
namespace {

constexpr const char* kUsage =
    "Usage: kernel-audit-worker zygote trusted|candidate --channel FD   serve kernel-audit (auditor/worker/jobs.h)\n"
    "       kernel-audit-worker job FILE.json                           do one trusted job here, print its result\n"
    "       kernel-audit-worker describe                                versions of Python, torch and CUDA, as JSON\n";

std::optional<Json> last_message(Result<Json> result) {
  return result ? std::move(*result) : fault_message(result.error());
}

// What code that nobody trusts may be started for.
JobTable candidate_jobs() {
  JobTable jobs;
  jobs["build"] = [](const Json& job, process::Channel&) { return last_message(run_build_job(job)); };
#ifdef KA_WITH_PARTY
  jobs["party"] = [](const Json&, process::Channel& channel) -> std::optional<Json> {
    // The referee sees the channel close; there is nobody else to tell.
    static_cast<void>(eval::run_party(channel));
    return std::nullopt;
  };
#endif
  return jobs;
}

JobTable trusted_jobs() {
  JobTable jobs = candidate_jobs();
  jobs["selftest"] = [](const Json& job, process::Channel&) { return last_message(run_selftest_job(job)); };
#ifdef KA_WITH_PROBES
  jobs["probe"] = [](const Json& job, process::Channel& channel) -> std::optional<Json> {
    // A supervisor that is gone hears nothing, and ends this process.
    const auto tell = [&channel](const Json& message) { static_cast<void>(channel.send_json(message)); };
    Result<Json> evidence = filters::run_probe_job(job, tell);
    if (!evidence) return fault_message(evidence.error());
    return Json{{"kind", "result"}, {"evidence", std::move(*evidence)}};
  };
#endif
#ifdef KA_WITH_REFEREE
  jobs["referee"] = [](const Json& job, process::Channel& channel) -> std::optional<Json> {
    static_cast<void>(eval::run_referee_job(job, channel));
    return std::nullopt;
  };
  jobs["spin-table"] = [](const Json& job, process::Channel& channel) -> std::optional<Json> {
    static_cast<void>(eval::run_spin_table_job(job, channel));
    return std::nullopt;
  };
#endif
  return jobs;
}

int start_or_explain() {
  const Status started = start_interpreter();
  if (started) return 0;
  std::fprintf(stderr, "kernel-audit-worker: error: %s\n", started.error().describe().c_str());
  return 2;
}

int describe() {
  if (const int code = start_or_explain()) return code;
  std::printf("%s\n", dump_json(describe_interpreter(), 2).c_str());
  return 0;
}

// Messages on the way go to standard error, the last one to standard output.
int run_one_job(const char* file) {
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto job = parse_json(text, file);
  auto ends = process::Channel::make_pair();
  if (!stream || !job || !ends) {
    const std::string why = !stream ? "the file cannot be read"
                            : !job  ? job.error().describe()
                                    : ends.error().describe();
    std::fprintf(stderr, "kernel-audit-worker: error: %s: %s\n", file, why.c_str());
    return 2;
  }
  if (const int code = start_or_explain()) return code;
  if (job->is_object()) set_threads(job->value("threads", 0));
  std::thread reader([&channel = ends->first] {
    while (auto message = channel.receive_json(std::chrono::milliseconds(-1))) {
      std::fprintf(stderr, "%s\n", dump_json(message->first).c_str());
    }
  });
  const auto last = run_job(trusted_jobs(), *job, ends->second);
  ends->second.close();
  reader.join();
  if (last) std::printf("%s\n", dump_json(*last, 2).c_str());
  return last && last->value("kind", "") == "fault" ? 2 : 0;
}

int run_main(int argc, char** argv) {
  const auto is = [&](int i, const char* word) { return i < argc && std::string(argv[i]) == word; };
  if (argc == 5 && is(1, "zygote") && (is(2, "trusted") || is(2, "candidate")) && is(3, "--channel")) {
    const JobTable jobs = is(2, "trusted") ? trusted_jobs() : candidate_jobs();
    return run_zygote(process::Channel(process::Fd(std::atoi(argv[4]))), jobs);
  }
  if (argc == 3 && is(1, "job")) return run_one_job(argv[2]);
  if (argc == 2 && is(1, "describe")) return describe();
  std::fputs(kUsage, argc == 2 && (is(1, "--help") || is(1, "-h")) ? stdout : stderr);
  return argc == 2 && (is(1, "--help") || is(1, "-h")) ? 0 : 2;
}

}  // namespace
}  // namespace kernel_audit::worker

int main(int argc, char** argv) { kernel_audit::worker::leave_process(kernel_audit::worker::run_main(argc, argv)); }
