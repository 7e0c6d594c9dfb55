#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "auditor/process/procfs.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

bool enter_user_namespace(std::string& reason) {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) {
    reason = errno_text("unshare(CLONE_NEWUSER)");
    return false;
  }
  process::write_small_file("/proc/self/setgroups", "deny");
  if (!process::write_small_file("/proc/self/uid_map", std::to_string(uid) + " " + std::to_string(uid) + " 1") ||
      !process::write_small_file("/proc/self/gid_map", std::to_string(gid) + " " + std::to_string(gid) + " 1")) {
    reason = errno_text("Mapping the user into its namespace");
  }
  return true;
}

// Whether a new /proc can be mounted in a user namespace depends on what the container masks; a pid
// namespace without it would break CUDA, so it is tried first in a process that is thrown away.
bool proc_can_be_mounted() {
  const pid_t outer = ::fork();
  if (outer < 0) return false;
  if (outer == 0) {
    if (::unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) ::_exit(1);
    const pid_t inner = ::fork();
    if (inner == 0) {
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
      ::_exit(::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : 1);
    }
    int status = 1;
    ::waitpid(inner, &status, 0);
    ::_exit(status == 0 ? 0 : 1);
  }
  int status = 1;
  ::waitpid(outer, &status, 0);
  return status == 0;
}

}  // namespace

Namespaces unshare_namespaces() {
  Namespaces result;
  if (::geteuid() != 0) result.user = enter_user_namespace(result.reason);
  const auto leave = [&](int flag, const char* name) {
    if (::unshare(flag) == 0) return true;
    if (result.reason.empty()) result.reason = errno_text(name);
    return false;
  };
  const bool pid_wanted = !result.user || proc_can_be_mounted();
  if (!pid_wanted && result.reason.empty()) result.reason = "A new /proc cannot be mounted in this container.";
  result.mount = leave(CLONE_NEWNS, "unshare(CLONE_NEWNS)");
  // Without a mount namespace there is no own /proc, and CUDA fails with the outer one.
  result.pid = pid_wanted && result.mount && leave(CLONE_NEWPID, "unshare(CLONE_NEWPID)");
  result.ipc = leave(CLONE_NEWIPC, "unshare(CLONE_NEWIPC)");
  result.network = leave(CLONE_NEWNET, "unshare(CLONE_NEWNET)");
  return result;
}

}  // namespace kernel_audit::sandbox
