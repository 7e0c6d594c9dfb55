// The operator calls of one forward pass with all that they read, so that parts of the pass can be run again without
// Python (tape_replay.h). Tensors that Python saw become slots. Memory is followed by storages: each work in place
// begins another version of one, and what a call read before is kept as a copy.
// Where the results of all calls do not fit into the room given, only inputs, state and constants are kept, and a
// replay runs all calls. What a tape cannot repeat truly (autograd, values handed to Python, memory written behind
// the dispatcher, …) makes none: finish() says why.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "auditor/core/result.h"
#include "filters/probes/interceptor.h"
#include "filters/probes/module_paths.h"

namespace kernel_audit::filters {

struct TensorUse {
  int slot = -1;  // -1: none, in a list
  int version = 0;
  at::Tensor clean;  // with the content that was read; undefined where that was not kept
};

struct TapeArgument {
  c10::IValue value;            // when it holds no tensor
  c10::TypePtr element;         // of a list with tensors
  std::vector<TensorUse> uses;  // of a tensor, or of a list
};

struct StorageVersion {
  int storage = 0, version = 0;
  bool any_content = false;  // the call's results do not depend on it
};

struct TapeCall {
  explicit TapeCall(const c10::OperatorHandle& handle) : op(handle) {}

  c10::OperatorHandle op;
  int position = -1;  // OperatorCall::position; -1 outside of the model
  std::vector<TapeArgument> arguments;
  std::vector<int> results;  // slots, lists taken apart
  std::vector<int> made;     // storages of fresh results
  std::vector<StorageVersion> writes,
      views;                           // storages written, and known ones that a result shows, as before the call
  std::vector<at::Tensor> generators;  // their states before, of a call that draws random numbers
};

struct TapeSlot {
  at::Tensor recorded;  // gives the layout; undefined where it was not kept
  int storage = 0;
  int last_use = -1;  // index of the call that reads it last; the number of calls for an output
};

struct TapeStorage {
  bool external = false;  // made by no call on the tape
  bool unwritten = false;
  int version = 0;
  int last_use = -1;                  // as TapeSlot::last_use
  int last_write = -1;                // index of a call
  std::vector<at::Tensor> snapshots;  // its bytes, by version; undefined where not kept
};

struct CallTape {
  std::string device;
  std::vector<TapeCall> calls;
  std::vector<TapeSlot> slots;
  std::vector<TapeStorage> storages;
  std::vector<TensorUse> outputs;
  bool keeps_results = true;
  std::uint64_t kept_bytes = 0;
};

class TapeRecorder final : public CallObserver {
 public:
  // `room_bytes`: for results and copies that would otherwise be gone.
  TapeRecorder(const ModulePaths& paths, const std::string& device, std::uint64_t room_bytes);

  void intercept(InterceptedCall& call, int depth) override;
  Result<CallTape> finish(const std::vector<at::Tensor>& outputs);

 private:
  // Weak references keep the addresses from being used again.
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  void refuse(const std::string& reason);
  bool fits(const at::Tensor& tensor);
  int known_storage(const at::Tensor& tensor) const;  // -1: none
  TensorUse use_of(const at::Tensor& tensor);
  int only_slot_like(const at::Tensor& tensor, int storage);  // -1: none, or several
  void remember(const at::Tensor& tensor, int slot);
  int add_slot(const at::Tensor& tensor, int storage);
  int add_storage(const at::Tensor& tensor, bool external);
  void take_arguments(TapeCall& entry, const InterceptedCall& call);
  void take_writes(TapeCall& entry, const std::vector<at::Tensor>& written, bool any_content);
  void take_results(TapeCall& entry, InterceptedCall& call);
  at::Tensor take_result(TapeCall& entry, const at::Tensor& result, bool in_place);
  void snapshot(int storage, const at::Tensor& tensor);
  void account(std::uint64_t bytes);
  void set_clean(TensorUse& use) const;

  const ModulePaths& paths_;
  c10::impl::LocalDispatchKeySet dispatch_;
  std::uint64_t room_bytes_;
  CallTape tape_;
  std::string missing_;
  int next_position_ = 0;
  std::unordered_map<c10::TensorImpl*, std::pair<int, WeakTensor>> slots_;
  std::unordered_map<c10::StorageImpl*, std::pair<int, WeakStorage>> storages_;
};

// A tensor of the layout and type of `like` on the memory of `bytes`.
at::Tensor shown_on(const at::Tensor& bytes, const at::Tensor& like);

}  // namespace kernel_audit::filters
