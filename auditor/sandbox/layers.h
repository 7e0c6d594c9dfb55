// The single layers of the sandbox, in the order in which enter_sandbox applies them. Each returns its
// state; none gives up the process. Internal to auditor/sandbox.
#pragma once

#include <string>
#include <vector>

#include "auditor/sandbox/sandbox.h"

namespace kernel_audit::sandbox {

LayerState active(Layer layer, std::string detail);
LayerState missing(Layer layer, std::string detail, std::string remedy);
std::string errno_text(const char* what);

struct Namespaces {
  bool user = false, pid = false, mount = false, ipc = false, network = false;
  std::string reason;  // why one that is false is missing
};
// Leaves for new namespaces; without root through a user namespace. The pid namespace holds children only.
Namespaces unshare_namespaces();

// In the new mount namespace: own /proc, private /tmp, and a view in which every path of the policy can be
// reached by an unprivileged uid although a folder above it is closed. Empty string or what failed.
std::string arrange_mounts(const SandboxPolicy& policy, bool new_proc, std::string& detail);
// Paths of the policy below a folder that others may not enter.
std::vector<std::string> unreachable_paths(const SandboxPolicy& policy);

LayerState drop_privileges(const SandboxPolicy& policy, bool user_namespace, bool reachable);
LayerState set_rlimits(const SandboxPolicy& policy, bool count_processes);
LayerState join_cgroup(const SandboxPolicy& policy);
LayerState close_descriptors(const SandboxPolicy& policy, int also_kept);
LayerState restrict_files(const SandboxPolicy& policy);  // Landlock
LayerState filter_system_calls();                        // seccomp

}  // namespace kernel_audit::sandbox
