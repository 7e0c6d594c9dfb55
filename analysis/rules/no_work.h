// Launches that a comparison of computed floats may tell to do nothing: the bound of all the kernel's stores is zero on
// one side of it. Sizes of zero are whole numbers, and tests of them are another matter.
#pragma once

#include <optional>

#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

struct NoWork {
  facts::StatementRef launch;
  facts::Id kernel = facts::kNone;
  const facts::Statement* test = nullptr;  // the comparison, on the host
};

// Launches of CUDA kernels from C++ that ran.
std::vector<NoWork> may_do_no_work(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
