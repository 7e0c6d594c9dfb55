#include "auditor/process/tree.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "auditor/process/procfs.h"

namespace kernel_audit::process {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kDeadline = 5s;

Error still_running(const char* how) {
  return Error{ErrorKind::kTimeout, std::string("The process tree could not be frozen by ") + how + " within 5 s.", "",
               "", ""};
}

// The value of `key` in cgroup.events, read from the start again. Reading also re-arms POLLPRI.
bool event_is(int fd, std::string_view key, char value) {
  char buffer[256];
  const ssize_t got = ::pread(fd, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  const std::string_view text(buffer, static_cast<std::size_t>(got));
  const std::size_t at = text.find(key);
  return at != std::string_view::npos && at + key.size() + 1 < text.size() && text[at + key.size() + 1] == value;
}

// Spins first (freezing takes some 40 µs), then sleeps until the kernel signals a change.
bool wait_for_event(int fd, std::string_view key, char value) {
  const auto start = Clock::now();
  while (!event_is(fd, key, value)) {
    const auto waited = Clock::now() - start;
    if (waited > kDeadline) return false;
    if (waited > 500us) {
      pollfd entry{fd, POLLPRI, 0};
      ::poll(&entry, 1, 5);
    }
  }
  return true;
}

}  // namespace

ProcessTree::ProcessTree(pid_t root, std::string cgroup_directory)
    : root_(root), cgroup_directory_(std::move(cgroup_directory)) {
  if (const auto info = process_info(root)) root_start_ticks_ = info->start_ticks;
}

const char* ProcessTree::method() const { return joined_ ? "cgroup.freeze" : "SIGSTOP"; }

bool ProcessTree::use_cgroup() {
  if (joined_ || cgroup_directory_.empty()) return joined_;
  std::istringstream procs(read_small_file(cgroup_directory_ + "/cgroup.procs"));
  for (pid_t pid = 0; procs >> pid;) joined_ = joined_ || pid == root_;
  if (joined_ && freeze_file_.get() < 0) {
    freeze_file_.reset(::open((cgroup_directory_ + "/cgroup.freeze").c_str(), O_WRONLY | O_CLOEXEC));
    events_file_.reset(::open((cgroup_directory_ + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
    joined_ = freeze_file_.get() >= 0 && events_file_.get() >= 0;
  }
  return joined_;
}

std::vector<pid_t> ProcessTree::members() const {
  std::set<pid_t> pids;
  if (!cgroup_directory_.empty()) {
    std::istringstream procs(read_small_file(cgroup_directory_ + "/cgroup.procs"));
    for (pid_t pid = 0; procs >> pid;) {
      if (pid > 0) pids.insert(pid);  // 0: a process outside our pid namespace
    }
  }
  // The cgroup alone is enough once the root is in it; before that, and without one, /proc tells.
  if (pids.count(root_) == 0 && root_start_ticks_ != 0) {
    for (const ProcessInfo& info : tree_of(root_, root_start_ticks_)) {
      if (!is_gone(info)) pids.insert(info.pid);
    }
  }
  return {pids.begin(), pids.end()};
}

Status ProcessTree::freeze() { return use_cgroup() ? freeze_cgroup() : freeze_by_signals(Clock::now() + kDeadline); }

Status ProcessTree::freeze_cgroup() {
  if (::pwrite(freeze_file_.get(), "1", 1, 0) != 1) {
    return Error{ErrorKind::kTool, std::string("Writing cgroup.freeze failed: ") + std::strerror(errno) + ".", "", "",
                 ""};
  }
  if (!wait_for_event(events_file_.get(), "frozen", '1')) return still_running("cgroup.freeze");
  return Ok{};
}

Status ProcessTree::freeze_by_signals(Clock::time_point deadline) {
  // A process that forks between two listings adds a child that the next one finds; once all are seen
  // stopped and a last listing shows none new, nothing in the tree can fork any more.
  std::set<pid_t> signalled;
  for (;;) {
    bool settled = true;
    for (const ProcessInfo& info : tree_of(root_, root_start_ticks_)) {
      if (is_gone(info)) continue;
      if (signalled.insert(info.pid).second) {
        ::kill(info.pid, SIGSTOP);
        settled = false;
      } else if (!is_stopped(info.pid)) {
        settled = false;
      }
    }
    if (settled) return Ok{};
    if (Clock::now() > deadline) return still_running("SIGSTOP");
    std::this_thread::sleep_for(20us);
  }
}

Status ProcessTree::thaw() {
  if (joined_) {
    if (::pwrite(freeze_file_.get(), "0", 1, 0) == 1) return Ok{};
    return Error{ErrorKind::kTool, std::string("Writing cgroup.freeze failed: ") + std::strerror(errno) + ".", "", "",
                 ""};
  }
  for (const ProcessInfo& info : tree_of(root_, root_start_ticks_)) ::kill(info.pid, SIGCONT);
  return Ok{};
}

void ProcessTree::kill() {
  const auto deadline = Clock::now() + kDeadline;
  if (!cgroup_directory_.empty()) {
    write_small_file(cgroup_directory_ + "/cgroup.kill", "1");
    const Fd events(::open((cgroup_directory_ + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
    if (events.get() >= 0) wait_for_event(events.get(), "populated", '0');
  }
  if (root_start_ticks_ == 0) return;
  // Stopped first: killing a parent of a running tree would hide its children from us. Whatever was once
  // seen stays on the list, since it is re-parented away when its parent dies.
  // One that is stuck in the kernel does not hold up the others for long.
  (void)freeze_by_signals(std::min(deadline, Clock::now() + 1s));
  std::vector<ProcessInfo> victims = tree_of(root_, root_start_ticks_);
  for (const ProcessInfo& victim : victims) ::kill(victim.pid, SIGKILL);
  while (Clock::now() < deadline) {
    std::erase_if(victims, [](const ProcessInfo& victim) {
      const auto now = process_info(victim.pid);
      return !now || now->start_ticks != victim.start_ticks || is_gone(*now);
    });
    if (victims.empty()) return;
    std::this_thread::sleep_for(200us);
  }
}

}  // namespace kernel_audit::process
