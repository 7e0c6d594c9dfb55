// Freezing, thawing and killing a whole process tree: a cgroup v2 directory where one can be made
// (`cgroup.freeze`, `cgroup.kill`), else SIGSTOP/SIGCONT/SIGKILL over the descendants found in /proc
// until none is new. The referee freezes a timed party with it between calls.
#pragma once

#include <sys/types.h>

#include <string>

#include "auditor/core/result.h"

namespace kernel_audit::process {

// Mount point of cgroup v2 as /proc/mounts tells, empty when there is none that we can write.
std::string cgroup2_root();

class ProcessTree {
 public:
  // `root` is a process id in our pid namespace; `cgroup_directory` may be empty (signals are used).
  ProcessTree(pid_t root, std::string cgroup_directory);

  Status freeze();  // returns when every process of the tree is frozen
  Status thaw();
  void kill();      // never fails; returns when the tree is gone or after 5 s
  const char* method() const;  // "cgroup.freeze" or "SIGSTOP"
  pid_t root() const { return root_; }

 private:
  pid_t root_;
  std::string cgroup_directory_;
};

// Makes a fresh leaf cgroup for one worker and returns its directory (empty string: none possible).
std::string make_cgroup(const std::string& name);
void remove_cgroup(const std::string& directory);

}  // namespace kernel_audit::process
