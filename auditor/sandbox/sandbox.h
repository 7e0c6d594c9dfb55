// The sandbox of untrusted workers, in layers. `enter_sandbox` runs in the forked child, before any
// candidate code is loaded and while it is single-threaded; it forks once more (a new pid namespace
// holds children only), so it returns in the process that goes on and never returns in the monitor
// process, which mirrors the exit status. Each layer that the machine lacks is reported, not fatal,
// unless `require` names it. `probe_sandbox` tells the same without entering (for `doctor`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::sandbox {

enum class Layer {
  kPidNamespace,
  kMountNamespace,
  kIpcNamespace,
  kNetworkNamespace,
  kUnprivilegedUid,
  kNoNewPrivileges,
  kLandlock,
  kSeccomp,
  kDescriptors,
  kCgroup,
  kRlimits
};
const char* to_string(Layer layer);
std::optional<Layer> layer_from_string(const std::string& text);

struct SandboxPolicy {
  // Files or folders, recursively (reads and execution). When started as root they must be readable by
  // others; folders above them need not be (the sandbox binds the named paths into a view of its own).
  std::vector<std::string> readable;
  std::vector<std::string> writable;  // private folders only
  std::vector<int> keep_descriptors;  // all others are closed; 0 to 2 become /dev/null unless named
  std::string cgroup_directory;       // joined when not empty
  std::string private_tmp;  // becomes TMPDIR, HOME and the caches' place, and /tmp unless a named path is there
  std::uint64_t max_resident_bytes = 0;  // for the watchdog outside (process::WatchedTree); not set here: an
                                         // address-space limit breaks CUDA
  std::uint64_t max_file_bytes = 0;
  int max_processes = 512;
  bool gpu = false;  // keeps the device nodes and driver libraries readable
  std::vector<Layer> require;
};

struct LayerState {
  Layer layer;
  bool active = false;
  std::string detail;  // why not, or what exactly ("Landlock ABI 7", "uid 65534")
  std::string remedy;
};

struct SandboxReport {
  std::vector<LayerState> layers;
};

void to_json(Json& json, const SandboxPolicy& policy);
void from_json(const Json& json, SandboxPolicy& policy);
void to_json(Json& json, const SandboxReport& report);
void from_json(const Json& json, SandboxReport& report);

// Afterwards the process is the second of a new pid namespace, below an init of ours that reaps and a
// monitor whose pid the caller of fork knows. SIGTERM to the monitor reaches the worker; SIGKILL ends all.
Result<SandboxReport> enter_sandbox(const SandboxPolicy& policy);
SandboxReport probe_sandbox();

// What enter_sandbox puts into the C environment (TMPDIR, HOME, caches); an interpreter that has already
// read its environment must be told again.
std::vector<std::pair<std::string, std::string>> private_environment(const SandboxPolicy& policy);

// System libraries, Python tree, CUDA toolkit: what every worker must be able to read.
std::vector<std::string> default_readable(const std::string& python_executable, bool gpu);

}  // namespace kernel_audit::sandbox
