#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "auditor/process/fd.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

namespace fs = std::filesystem;

bool others_may_enter(const fs::path& folder) {
  struct stat status{};
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IXOTH) != 0;
}

// The uppermost folder above `path` that others may not enter; empty when all are open.
fs::path closed_folder_above(const fs::path& path) {
  fs::path folder = "/";
  for (const fs::path& part : path.parent_path().relative_path()) {
    folder /= part;
    if (!others_may_enter(folder)) return folder;
  }
  return {};
}

std::vector<std::string> all_paths(const SandboxPolicy& policy) {
  std::vector<std::string> paths = policy.readable;
  paths.insert(paths.end(), policy.writable.begin(), policy.writable.end());
  if (!policy.private_tmp.empty()) paths.push_back(policy.private_tmp);
  return paths;
}

struct Kept {
  fs::path path;
  process::Fd fd;
  bool folder = false;
};

bool bind(const Kept& kept) {
  const std::string source = "/proc/self/fd/" + std::to_string(kept.fd.get());
  std::error_code error;
  fs::create_directories(kept.folder ? kept.path : kept.path.parent_path(), error);
  if (!kept.folder) process::Fd(::open(kept.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  return ::mount(source.c_str(), kept.path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

// Covers each closed folder by an empty one in which only the named paths below it exist.
std::string open_closed_folders(const SandboxPolicy& policy, std::string& detail) {
  std::map<fs::path, std::vector<Kept>> closed;
  std::set<fs::path> seen;
  for (const std::string& text : all_paths(policy)) {
    std::error_code error;
    const fs::path real = fs::canonical(text, error);
    if (error) continue;
    // A named link keeps its own place as well as that of its target.
    for (const fs::path& path : {fs::path(text).lexically_normal(), real}) {
      const fs::path above = closed_folder_above(path);
      if (above.empty() || !seen.insert(path).second) continue;
      closed[above].push_back({path, process::Fd(::open(real.c_str(), O_PATH | O_CLOEXEC)), fs::is_directory(real)});
    }
  }
  const mode_t before = ::umask(022);
  std::string problem;
  for (auto& [folder, kept] : closed) {
    if (::mount("none", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") != 0) {
      problem = errno_text("Covering a closed folder");
      continue;
    }
    // Shorter paths first: a path below another one that is bound is there already.
    std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.path < b.path; });
    for (const Kept& entry : kept) {
      if (::access(entry.path.c_str(), F_OK) == 0) continue;
      if (!bind(entry)) problem = errno_text("Binding a path of the policy");
    }
    ::mount("none", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=755,size=1m");
    detail += "; only named paths below " + folder.string();
  }
  ::umask(before);
  return problem;
}

bool lies_in_tmp(const std::string& path) { return path == "/tmp" || path.rfind("/tmp/", 0) == 0; }

}  // namespace

std::vector<std::string> unreachable_paths(const SandboxPolicy& policy) {
  std::vector<std::string> result;
  for (const std::string& path : all_paths(policy)) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error && !closed_folder_above(real).empty()) result.push_back(path);
  }
  return result;
}

std::string arrange_mounts(const SandboxPolicy& policy, bool new_proc, std::string& detail) {
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno_text("Making mounts private");
  detail = "private mounts";
  // Landlock allows writing in the place where a path lies, so a named path in /tmp must stay there.
  const std::vector<std::string> paths = all_paths(policy);
  if (!policy.private_tmp.empty() && std::none_of(paths.begin(), paths.end(), lies_in_tmp)) {
    if (::mount(policy.private_tmp.c_str(), "/tmp", nullptr, MS_BIND, nullptr) != 0) return errno_text("Binding /tmp");
    detail += ", private /tmp";
  }
  std::string problem = ::geteuid() == 0 ? open_closed_folders(policy, detail) : "";
  if (!problem.empty()) return problem;
  // Last: the steps above use the outer /proc/self.
  if (new_proc) {
    if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
      return errno_text("Mounting /proc");
    }
    detail += ", own /proc";
  }
  return "";
}

}  // namespace kernel_audit::sandbox
