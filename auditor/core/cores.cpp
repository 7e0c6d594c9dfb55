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

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool names(const std::string& controllers, const std::string& wanted) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == wanted) return true;
  }
  return false;
}

// Of the group `path` and those above it under `root`; `quota_of` reads what a folder sets.
template <typename QuotaOf>
void tighten(std::optional<int>& tightest, const std::string& root, std::string path, const QuotaOf& quota_of) {
  for (;;) {
    if (const std::optional<int> cores = cores_of_quota(quota_of(root + path))) {
      tightest = std::min(tightest.value_or(*cores), *cores);
    }
    if (path.empty()) return;
    path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
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

std::optional<int> cores_of_groups(const std::string& groups, const std::string& mount) {
  const auto of_version_2 = [](const std::string& folder) { return first_line(folder + "/cpu.max"); };
  const auto of_version_1 = [](const std::string& folder) {
    return first_line(folder + "/cpu.cfs_quota_us") + " " + first_line(folder + "/cpu.cfs_period_us");
  };
  std::optional<int> tightest;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) {
      tighten(tightest, mount, path, of_version_2);
    } else if (names(controllers, "cpu")) {
      for (const std::string& folder : {controllers, std::string("cpu")}) {
        tighten(tightest, mount + "/" + folder, path, of_version_1);
      }
    }
  }
  return tightest;
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
  static const std::optional<int> group = cores_of_groups(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
  const int cores = cores_of_affinity();
  return group ? std::min(cores, *group) : cores;
}

int cores_for_each(int jobs) { return (usable_cores() + jobs - 1) / jobs; }

}  // namespace kernel_audit
