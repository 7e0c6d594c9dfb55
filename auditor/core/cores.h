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

// What the text of a cpu.max file ("150000 100000": microseconds of each period) allows, rounded up; nothing when it
// sets no limit.
std::optional<int> cores_of_quota(const std::string& cpu_max);

}  // namespace kernel_audit
