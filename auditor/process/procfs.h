// What /proc says about processes: parents, states, resident sizes. A listing is a snapshot that is
// stale when it returns; callers that need a stable set stop the processes first (tree.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernel_audit::process {

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';               // 'R', 'S', 'D', 'T' stopped, 'Z' zombie, 'X' dead
  std::uint64_t start_ticks = 0;  // since boot: tells a reused pid from the old one
};

std::optional<ProcessInfo> process_info(pid_t pid);
std::vector<ProcessInfo> list_processes();

// `root` (when it still is the process that started at `start_ticks`; 0: any) and all that descend from it.
std::vector<ProcessInfo> tree_of(pid_t root, std::uint64_t start_ticks);

// Every thread is stopped, a zombie or gone.
bool is_stopped(pid_t pid);
// Nothing of it can run any more. A process whose main thread has left reads as a zombie while its other
// threads run on, so the state alone does not tell.
bool is_gone(const ProcessInfo& info);

std::uint64_t resident_bytes(pid_t pid);  // 0 when it is gone
// Resident size with each shared page divided by the number of its users; slower. Absent when not readable.
std::optional<std::uint64_t> proportional_bytes(pid_t pid);

// Whole content of a small file of /proc or of a cgroup, empty when unreadable.
std::string read_small_file(const std::string& path);
bool write_small_file(const std::string& path, const std::string& text);

}  // namespace kernel_audit::process
