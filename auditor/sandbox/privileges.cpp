#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "auditor/process/orphan_keeper.h"
#include "auditor/process/procfs.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

constexpr uid_t kNobody = 65534;

// A file with several links may be somebody else's that was linked in; it is left alone.
void give_away(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0 || (!S_ISDIR(status.st_mode) && status.st_nlink > 1)) return;
  if (status.st_uid != kNobody) (void)!::lchown(path.c_str(), kNobody, kNobody);
}

void give_away_folder(const std::string& folder) {
  give_away(folder);
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    give_away(it->path());
  }
}

bool drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    ::prctl(PR_CAPBSET_DROP, capability);
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  return ::syscall(SYS_capset, &header, none) == 0;
}

}  // namespace

LayerState join_cgroup(const SandboxPolicy& policy) {
  if (policy.cgroup_directory.empty()) {
    return missing(Layer::kCgroup, "No cgroup was given; the tree is frozen and killed by signals.",
                   "run where a cgroup v2 hierarchy is writable");
  }
  if (!process::write_small_file(policy.cgroup_directory + "/cgroup.procs", "0")) {
    return missing(Layer::kCgroup, errno_text("Joining the cgroup"), "run where a cgroup v2 hierarchy is writable");
  }
  return active(Layer::kCgroup, policy.cgroup_directory);
}

LayerState drop_privileges(const SandboxPolicy& policy, bool user_namespace, bool reachable) {
  if (::geteuid() != 0) {
    // The capabilities of a user namespace are of no use to a candidate, but of use to an attack on the kernel.
    const bool dropped = drop_capabilities();
    return dropped ? active(Layer::kUnprivilegedUid,
                            "uid " + std::to_string(::geteuid()) + (user_namespace ? " in a user namespace" : ""))
                   : missing(Layer::kUnprivilegedUid, errno_text("Dropping capabilities"), "");
  }
  if (!reachable) {
    drop_capabilities();
    return missing(Layer::kUnprivilegedUid,
                   "A path that the worker needs lies below a folder that only root may enter.",
                   "install Python and torch where others may read them, or allow mount namespaces");
  }
  for (const std::string& folder : policy.writable) give_away_folder(folder);
  if (!policy.private_tmp.empty()) give_away_folder(policy.private_tmp);
  if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0) {
    return missing(Layer::kUnprivilegedUid, errno_text("Dropping groups"), "");
  }
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    ::prctl(PR_CAPBSET_DROP, capability);
  }
  if (::setresuid(kNobody, kNobody, kNobody) != 0 || !drop_capabilities()) {
    return missing(Layer::kUnprivilegedUid, errno_text("Dropping root"), "");
  }
  ::prctl(PR_SET_DUMPABLE, 1);  // a change of uid cleared it, and /proc/self would belong to root
  return active(Layer::kUnprivilegedUid, "uid " + std::to_string(kNobody));
}

LayerState set_rlimits(const SandboxPolicy& policy, bool count_processes) {
  std::string detail = "no core files";
  bool ok = true;
  const auto limit = [&](auto resource, std::uint64_t value, const char* name) {
    const rlimit both{value, value};
    ok = ::setrlimit(resource, &both) == 0 && ok;
    if (value > 0) detail += std::string(", ") + name + " " + std::to_string(value);
  };
  limit(RLIMIT_CORE, 0, "");
  if (policy.max_file_bytes > 0) limit(RLIMIT_FSIZE, policy.max_file_bytes, "file bytes");
  // The kernel counts per user: without a uid or namespace of its own, the user's other processes would count.
  if (policy.max_processes > 0 && count_processes) {
    limit(RLIMIT_NPROC, static_cast<std::uint64_t>(policy.max_processes), "processes");
  }
  return ok ? active(Layer::kRlimits, detail) : missing(Layer::kRlimits, errno_text("setrlimit"), "");
}

LayerState close_descriptors(const SandboxPolicy& policy, int also_kept) {
  std::vector<int> keep = policy.keep_descriptors;
  for (int standard = 0; standard <= 2; ++standard) {
    if (std::find(keep.begin(), keep.end(), standard) != keep.end()) continue;
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) ::dup2(null, standard);
    if (null > 2) ::close(null);
    keep.push_back(standard);
  }
  keep.push_back(also_kept);
  std::sort(keep.begin(), keep.end());
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  process::close_all_but(keep);
  return active(Layer::kDescriptors, std::to_string(policy.keep_descriptors.size()) + " kept");
}

}  // namespace kernel_audit::sandbox
