// Interception of every operator call that Python code makes: while an Interception is alive, a boxed fallback on
// torch's dispatch key TESTING_ONLY_GenericMode, which comes before autograd and before composite operators are taken
// apart, hands each call to an observer. The observer decides when, and whether, the call runs; operators that
// it calls itself are not intercepted.
// What makes no call through torch's dispatcher escapes: kernels launched by extensions, numpy, other threads.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cstddef>
#include <optional>

namespace kernel_audit::filters {

class InterceptedCall {
 public:
  InterceptedCall(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack, bool nested)
      : op_(op), stack_(stack), keys_(keys), nested_(nested) {}
  // A call of our own, made while no Interception is alive.
  InterceptedCall(const c10::OperatorHandle& op, torch::jit::Stack& stack) : op_(op), stack_(stack) {}

  // Arguments before run(): the last `schema().arguments().size()` values; results after it: the last
  // `schema().returns().size()`.
  void run();

  const c10::OperatorHandle& op() const { return op_; }
  torch::jit::Stack& stack() const { return stack_; }

 private:
  const c10::OperatorHandle& op_;
  torch::jit::Stack& stack_;
  std::optional<c10::DispatchKeySet> keys_;
  bool nested_ = false;
};

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  // Must leave the call's results on the stack. `depth` is 0 for calls of Python code and more for those that a
  // composite operator makes, which come only where wants_nested() says so.
  virtual void intercept(InterceptedCall& call, int depth) = 0;
  virtual bool wants_nested() const { return false; }
};

// How calls of this thread are dispatched, apart from what an Interception adds and from autograd, which factories of
// tensors leave out.
c10::impl::LocalDispatchKeySet dispatch_state();

// One at a time in the process; starts and ends on the same thread.
class Interception {
 public:
  explicit Interception(CallObserver& observer);
  ~Interception();
  Interception(const Interception&) = delete;
  Interception& operator=(const Interception&) = delete;

 private:
  bool was_included_;
};

}  // namespace kernel_audit::filters
