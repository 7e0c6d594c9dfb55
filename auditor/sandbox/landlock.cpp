// Landlock: reads and execution by allow-list, writes in private folders only. The numbers are spelt out
// here because the installed kernel headers may be older than the kernel that runs.
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "auditor/process/fd.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadDir = 1 << 3,
                        kMakeChar = 1 << 6, kMakeBlock = 1 << 11, kTruncate = 1 << 14, kIoctlDevice = 1 << 15;
constexpr std::uint64_t kRead = kExecute | kReadFile | kReadDir;
constexpr std::uint64_t kDeviceUse = kReadFile | kWriteFile | kIoctlDevice;
constexpr std::uint64_t kOnFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
#pragma pack(push, 1)
struct PathRule {
  std::uint64_t allowed;
  std::int32_t parent_fd;
};
#pragma pack(pop)

std::uint64_t handled_files(long abi) {
  std::uint64_t bits = (1 << 13) - 1;  // version 1
  if (abi >= 2) bits |= 1 << 13;       // linking and renaming between folders
  if (abi >= 3) bits |= kTruncate;
  if (abi >= 5) bits |= kIoctlDevice;
  return bits;
}

class Ruleset {
 public:
  explicit Ruleset(long abi) : handled_(handled_files(abi)) {
    RulesetAttributes attributes{handled_, 0, 0};
    if (abi >= 4) attributes.network = 3;  // bind and connect by TCP: none allowed
    if (abi >= 6) attributes.scoped = 3;   // abstract unix sockets and signals stay inside
    const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    fd_.reset(static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0)));
  }
  bool valid() const { return fd_.get() >= 0; }
  int fd() const { return fd_.get(); }

  // A path that does not exist is nothing to allow.
  void allow(const std::string& path, std::uint64_t access) {
    const process::Fd target(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status{};
    if (target.get() < 0 || ::fstat(target.get(), &status) != 0) return;
    access &= handled_;
    if (!S_ISDIR(status.st_mode)) access &= kOnFiles;
    const PathRule rule{access, target.get()};
    if (::syscall(kAddRule, fd_.get(), 1, &rule, 0) != 0) ++refused_;
  }
  int refused() const { return refused_; }

 private:
  std::uint64_t handled_;
  process::Fd fd_;
  int refused_ = 0;
};

void allow_gpu_devices(Ruleset& ruleset) {
  for (const char* pattern : {"/dev/nvidia*", "/dev/dri/renderD*"}) {
    glob_t found{};
    if (::glob(pattern, 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) ruleset.allow(found.gl_pathv[i], kDeviceUse | kReadDir);
    }
    ::globfree(&found);
  }
}

}  // namespace

LayerState restrict_files(const SandboxPolicy& policy) {
  const long abi = ::syscall(kCreateRuleset, nullptr, 0, 1);
  if (abi < 1) {
    return missing(Layer::kLandlock, errno_text("Landlock"),
                   "boot a kernel of 5.13 or later with landlock in its lsm= list");
  }
  Ruleset ruleset(abi);
  if (!ruleset.valid()) return missing(Layer::kLandlock, errno_text("Creating a Landlock ruleset"), "");
  for (const std::string& path : policy.readable) ruleset.allow(path, kRead);
  std::vector<std::string> writable = policy.writable;
  if (!policy.private_tmp.empty()) writable.push_back(policy.private_tmp);
  for (const std::string& path : writable) ruleset.allow(path, ~(kMakeChar | kMakeBlock | kIoctlDevice));
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    ruleset.allow(device, kDeviceUse);
  }
  if (policy.gpu) {
    allow_gpu_devices(ruleset);
    // CUDA names its threads in /proc/self/task (it opens with truncation) and fails with "OS call failed" when it may
    // not. An unprivileged user can write nothing there but entries of processes of its own pid namespace.
    ruleset.allow("/proc", kRead | kWriteFile | kTruncate);
  }
  if (::syscall(kRestrictSelf, ruleset.fd(), 0) != 0) {
    return missing(Layer::kLandlock, errno_text("Applying the Landlock ruleset"), "");
  }
  std::string detail = "Landlock ABI " + std::to_string(abi);
  if (ruleset.refused() > 0) detail += ", " + std::to_string(ruleset.refused()) + " paths could not be allowed";
  return active(Layer::kLandlock, detail);
}

}  // namespace kernel_audit::sandbox
