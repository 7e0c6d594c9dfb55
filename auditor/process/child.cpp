#include "auditor/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "auditor/process/capped_output.h"
#include "auditor/process/launch.h"
#include "auditor/process/watch.h"

namespace kernel_audit::process {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kWatchInterval{50};

std::vector<std::string> default_environment() {
  return {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
          "HOME=/nonexistent", "TMPDIR=/tmp"};
}

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kTool, std::string("pipe2 failed: ") + std::strerror(errno) + ".", "", "", ""};
  }
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// Standard input as a file: nothing to pump, and a child that does not read it cannot hurt us.
Result<Fd> make_input(const std::string& text) {
  Fd fd(text.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : ::memfd_create("standard-input", MFD_CLOEXEC));
  std::size_t written = 0;
  while (fd.get() >= 0 && written < text.size()) {
    const ssize_t got = ::write(fd.get(), text.data() + written, text.size() - written);
    if (got <= 0) break;
    written += static_cast<std::size_t>(got);
  }
  if (fd.get() < 0 || written < text.size() || (!text.empty() && ::lseek(fd.get(), 0, SEEK_SET) != 0)) {
    return Error{ErrorKind::kTool, std::string("Preparing standard input failed: ") + std::strerror(errno) + ".", "",
                 "", ""};
  }
  return fd;
}

void set_nonblocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

// One captured stream. Closes at the end of the file.
struct Capture {
  Fd fd;
  CappedOutput output;
  std::string text;

  void pump() {
    char buffer[65536];
    while (fd.get() >= 0) {
      const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
      if (got > 0) {
        output.append({buffer, static_cast<std::size_t>(got)});
      } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        fd.reset();
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }
};

}  // namespace

const char* to_string(ExitReason reason) {
  switch (reason) {
    case ExitReason::kExited:
      return "exit";
    case ExitReason::kSignalled:
      return "signal";
    case ExitReason::kTimeout:
      return "timeout";
    case ExitReason::kMemory:
      return "memory";
    case ExitReason::kKilled:
      break;
  }
  return "killed";
}

std::string Exit::describe() const {
  switch (reason) {
    case ExitReason::kExited:
      return "exit code " + std::to_string(code);
    case ExitReason::kSignalled: {
      const char* name = ::sigabbrev_np(signal);
      return "died by signal " + std::to_string(signal) + (name ? std::string(" (SIG") + name + ")" : "");
    }
    case ExitReason::kTimeout:
    case ExitReason::kMemory:
    case ExitReason::kKilled:
      break;
  }
  return detail.empty() ? "was killed" : detail;
}

struct Child::State {
  State(const Launched& launched_pids, std::string cgroup, const Limits& limits)
      : launched(launched_pids),
        cgroup_directory(cgroup),
        pidfd(static_cast<int>(::syscall(SYS_pidfd_open, launched_pids.direct, 0))),
        watch(launched_pids.direct, std::move(cgroup), limits),
        out{Fd(), CappedOutput(limits.output_cap_bytes), ""},
        error{Fd(), CappedOutput(limits.output_cap_bytes), ""} {}

  Launched launched;
  std::string cgroup_directory;
  Fd pidfd;
  WatchedTree watch;
  Capture out, error;
  Clock::time_point next_check{};
  std::optional<Exit> forced;  // why we killed it
  std::optional<Exit> exit;

  void wait_for_something(milliseconds timeout);
  bool reap();
  void finish(int status, std::uint64_t peak_bytes);
};

void Child::State::wait_for_something(milliseconds timeout) {
  pollfd entries[3];
  nfds_t count = 0;
  for (const Fd* fd : {&out.fd, &error.fd, &pidfd}) {
    if (fd->get() >= 0) entries[count++] = {fd->get(), POLLIN, 0};
  }
  ::poll(entries, count, static_cast<int>(timeout.count()));
}

