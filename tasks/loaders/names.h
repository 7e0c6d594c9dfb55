// What file and directory names tell: KernelBench's "<id>_<Name>.py", "level<N>", and the names that its
// generation runs give to candidates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernel_audit::tasks {

// The integer before the first '_' of "17_Conv2d_InstanceNorm.py"; nothing for other names.
std::optional<int> leading_id(std::string_view name);

// 3 for "level3", "level_3", "Level3"; nothing for other names.
std::optional<int> level_of_directory(std::string_view name);

struct RunName {
  int level = 0;
  int problem = 0;
  int sample = 0;
  std::string name;  // "level_1_problem_3_sample_0"
};
// "level_1_problem_3_sample_0_kernel.py" (also .cu, .cpp); nothing for other names.
std::optional<RunName> parse_run_name(std::string_view file_name);

// A whole decimal number without sign, at most seven digits.
std::optional<int> parse_number(std::string_view text);

}  // namespace kernel_audit::tasks
