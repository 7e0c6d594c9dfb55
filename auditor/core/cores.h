// How many processors this process may run on, which is fewer than the machine has where an affinity mask says so.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace kernel_audit {

inline int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // A machine with more processors than the mask can hold is an error here.
  if (::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace kernel_audit
