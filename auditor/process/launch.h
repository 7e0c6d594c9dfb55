// fork and exec of one program with a fixed set of descriptors, in its own session and, if given, its own
// cgroup. Everything that allocates is prepared before the fork; the child only makes system calls. With
// `adopt_orphans` a process of ours stays between: it adopts whatever the tree leaves behind, so that all
// of the tree stays below it, kills the rest when the program ends, and mirrors the program's exit.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/result.h"

namespace kernel_audit::process {

struct LaunchPlan {
  std::vector<std::string> argv;         // argv[0] is searched in PATH of `environment` when it has no slash
  std::vector<std::string> environment;  // "NAME=value"
  std::string working_directory;         // empty: ours
  std::string cgroup_directory;          // empty: none
  std::uint64_t file_bytes = 0;          // 0: no limit
  bool die_with_parent = true;
  bool adopt_orphans = false;
  std::vector<std::pair<int, int>> descriptors;  // (ours, number in the child), 0 to 2 included
};

struct Launched {
  pid_t direct = 0;   // our child: what to wait for
  pid_t program = 0;  // the program itself; equal to `direct` without `adopt_orphans`
};

Result<Launched> launch(const LaunchPlan& plan);

}  // namespace kernel_audit::process
