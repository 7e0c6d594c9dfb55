// The reference of a task behind eval/referee/reference.h: loads the task's module, draws inputs by its
// get_inputs under secret seeds, runs its model for the expected outputs, and a copy of it in double precision
// for the oracle. All tensors are private to this process. The interpreter must run, with the GIL held.
#pragma once

#include <ATen/core/Tensor.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/worker/python_module.h"
#include "eval/check/compare.h"
#include "eval/referee/reference.h"

namespace kernel_audit::eval {

struct TorchReferenceOptions {
  std::string module_path, class_name = "Model";
  std::string device = "cpu";  // "cpu", "cuda:0"
  std::string compat = "kernelbench";
  bool training = true;
  std::uint64_t weight_seed = 0, probe_seed = 0;
};

class TorchReference : public Reference {
 public:
  // Loads, constructs under the weight seed, runs the model on probe input. Errors: whatever the task raises, inputs
  // that cannot cross processes, outputs of a dtype that cannot be compared.
  static Result<std::unique_ptr<TorchReference>> load(const TorchReferenceOptions& options);

  const std::vector<ArgumentSpec>& inputs() const override { return inputs_; }
  const std::vector<TensorSpec>& outputs() const override { return outputs_; }
  const std::vector<StateDigest>& state() const override { return state_; }
  Result<std::pair<Json, process::Fd>> weights(const std::vector<std::string>& names) override;
  Status draw(const Draw& draw) override;
  void remember(int call) override;
  const void* input(int call, int input) const override;
  const void* poison(int output) const override;
  void* received(int call, int output) override;
  void* rechecked(int output) override;
  Result<CheckResult> compare(int call, int output, bool oracle) override;
  Result<RecheckResult> compare_recheck(int call, int output) override;

  const Json& init_arguments() const { return init_arguments_; }  // of the Setup message
  bool varies() const { return varies_; }                         // other generator seed, other output
  const std::string& not_comparable() const { return not_comparable_; }
  Tolerance tolerance() const { return tolerances_.front(); }
  std::uint64_t call_bytes() const;

 private:
  using Tensors = std::vector<at::Tensor>;
  explicit TorchReference(TorchReferenceOptions options) : options_(std::move(options)) {}
  Status load_model();
  Status describe();  // specs, tolerances, whether forward varies, keeps state, or writes into its inputs
  Result<Tensors> draw_inputs(std::uint64_t seed);
  Result<Tensors> run_model(const Tensors& inputs);
  bool accepted(const Tensors& actual, const Tensors& expected) const;
  void keep_expected();
  bool is_stale(const at::Tensor& actual, int call, int output);
  Status compute_exact(int call);
  const Tensors* exact(int call);  // null when the oracle cannot be asked
  void ask_oracle(int call, int output, CheckResult& check);
  std::vector<worker::Argument> arguments_of(const Tensors& tensors) const;

  TorchReferenceOptions options_;
  std::unique_ptr<worker::PythonModule> module_;
  std::vector<worker::Argument> init_;
  std::unique_ptr<worker::ModelInstance> model_, exact_model_;
  bool exact_failed_ = false;
  std::vector<worker::Argument> template_;  // of one call: plain values, and which places are tensors
  Json init_arguments_ = Json::array();
  std::vector<ArgumentSpec> inputs_;
  std::vector<TensorSpec> outputs_;
  std::vector<Scalar> scalars_;        // of the outputs
  std::vector<Tolerance> tolerances_;  // of the outputs
  std::vector<StateDigest> state_;
  bool varies_ = false, writes_inputs_ = false, reuses_outputs_ = false, draws_on_device_ = false;
  std::string not_comparable_;

  std::vector<Tensors> pristine_, expected_, received_;
  Tensors rechecked_, poison_;
  std::vector<std::uint64_t> words_;
  std::vector<Tensors> remembered_;
  std::deque<Tensors> recent_;
  std::map<int, Tensors> exact_;  // by call
};

}  // namespace kernel_audit::eval
