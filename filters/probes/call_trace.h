// Records the operator calls of one forward pass: what each is, where, what it costs, and by the storages that it
// reads and writes which other calls it depends on. Holds no tensor: storages are followed by weak references, so
// memory is freed as it would be without this.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filters/evidence_operators.h"
#include "filters/probes/interceptor.h"
#include "filters/probes/module_paths.h"

namespace kernel_audit::filters {

// Tensors of an argument or result, in order; those that are undefined are left out.
void append_tensors(const c10::IValue& value, std::vector<at::Tensor>& tensors);
std::string operator_name(const c10::OperatorHandle& op);  // "aten::softmax.int"
// Tensors that the call writes to, by its schema. `stack` holds its arguments.
std::vector<at::Tensor> written_arguments(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

class CallTrace final : public CallObserver {
 public:
  // Sees each recorded call before it runs: its position, name, tensors and all arguments.
  using Inspector =
      std::function<void(int, const std::string&, const std::vector<at::Tensor>&, const std::vector<c10::IValue>&)>;
  static constexpr int kMaxCalls = 20000;

  explicit CallTrace(const ModulePaths& paths, Inspector inspector = nullptr)
      : paths_(paths), inspector_(std::move(inspector)) {}

  void know_input(const std::string& name, const at::Tensor& tensor) { know(Origin::kInput, name, tensor); }
  void know_state(const std::string& name, const at::Tensor& tensor) { know(Origin::kState, name, tensor); }

  void intercept(InterceptedCall& call, int depth) override;
  bool wants_nested() const override { return true; }

  // After forward has returned `outputs` and its frame is gone: who reaches them?
  void finish(const std::vector<at::Tensor>& outputs);

  std::vector<OperatorCall> calls;
  std::vector<std::vector<int>> producers;       // for each call, the calls whose results it reads
  std::vector<std::vector<int>> readers;         // for each call, the calls that read its results
  std::vector<bool> works_in_place, from_input;  // the latter: its value depends on an input of the task
  bool too_many = false;
  // After finish():
  std::vector<std::string> unused_inputs, unused_state;
  std::string not_intercepted;  // empty: every tensor that was read was made by a recorded call or known before

 private:
  struct Origin {
    enum Kind { kInput, kState, kResult, kOutside } kind = kResult;
    std::string name;
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // keeps the address from being used again
    std::vector<int> writers, readers;
    int result_of = -1, result = -1;  // of a fresh result
    bool unwritten = false;           // made by empty() and not yet written
    bool is_output = false;
  };

  void know(Origin::Kind kind, const std::string& name, const at::Tensor& tensor);
  Origin* origin_of(const at::Tensor& tensor);  // nullptr: none known
  Origin& add_origin(Origin::Kind kind, const at::Tensor& tensor);
  void read(int position, const at::Tensor& tensor);
  void record_results(int position, const std::vector<std::vector<at::Tensor>>& results,
                      const std::vector<at::Tensor>& written, bool random);
  void doubt(const std::string& reason);
  void mark(const std::vector<int>& roots, std::vector<bool>& reached) const;

  const ModulePaths& paths_;
  Inspector inspector_;
  std::vector<Origin> origins_;
  std::unordered_map<c10::StorageImpl*, std::size_t> index_;
  std::vector<double> nested_flops_;  // one for each open call
  std::vector<bool> nested_known_;
};

}  // namespace kernel_audit::filters
