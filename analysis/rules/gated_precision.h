// Places that run in forward and make the result less precise: copies and kernels that narrow, autocast, TF32.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct PrecisionPlace {
  facts::StatementRef where;
  facts::ContextId context = 0;
  std::string what;                  // "torch.Tensor.half", "kernel k"
  facts::Id setting = facts::kNone;  // the value that switches it on, where there is one
};

std::vector<PrecisionPlace> precision_places(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
