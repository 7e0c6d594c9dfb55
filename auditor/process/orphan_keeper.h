// The process between us and a program on machines without cgroup v2: the kernel hands it every orphan
// of the tree, however often it forked or changed its session. It makes only system calls, since it is
// forked from a process that may have threads.
#pragma once

#include <sys/types.h>

#include <vector>

namespace kernel_audit::process {

// Closes every descriptor but those in `keep` (sorted).
void close_all_but(const std::vector<int>& keep);

// Blocks signals, becomes the adopter; asks for SIGTERM when the supervisor dies. Before the program is forked.
void prepare_orphan_keeper(bool die_with_parent);

// Waits for `program`, then kills all else that descends from this process; returns the program's wait
// status. SIGTERM either kills all at once or is handed on to the program.
enum class OnTerminate { kKillAll, kForward };
int wait_and_clear(pid_t program, OnTerminate on_terminate);

// The same for the first process of a pid namespace, with whose end the kernel ends all others: they are left alone,
// and SIGTERM is handed on.
int wait_forwarding(pid_t program);

// Ends this process with the same exit code or signal as `wait_status` tells.
[[noreturn]] void mirror_exit(int wait_status);

}  // namespace kernel_audit::process
