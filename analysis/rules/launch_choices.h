// Which of several values a kernel is launched with, and what decides it: `grid = whole if test else part`.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

inline constexpr const char* kTheStream = "the stream";

struct LaunchChoice {
  facts::StatementRef launch;
  facts::Guard guard;  // does not guard the launch itself
  std::string what;    // "the kernel", "the grid", "the stream", "an argument", "the number of launches"
};

// Of every launch that ran in forward: its kernel (by the object that keeps it, too), its grid, its stream, what it
// passes by position and how often a loop around it runs. Followed through variables of the launching function,
// conditional expressions and what own functions return; tuning parameters, which go by name, are left out.
std::vector<LaunchChoice> launch_choices(const facts::Model& model);

// Whether a loop comes back to the block.
bool heads_loop(const facts::Function& function, facts::Id head);

}  // namespace kernel_audit::analysis::rules
