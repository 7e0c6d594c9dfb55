// Arithmetic that gives the same number whatever a size is: `DEFAULT | (size & DEFAULT)`, `size - size + 512`,
// `min(max(size, 512), 512)`.
#pragma once

#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct AbsorbedSize {
  facts::StatementRef where;
  facts::Id size = facts::kNone;  // the value that makes no difference
};

// In functions that forward reaches and in kernels that run.
std::vector<AbsorbedSize> absorbed_sizes(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
