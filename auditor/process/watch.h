// Watches one process tree against its Limits (wall clock, resident size, number of processes) and kills
// it when one is passed. For a Child that is done inside `wait`; for a worker that a zygote forked, and
// whose exit status we cannot collect, the owner calls `check` often enough (every 50 ms).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "auditor/process/child.h"
#include "auditor/process/fd.h"
#include "auditor/process/tree.h"

namespace kernel_audit::process {

class WatchedTree {
 public:
  // The clock starts now. `root` is a pid in our pid namespace; the directory may be empty.
  WatchedTree(pid_t root, std::string cgroup_directory, const Limits& limits);

  // The limit that was passed, as an Exit of kTimeout, kMemory or kKilled; the tree is dead then. Empty
  // while all is within limits, also when the tree ended by itself.
  std::optional<Exit> check();
  bool alive() const;  // of the root; a zombie is not alive
  void kill() { tree_.kill(); }
  // Begins a new phase: `wall` counts from now on (0: none).
  void restart_clock(std::chrono::milliseconds wall);
  // Stops the clock, or lets it go on: what lies between counts against no limit.
  void hold_clock(bool held);

  ProcessTree& tree() { return tree_; }
  std::uint64_t peak_resident_bytes() const { return peak_resident_bytes_; }
  std::chrono::milliseconds elapsed() const;

 private:
  Exit passed(ExitReason reason, std::string detail);

  ProcessTree tree_;
  Fd pidfd_;
  Limits limits_;
  std::chrono::steady_clock::time_point start_;
  std::optional<std::chrono::steady_clock::time_point> held_since_;
  std::uint64_t peak_resident_bytes_ = 0;
};

}  // namespace kernel_audit::process
