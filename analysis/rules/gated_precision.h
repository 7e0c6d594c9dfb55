// Places that run in forward and make the result less precise: copies and kernels that narrow, autocast, TF32.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct PrecisionPlace {
  facts::StatementRef where;
  facts::ContextId context = 0;
  std::string what;                  // "torch.Tensor.half", "kernel k"
  facts::Id setting = facts::kNone;  // the value that switches it on, where there is one
  bool several = false;              // a setting of a kernel that is not the same in every launch
  facts::NodeSet nodes;              // what the setting of a kernel is computed from
};

std::vector<PrecisionPlace> precision_places(const facts::Model& model);

// Whether one of several kernels or settings is chosen by what the given test accepts: `wanted` is asked of the nodes
// that a deciding condition looks at.
bool chosen_by(const facts::Model& model, const PrecisionPlace& place,
               const std::function<bool(const facts::NodeSet&)>& wanted);

// A branch inside of a kernel on what memory holds, with arithmetic of another precision on each side.
struct PrecisionGate {
  facts::Id kernel = facts::kNone;
  SourceSpan decided, narrowed;
};
std::vector<PrecisionGate> precision_gates(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
