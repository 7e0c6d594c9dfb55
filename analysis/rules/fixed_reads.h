// Arguments of forward with many elements, of which the kernels read some fixed ones alone and go by what these say:
// the second of a list of offsets, taken for the length of every row.
#pragma once

#include <vector>

#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

struct FixedRead {
  facts::StatementRef launch;
  facts::Id kernel = facts::kNone;
  std::size_t parameter = 0;
  const facts::Statement* read = nullptr;
  double elements = 0;
};

// With the sizes that get_inputs makes.
std::vector<FixedRead> read_at_fixed_places(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
