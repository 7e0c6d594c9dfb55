// What a mutant or a variation puts into an index, a label or a probability may lie where the operator that reads it
// must not be asked. On the CPU torch refuses such a call; on a GPU a kernel's assertion ends the whole process, and
// with it all evidence. This refuses the call first, on either device, by an exception that the forward pass raises.
// Operators that launch kernels of their own or hide their index in a composite of Python's are not covered.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "filters/probes/interceptor.h"

namespace kernel_audit::filters {

// Throws c10::Error when an argument of the call, the last values of `stack`, is out of its range.
void check_ranges(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

// For passes on inputs or a state that the task did not draw.
class RangeGuard final : public CallObserver {
 public:
  void intercept(InterceptedCall& call, int) override {
    check_ranges(call.op(), call.stack());
    call.run();
  }
};

}  // namespace kernel_audit::filters
