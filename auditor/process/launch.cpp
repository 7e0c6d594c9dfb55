#include "auditor/process/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "auditor/process/fd.h"
#include "auditor/process/orphan_keeper.h"

namespace kernel_audit::process {
namespace {

// What the child tells us before exec closes the pipe: its pid, or the step that failed.
enum class Step : int { kPid, kCgroup, kDescriptors, kDirectory, kExec, kFork };
struct Report {
  Step step;
  int value;
};

const char* text_of(Step step) {
  switch (step) {
    case Step::kCgroup:
      return "joining its cgroup";
    case Step::kDescriptors:
      return "passing its descriptors";
    case Step::kDirectory:
      return "entering its working directory";
    case Step::kFork:
      return "fork";
    default:
      return "exec";
  }
}

// All that the child needs, without further allocation.
struct Prepared {
  std::string program;
  std::string cgroup_procs;
  std::vector<char*> argv, environment;
  std::vector<std::pair<int, int>> moves;  // (source, target)
  std::vector<int> keep;                   // targets and the report pipe, sorted
  int report_fd = -1;                      // number in the child
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string find_program(const LaunchPlan& plan) {
  const std::string& name = plan.argv.front();
  if (name.find('/') != std::string::npos) return name;
  for (const std::string& entry : plan.environment) {
    if (entry.rfind("PATH=", 0) != 0) continue;
    std::istringstream folders(entry.substr(5));
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (::access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
    }
  }
  return name;
}

[[noreturn]] void fail(const Prepared& prepared, Step step) {
  const Report report{step, errno};
  (void)!::write(prepared.report_fd, &report, sizeof report);
  ::_exit(127);
}

void move_descriptors(Prepared& prepared) {
  // First out of the way of every target number, then to the targets.
  const int floor = prepared.keep.empty() ? 3 : prepared.keep.back() + 1;
  for (auto& move : prepared.moves) {
    move.first = ::fcntl(move.first, F_DUPFD_CLOEXEC, floor);
    if (move.first < 0) fail(prepared, Step::kDescriptors);
  }
  for (const auto& [source, target] : prepared.moves) {
    if (::dup2(source, target) < 0) fail(prepared, Step::kDescriptors);
  }
}

[[noreturn]] void run_program(const LaunchPlan& plan, Prepared& prepared, pid_t parent) {
  if (plan.die_with_parent || plan.adopt_orphans) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // it died before prctl
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int ignored : {SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGCHLD}) ::signal(ignored, SIG_DFL);
  ::setsid();
  move_descriptors(prepared);
  close_all_but(prepared.keep);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (plan.file_bytes > 0) {
    const rlimit file{plan.file_bytes, plan.file_bytes};
    ::setrlimit(RLIMIT_FSIZE, &file);
  }
  if (!plan.working_directory.empty() && ::chdir(plan.working_directory.c_str()) != 0) {
    fail(prepared, Step::kDirectory);
  }
  ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.environment.data());
  fail(prepared, Step::kExec);
}

[[noreturn]] void in_child(const LaunchPlan& plan, Prepared& prepared, pid_t parent) {
  if (!prepared.cgroup_procs.empty()) {
    const int procs = ::open(prepared.cgroup_procs.c_str(), O_WRONLY | O_CLOEXEC);
    if (procs < 0 || ::write(procs, "0", 1) != 1) fail(prepared, Step::kCgroup);
    ::close(procs);
  }
  if (!plan.adopt_orphans) run_program(plan, prepared, parent);
  ::setsid();
  const pid_t keeper = ::getpid();
  prepare_orphan_keeper(plan.die_with_parent);
  if (plan.die_with_parent && ::getppid() != parent) ::_exit(127);
  const pid_t program = ::fork();
  if (program < 0) fail(prepared, Step::kFork);
  if (program == 0) run_program(plan, prepared, keeper);
  const Report report{Step::kPid, program};
  (void)!::write(prepared.report_fd, &report, sizeof report);
  close_all_but({});
  mirror_exit(wait_and_clear(program, OnTerminate::kKillAll));
}

}  // namespace

Result<Launched> launch(const LaunchPlan& plan) {
  if (plan.argv.empty()) return Error{ErrorKind::kTool, "A program to start has no name.", "", "", ""};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kTool, std::string("pipe2 failed: ") + std::strerror(errno) + ".", "", "", ""};
  }
  Fd reader(ends[0]), writer(ends[1]);

  Prepared prepared;
  prepared.program = find_program(plan);
  if (!plan.cgroup_directory.empty()) prepared.cgroup_procs = plan.cgroup_directory + "/cgroup.procs";
  prepared.argv = pointers(plan.argv);
  prepared.environment = pointers(plan.environment);
  prepared.moves = plan.descriptors;
  int highest = 2;
  for (const auto& move : plan.descriptors) {
    prepared.keep.push_back(move.second);
    highest = std::max(highest, move.second);
  }
  // The report pipe gets a number above all targets, where nothing is moved over it.
  Fd report(::fcntl(writer.get(), F_DUPFD_CLOEXEC, highest + 1));
  writer.reset();
  prepared.report_fd = report.get();
  prepared.keep.push_back(report.get());
  std::sort(prepared.keep.begin(), prepared.keep.end());

  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    return Error{ErrorKind::kTool, std::string("fork failed: ") + std::strerror(errno) + ".", "", "", ""};
  }
  if (child == 0) in_child(plan, prepared, parent);
  report.reset();

  Launched launched{child, plan.adopt_orphans ? 0 : child};
  Report received{};
  ssize_t got = 0;
  while ((got = ::read(reader.get(), &received, sizeof received)) > 0 || (got < 0 && errno == EINTR)) {
    if (got != sizeof received) continue;
    if (received.step == Step::kPid) {
      launched.program = received.value;
      continue;
    }
    ::waitpid(child, nullptr, 0);
    return Error{ErrorKind::kTool,
                 "Starting " + plan.argv.front() + " failed at " + text_of(received.step) + ": " +
                     std::strerror(received.value) + ".",
                 "", "", ""};
  }
  return launched;
}

}  // namespace kernel_audit::process
