// Freezing, thawing and killing a whole process tree: a cgroup v2 directory where one can be made
// (`cgroup.freeze`, `cgroup.kill`), else SIGSTOP/SIGCONT/SIGKILL over the descendants found in /proc
// until none is new. Zombies count as gone. The referee freezes a timed party with it between calls.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/process/fd.h"

namespace kernel_audit::process {

// Mount point of cgroup v2 as /proc/mounts tells, empty when there is none that we can write.
std::string cgroup2_root();

class ProcessTree {
 public:
  // `root` is a process id in our pid namespace; `cgroup_directory` may be empty (signals are used). The
  // tree may join its cgroup later: membership of the root is checked at the first freeze.
  ProcessTree(pid_t root, std::string cgroup_directory);

  Status freeze();  // returns when every process of the tree is frozen; kTimeout after 5 s
  Status thaw();
  void kill();                 // never fails; returns when the tree is gone or after 5 s
  const char* method() const;  // "cgroup.freeze" or "SIGSTOP"
  pid_t root() const { return root_; }

  // Processes of the tree right now: the cgroup's members, else root and its descendants.
  std::vector<pid_t> members() const;

 private:
  bool use_cgroup();
  Status freeze_cgroup();
  Status freeze_by_signals(std::chrono::steady_clock::time_point deadline);

  pid_t root_;
  std::uint64_t root_start_ticks_ = 0;  // a reused pid is not our root
  std::string cgroup_directory_;
  bool joined_ = false;           // root was seen in the cgroup
  Fd freeze_file_, events_file_;  // kept open: freezing is in the referee's hot path
};

// Makes a fresh leaf cgroup for one worker and returns its directory (empty string: none possible). The
// first call of a process also kills and removes what supervisors that are gone have left behind.
std::string make_cgroup(const std::string& name);
void remove_cgroup(const std::string& directory);

}  // namespace kernel_audit::process
