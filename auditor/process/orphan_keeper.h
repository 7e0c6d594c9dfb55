// The process between us and a program on machines without cgroup v2: the kernel hands it every orphan
// of the tree, however often it forked or changed its session. It makes only system calls, since it is
// forked from a process that may have threads.
#pragma once

#include <sys/types.h>

namespace kernel_audit::process {

// Blocks signals, becomes the adopter; asks for SIGTERM when the supervisor dies. Before the program is forked.
void prepare_orphan_keeper(bool die_with_parent);

// Waits for `program`, then kills all that is left and ends the way the program did. On SIGTERM kills all.
[[noreturn]] void keep_orphans(pid_t program);

// Ends this process with the same exit code or signal as `wait_status` tells.
[[noreturn]] void mirror_exit(int wait_status);

}  // namespace kernel_audit::process
