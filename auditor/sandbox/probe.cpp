// What `doctor` asks: the layers that this machine gives, found by entering a sandbox in a process that is
// thrown away; and the folders that every worker must be able to read.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "auditor/process/channel.h"
#include "auditor/process/tree.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

namespace fs = std::filesystem;

// A folder's tree is allowed whole, so the root or a home must never get in by a short prefix.
bool is_specific(const fs::path& path) {
  static const std::set<std::string> kTooWide = {"/", "/root", "/home", "/tmp", "/var", "/etc", "/mnt", "/opt"};
  return path.is_absolute() && kTooWide.count(path.string()) == 0;
}

// Prefix of an interpreter: the folder above the one that it lies in.
void add_prefix(std::set<std::string>& paths, const fs::path& executable) {
  const fs::path prefix = executable.parent_path().parent_path();
  if (is_specific(prefix)) paths.insert(prefix.string());
}

void add_python(std::set<std::string>& paths, const std::string& python_executable) {
  // Every step of a chain of links: a venv's python is a link to the one that it was made from.
  fs::path step = python_executable;
  for (int i = 0; i < 16; ++i) {
    add_prefix(paths, step);
    std::error_code error;
    const fs::path target = fs::read_symlink(step, error);
    if (error) break;
    step = target.is_absolute() ? target : (step.parent_path() / target).lexically_normal();
  }
  std::error_code error;
  const fs::path real = fs::canonical(python_executable, error);
  if (!error) add_prefix(paths, real);
  std::ifstream venv(fs::path(python_executable).parent_path().parent_path() / "pyvenv.cfg");
  for (std::string line; std::getline(venv, line);) {
    if (line.rfind("home", 0) != 0) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    std::istringstream value(line.substr(equals + 1));
    std::string home;
    value >> home;
    add_prefix(paths, fs::path(home) / "python");
  }
}

}  // namespace

std::vector<std::string> default_readable(const std::string& python_executable, bool gpu) {
  std::set<std::string> paths = {"/usr",
                                 "/bin",
                                 "/sbin",
                                 "/lib",
                                 "/lib32",
                                 "/lib64",
                                 "/proc",
                                 "/sys",
                                 "/etc/ld.so.cache",
                                 "/etc/ld.so.conf",
                                 "/etc/ld.so.conf.d",
                                 "/etc/alternatives",
                                 "/etc/localtime",
                                 "/etc/timezone",
                                 "/etc/locale.alias",
                                 "/etc/nsswitch.conf",
                                 "/etc/passwd",
                                 "/etc/group",
                                 "/etc/mime.types",
                                 "/etc/gai.conf",
                                 "/etc/host.conf"};
  if (!python_executable.empty()) add_python(paths, python_executable);
  if (gpu) {
    for (const char* path : {"/opt/nvidia", "/opt/cuda", "/etc/OpenCL", "/etc/nvidia", "/run/nvidia-persistenced"}) {
      paths.insert(path);
    }
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && is_specific(value)) paths.insert(value);
  }
  if (const char* value = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream folders(value);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (is_specific(folder)) paths.insert(folder);
    }
  }
  std::vector<std::string> existing;
  for (const std::string& path : paths) {
    if (::access(path.c_str(), F_OK) == 0) existing.push_back(path);
  }
  return existing;
}

SandboxReport probe_sandbox() {
  const auto failed = [](const std::string& why) {
    SandboxReport report;
    for (int layer = 0; layer <= static_cast<int>(Layer::kRlimits); ++layer) {
      report.layers.push_back(missing(static_cast<Layer>(layer), why, ""));
    }
    return report;
  };
  std::string folder = (fs::temp_directory_path() / "kernel-audit-probe-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return failed(errno_text("Making a temporary folder"));
  auto pair = process::Channel::make_pair();
  if (!pair) return failed(pair.error().message);
  SandboxPolicy policy;
  policy.readable = default_readable("", false);
  policy.private_tmp = folder;
  policy.keep_descriptors = {pair->second.fd()};
  policy.cgroup_directory = process::make_cgroup("probe");
  const pid_t child = ::fork();
  if (child < 0) return failed(errno_text("fork"));
  if (child == 0) {
    const Result<SandboxReport> report = enter_sandbox(policy);
    (void)pair->second.send_json(report ? Json(*report) : Json{{"error", report.error().message}});
    ::_exit(0);
  }
  pair->second.close();
  auto answer = pair->first.receive_json(std::chrono::seconds(20));
  process::ProcessTree(child, policy.cgroup_directory).kill();
  ::waitpid(child, nullptr, 0);
  process::remove_cgroup(policy.cgroup_directory);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!answer) return failed("The probing process gave no answer: " + answer.error().message);
  const auto report = read_json<SandboxReport>(answer->first, "sandbox report");
  return report ? *report : failed(answer->first.value("error", report.error().message));
}

}  // namespace kernel_audit::sandbox
