// Loops of the host that take an input of forward step by step, and not all of its steps.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct SkippedSteps {
  SourceSpan loop;
  std::string input;
  double turns = 0, steps = 0;
};

// With the sizes that get_inputs makes.
std::vector<SkippedSteps> skipped_steps(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
