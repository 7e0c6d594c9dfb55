// How many processors this process may use: fewer than the machine has where an affinity mask or a limit of its control
// group says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kernel_audit {

int usable_cores();

// The numbers of those that the affinity mask names; empty when it cannot be read.
std::vector<int> usable_processors();

// What one of `jobs` that run at once may use: its part of them, rounded up.
int cores_for_each(int jobs);

// The tightest limit that the control groups of this process and those above them set, rounded up, at least 1; nothing
// where there is none. `groups` is the text of /proc/self/cgroup; `mount` is where the groups' files lie: cpu.max of
// version 2, cpu.cfs_quota_us and cpu.cfs_period_us of version 1.
std::optional<int> cores_of_groups(const std::string& groups, const std::string& mount);

// What the text of a cpu.max file ("150000 100000": microseconds of each period) allows, rounded up; nothing when it
// sets no limit.
std::optional<int> cores_of_quota(const std::string& cpu_max);

}  // namespace kernel_audit
