// Weights that kernels are handed and make nothing of: they never load them, or only where the launch switches it off;
// and weights whose contents decide how much work there is.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct UnusedWeight {
  facts::NodeId weight = -1;
  facts::StatementRef launch;
  std::string kernel, parameter;
};
std::vector<UnusedWeight> handed_and_unused(const facts::Model& model);

struct DecidingWeight {
  SourceSpan span;
  std::string what;  // "how often kernel k repeats its work"
  std::string weight;
};
std::vector<DecidingWeight> deciding_weights(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
