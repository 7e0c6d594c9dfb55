#include "filters/probes/interceptor.h"

#include <torch/library.h>

#include <atomic>

namespace kernel_audit::filters {
namespace {

constexpr c10::DispatchKey kMode = c10::DispatchKey::TESTING_ONLY_GenericMode;

// Backward passes run on threads of their own with the key carried over, so this is not per thread.
std::atomic<CallObserver*> current{nullptr};
thread_local int depth = 0;

// Sets whether the mode is excluded on this thread, for a scope.
class ExcludeMode {
 public:
  explicit ExcludeMode(bool excluded) : before_(c10::impl::tls_is_dispatch_key_excluded(kMode)) {
    c10::impl::tls_set_dispatch_key_excluded(kMode, excluded);
  }
  ~ExcludeMode() { c10::impl::tls_set_dispatch_key_excluded(kMode, before_); }
  ExcludeMode(const ExcludeMode&) = delete;
  ExcludeMode& operator=(const ExcludeMode&) = delete;

 private:
  bool before_;
};

struct Deeper {
  Deeper() { ++depth; }
  ~Deeper() { --depth; }
};

void fall_back(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::DispatchKeySet after = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kMode);
  CallObserver* const observer = current;
  if (observer == nullptr) {
    op.redispatchBoxed(after, stack);
    return;
  }
  const ExcludeMode outside(true);
  InterceptedCall call(op, after, *stack, observer->wants_nested());
  observer->intercept(call, depth);
}

}  // namespace

void InterceptedCall::run() {
  if (!keys_) return op_.callBoxed(&stack_);
  const ExcludeMode inside(!nested_);
  const Deeper deeper;
  op_.redispatchBoxed(*keys_, &stack_);
}

c10::impl::LocalDispatchKeySet dispatch_state() {
  c10::impl::LocalDispatchKeySet state = c10::impl::tls_local_dispatch_key_set();
  state.included_ = state.included_.remove(kMode);
  state.excluded_ = state.excluded_.remove(kMode) - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
  return state;
}

Interception::Interception(CallObserver& observer) : was_included_(c10::impl::tls_is_dispatch_key_included(kMode)) {
  static torch::Library library = [] {
    torch::Library made(torch::Library::IMPL, "_", kMode, __FILE__, __LINE__);
    made.fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>());
    return made;
  }();
  current = &observer;
  c10::impl::tls_set_dispatch_key_included(kMode, true);
}

Interception::~Interception() {
  c10::impl::tls_set_dispatch_key_included(kMode, was_included_);
  current = nullptr;
}

}  // namespace kernel_audit::filters
