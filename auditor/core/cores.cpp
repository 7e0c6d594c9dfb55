#include "auditor/core/cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace kernel_audit {
namespace {

int cores_of_affinity() {
  if (const std::size_t named = usable_processors().size(); named > 0) return static_cast<int>(named);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// The tightest limit of this process's group and those above it (cgroup v2).
std::optional<int> cores_of_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::string line, group;
  while (std::getline(groups, line)) {
    if (line.compare(0, 3, "0::") == 0) group = line.substr(3);
  }
  std::optional<int> tightest;
  for (;;) {
    std::ifstream file("/sys/fs/cgroup" + group + "/cpu.max");
    std::string text;
    std::getline(file, text);
    if (const std::optional<int> cores = cores_of_quota(text)) tightest = std::min(tightest.value_or(*cores), *cores);
    if (group.empty()) return tightest;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

}  // namespace

std::optional<int> cores_of_quota(const std::string& cpu_max) {
  std::istringstream words(cpu_max);
  double quota = 0, period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  const double cores = quota / period;
  if (cores >= 1e6) return std::nullopt;
  const int whole = static_cast<int>(cores);
  return std::max(1, whole + (static_cast<double>(whole) < cores ? 1 : 0));
}

std::vector<int> usable_processors() {
  std::vector<int> all;
  cpu_set_t set;
  CPU_ZERO(&set);
  // A machine with more processors than the mask can hold is an error here.
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) all.push_back(i);
  }
  return all;
}

int usable_cores() {
  static const std::optional<int> group = cores_of_group();
  const int cores = cores_of_affinity();
  return group ? std::min(cores, *group) : cores;
}

}  // namespace kernel_audit
