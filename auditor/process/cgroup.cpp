// Leaf cgroups of version 2. Only the core files are used (freeze, kill, events, procs), which exist
// without any controller, so this works beside a version 1 hierarchy too.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <thread>

#include "auditor/process/procfs.h"
#include "auditor/process/tree.h"

namespace kernel_audit::process {
namespace {

constexpr const char* kPrefix = "kernel-audit.";

bool usable(const std::string& directory) {
  return ::access(directory.c_str(), W_OK) == 0 && ::access((directory + "/cgroup.procs").c_str(), W_OK) == 0 &&
         ::access((directory + "/cgroup.subtree_control").c_str(), F_OK) == 0;
}

std::uint64_t pid_namespace() {
  struct stat status{};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

// Owner part of a leaf's name: pid namespace, pid and start of the process that made it.
std::string owner_of(pid_t pid, std::uint64_t start_ticks) {
  return std::to_string(pid_namespace()) + "." + std::to_string(pid) + "." + std::to_string(start_ticks);
}

// Below a process that was killed may be groups of its own making. False while something still dies in one of them.
bool remove_tree(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.is_directory(error)) static_cast<void>(remove_tree(entry.path()));
  }
  return ::rmdir(directory.c_str()) == 0 || errno != EBUSY;
}

// Leaves of supervisors that were killed: whatever still runs in them has nobody to answer to.
void remove_stale(const std::string& root) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    const std::string name = entry.path().filename();
    unsigned long long space = 0, start = 0;
    int pid = 0;
    if (std::sscanf(name.c_str(), "kernel-audit.%llu.%d.%llu.", &space, &pid, &start) != 3) continue;
    if (space != pid_namespace()) continue;  // another container's: its pids mean nothing here
    const auto owner = process_info(pid);
    if (owner && owner->start_ticks == start) continue;
    write_small_file(entry.path().string() + "/cgroup.kill", "1");
    remove_cgroup(entry.path());
  }
}

}  // namespace

std::string cgroup2_root() {
  std::string mount;
  std::istringstream mounts(read_small_file("/proc/mounts"));
  for (std::string line; mount.empty() && std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string device, place, type;
    if (fields >> device >> place >> type && type == "cgroup2") mount = place;
  }
  if (mount.empty()) return "";
  std::istringstream memberships(read_small_file("/proc/self/cgroup"));
  for (std::string line; std::getline(memberships, line);) {
    if (line.rfind("0::/", 0) != 0) continue;
    const std::string own = line.size() > 4 ? mount + line.substr(3) : mount;
    if (usable(own)) return own;
  }
  return usable(mount) ? mount : "";
}

std::string make_cgroup(const std::string& name) {
  static std::atomic<unsigned> counter{0};
  const std::string root = cgroup2_root();
  if (root.empty()) return "";
  const unsigned number = counter++;
  if (number == 0) remove_stale(root);
  const auto self = process_info(::getpid());
  std::string leaf = root + "/" + kPrefix + owner_of(::getpid(), self ? self->start_ticks : 0) + "." +
                     std::to_string(number) + "." + name;
  if (::mkdir(leaf.c_str(), 0755) != 0) return "";
  // cgroup.freeze came with Linux 5.2, cgroup.kill with 5.14; without them signals do the same work.
  if (::access((leaf + "/cgroup.freeze").c_str(), W_OK) != 0 || ::access((leaf + "/cgroup.kill").c_str(), W_OK) != 0) {
    ::rmdir(leaf.c_str());
    return "";
  }
  return leaf;
}

void remove_cgroup(const std::string& directory) {
  if (directory.empty()) return;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (!remove_tree(directory) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace kernel_audit::process
