#include "auditor/process/watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>
#include <vector>

#include "auditor/process/procfs.h"

namespace kernel_audit::process {
namespace {

std::string mebibytes(std::uint64_t bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1 << 20) << " MiB";
  return text.str();
}

std::string seconds(std::chrono::milliseconds time) {
  std::ostringstream text;
  text << static_cast<double>(time.count()) / 1000 << " s";
  return text.str();
}

std::uint64_t accurate_bytes(const std::vector<pid_t>& members) {
  std::uint64_t sum = 0;
  for (const pid_t pid : members) sum += proportional_bytes(pid).value_or(resident_bytes(pid));
  return sum;
}

}  // namespace

WatchedTree::WatchedTree(pid_t root, std::string cgroup_directory, const Limits& limits)
    : tree_(root, std::move(cgroup_directory)),
      pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, root, 0))),
      limits_(limits),
      start_(std::chrono::steady_clock::now()) {}

bool WatchedTree::alive() const {
  if (pidfd_.get() >= 0) {
    pollfd entry{pidfd_.get(), POLLIN, 0};
    return ::poll(&entry, 1, 0) == 0;
  }
  const auto info = process_info(tree_.root());
  return info && !is_gone(*info);
}

void WatchedTree::restart_clock(std::chrono::milliseconds wall) {
  limits_.wall = wall;
  start_ = std::chrono::steady_clock::now();
  held_since_.reset();
}

void WatchedTree::hold_clock(bool held) {
  const auto now = std::chrono::steady_clock::now();
  if (held_since_) start_ += now - *held_since_;
  held_since_ = held ? std::optional(now) : std::nullopt;
}

std::chrono::milliseconds WatchedTree::elapsed() const {
  const auto now = held_since_.value_or(std::chrono::steady_clock::now());
  return std::chrono::duration_cast<std::chrono::milliseconds>(now - start_);
}

Exit WatchedTree::passed(ExitReason reason, std::string detail) {
  Exit exit;
  exit.reason = reason;
  exit.wall = elapsed();
  tree_.kill();
  exit.peak_resident_bytes = peak_resident_bytes_;
  exit.detail = std::move(detail);
  return exit;
}

std::optional<Exit> WatchedTree::check() {
  if (limits_.wall.count() > 0 && elapsed() > limits_.wall) {
    return passed(ExitReason::kTimeout, "over its limit of " + seconds(limits_.wall));
  }
  const std::vector<pid_t> members = tree_.members();
  if (limits_.processes > 0 && static_cast<int>(members.size()) > limits_.processes) {
    return passed(ExitReason::kKilled,
                  "over its limit on the number of processes (" + std::to_string(members.size()) + ")");
  }
  std::uint64_t sum = 0;
  for (const pid_t pid : members) sum += resident_bytes(pid);
  peak_resident_bytes_ = std::max(peak_resident_bytes_, sum);
  // The cheap sum counts pages shared after a fork once per process; only near the limit is it worth asking
  // the kernel for the proportional size.
  if (limits_.resident_bytes > 0 && sum > limits_.resident_bytes &&
      (members.size() == 1 || accurate_bytes(members) > limits_.resident_bytes)) {
    return passed(ExitReason::kMemory, "over its limit of " + mebibytes(limits_.resident_bytes) + " resident memory");
  }
  return std::nullopt;
}

}  // namespace kernel_audit::process
