#include "auditor/process/orphan_keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace kernel_audit::process {
namespace {

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  return set;
}

// Sends SIGKILL to every direct child. The list may be cut by a small buffer; the caller repeats.
void kill_children() {
  const int fd = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char buffer[4096];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  ::close(fd);
  pid_t pid = 0;
  for (ssize_t i = 0; i < got; ++i) {
    if (buffer[i] >= '0' && buffer[i] <= '9') {
      pid = pid * 10 + (buffer[i] - '0');
    } else if (pid > 0) {
      ::kill(pid, SIGKILL);
      pid = 0;
    }
  }
}

// A killed child hands its own children to us, so this is repeated until we have none.
void kill_all() {
  for (;;) {
    kill_children();
    const pid_t reaped = ::waitpid(-1, nullptr, WNOHANG);
    if (reaped < 0 && errno == ECHILD) return;
    if (reaped == 0) {
      const timespec pause{0, 200'000};
      ::nanosleep(&pause, nullptr);
    }
  }
}

int wait_for(pid_t program, OnTerminate on_terminate) {
  const sigset_t set = awaited_signals();
  int program_status = 0;
  for (bool ended = false; !ended;) {
    const int received = ::sigwaitinfo(&set, nullptr);
    if (received == SIGTERM && on_terminate == OnTerminate::kForward) {
      ::kill(program, SIGTERM);
    } else if (received == SIGTERM) {
      kill_all();
      return SIGKILL;
    }
    int status = 0;
    for (pid_t reaped; (reaped = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (reaped == program) {
        program_status = status;
        ended = true;
      }
    }
  }
  return program_status;
}

}  // namespace

void close_all_but(const std::vector<int>& keep) {
  unsigned first = 0;
  for (const int fd : keep) {
    if (static_cast<unsigned>(fd) > first) ::syscall(SYS_close_range, first, static_cast<unsigned>(fd) - 1, 0U);
    first = static_cast<unsigned>(fd) + 1;
  }
  ::syscall(SYS_close_range, first, ~0U, 0U);
}

void prepare_orphan_keeper(bool die_with_parent) {
  const sigset_t set = awaited_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGCHLD, SIG_DFL);  // an ignored SIGCHLD would reap children behind our back
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (die_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

int wait_forwarding(pid_t program) { return wait_for(program, OnTerminate::kForward); }

int wait_and_clear(pid_t program, OnTerminate on_terminate) {
  const int status = wait_for(program, on_terminate);
  kill_all();
  return status;
}

void mirror_exit(int wait_status) {
  if (WIFEXITED(wait_status)) ::_exit(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::kill(::getpid(), number);
  ::_exit(128 + number);
}

}  // namespace kernel_audit::process