bool Child::State::reap() {
  int status = 0;
  rusage usage{};
  const pid_t got = ::wait4(launched.direct, &status, WNOHANG, &usage);
  if (got != launched.direct) return false;
  finish(status, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
  return true;
}

void Child::State::finish(int status, std::uint64_t peak_bytes) {
  Exit result = forced.value_or(Exit{});
  result.wall = watch.elapsed();
  result.peak_resident_bytes = std::max(watch.peak_resident_bytes(), peak_bytes);
  if (!forced) {
    result.reason = WIFEXITED(status) ? ExitReason::kExited : ExitReason::kSignalled;
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  }
  // Whatever it left behind dies with it. It may hold the pipes open, so they are read empty, not to the end.
  watch.kill();
  for (Capture* capture : {&out, &error}) {
    capture->pump();
    capture->fd.reset();
  }
  remove_cgroup(cgroup_directory);
  exit = result;
}

Result<Child> Child::spawn(const SpawnOptions& options) {
  const Result<Fd> in = make_input(options.standard_input);
  Result<Pipe> out = make_pipe(), error = make_pipe();
  if (!in || !out || !error) return !in ? in.error() : !out ? out.error() : error.error();

  LaunchPlan plan;
  plan.argv = options.argv;
  plan.environment = options.environment.value_or(default_environment());
  plan.working_directory = options.working_directory;
  plan.file_bytes = options.limits.file_bytes;
  plan.die_with_parent = options.die_with_parent;
  if (options.use_cgroup) plan.cgroup_directory = make_cgroup("child");
  // With a cgroup the keeper is still worth its process: it takes the tree down when we are killed.
  plan.adopt_orphans = plan.cgroup_directory.empty() || options.die_with_parent;
  plan.descriptors = options.descriptors;
  plan.descriptors.emplace_back(in->get(), 0);
  plan.descriptors.emplace_back(out->write.get(), 1);
  plan.descriptors.emplace_back(error->write.get(), 2);
  const Result<Launched> launched = launch(plan);
  if (!launched) {
    remove_cgroup(plan.cgroup_directory);
    return launched.error();
  }
  Limits limits = options.limits;
  if (plan.adopt_orphans && limits.processes > 0) ++limits.processes;  // the keeper is not the program's
  auto state = std::make_unique<State>(*launched, plan.cgroup_directory, limits);
  state->out.fd = std::move(out->read);
  state->error.fd = std::move(error->read);
  for (const Fd* fd : {&state->out.fd, &state->error.fd}) set_nonblocking(*fd);
  return Child(std::move(state));
}

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    kill_tree();
    state_ = std::move(other.state_);
  }
  return *this;
}
Child::~Child() { kill_tree(); }

pid_t Child::pid() const { return state_->launched.program; }
const std::string& Child::cgroup_directory() const { return state_->cgroup_directory; }

std::optional<Exit> Child::wait(milliseconds timeout) {
  State& state = *state_;
  const auto deadline = Clock::now() + timeout;
  while (!state.exit) {
    state.out.pump();
    state.error.pump();
    if (state.reap()) break;
    const auto now = Clock::now();
    if (!state.forced && now >= state.next_check) {  // a flood of output must not make us scan /proc all the time
      state.forced = state.watch.check();
      state.next_check = Clock::now() + kWatchInterval;
    }
    if (now >= deadline) return std::nullopt;
    const auto left = std::chrono::ceil<milliseconds>(deadline - now);
    state.wait_for_something(std::min(left, kWatchInterval));
  }
  return state.exit;
}

void Child::kill_tree() {
  if (!state_ || state_->exit) return;
  if (!state_->forced) {
    state_->forced = Exit{};
    state_->forced->reason = ExitReason::kKilled;
  }
  state_->watch.kill();
  // A process that is stuck in the kernel cannot be waited for; it is reaped by whoever inherits it.
  (void)wait(std::chrono::seconds(5));
}

const std::string& Child::standard_output() const { return state_->out.text = state_->out.output.text(); }
const std::string& Child::standard_error() const { return state_->error.text = state_->error.output.text(); }

Result<Completed> run(const SpawnOptions& options) {
  Result<Child> child = Child::spawn(options);
  if (!child) return child.error();
  std::optional<Exit> exit;
  while (!exit) exit = child->wait(std::chrono::hours(1));
  return Completed{*exit, child->standard_output(), child->standard_error()};
}

}  // namespace kernel_audit::process
