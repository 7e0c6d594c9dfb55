// One draw of weights and inputs, run again and again under equal conditions: buffers that forward wrote are put
// back, inputs that it changed are drawn again, randomness in forward starts from the same seed, and a model that
// keeps state where it cannot be seen is built anew for each pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

#include "filters/probes/call_trace.h"
#include "filters/probes/comparison.h"
#include "filters/probes/interceptor.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {

// As compare() of comparison.h, on the device where the tensors are, in slices. Another shape or type of output is
// an absent result.
std::optional<Comparison> compare_tensors(const at::Tensor& expected, const at::Tensor& answer,
                                          const Tolerance& tolerance);

// How all outputs of a pass differ from the expected ones.
struct Difference {
  bool noticed = false;        // by the tolerance, beyond what the expected outputs would refuse of themselves
  bool noticed_exact = false;  // by any difference above what a repetition gives
  std::optional<double> max_error;
};

class FixedDraw {
 public:
  static Result<std::unique_ptr<FixedDraw>> make(TaskSession& session, std::uint64_t weight_seed,
                                                 std::uint64_t input_seed);

  // Outputs on the device; they may share memory with inputs or state until the next pass.
  Result<std::vector<at::Tensor>> run(CallObserver* observer = nullptr);

  // The same, with inputs and state made known to `trace`.
  Result<std::vector<at::Tensor>> run_traced(CallTrace& trace);

  // Runs twice and keeps the first outputs as the expected ones. The model is built anew for each pass if only
  // that makes both equal. Gives the largest change that remains.
  Result<double> establish();
  // The same after replace_inputs(), with one pass: what repeats was established before.
  Status expect_again();
  Difference judge(const std::vector<at::Tensor>& outputs) const;
  bool accepts_itself() const;  // no expected value is refused even when it is given exactly

  worker::ModelInstance& model() { return *model_; }
  const std::vector<worker::Argument>& inputs() const { return inputs_; }
  void replace_inputs(std::vector<worker::Argument> inputs);  // they are kept while forward leaves them unchanged
  const std::vector<at::Tensor>& expected() const { return expected_; }
  const std::vector<Tolerance>& tolerances() const { return tolerances_; }
  double seconds() const { return seconds_; }      // of the last pass, all that it needed
  double forward_s() const { return forward_s_; }  // of forward alone
  double fastest_forward_s() const { return fastest_forward_s_; }
  bool drew_random() const { return drew_random_; }
  bool changes_inputs() const { return changes_inputs_; }
  bool keeps_state() const { return fresh_model_; }
  double repeat_change() const { return repeat_change_; }

 private:
  FixedDraw(TaskSession& session, std::uint64_t weight_seed, std::uint64_t input_seed)
      : session_(session), weight_seed_(weight_seed), input_seed_(input_seed) {}
  Status build();
  Status restore();
  Result<std::vector<at::Tensor>> pass(CallObserver* observer);
  Status keep_expected(std::vector<at::Tensor>& outputs);

  struct Kept {
    at::Tensor live, original;  // original undefined: a parameter, which is not copied
    std::uint32_t version = 0;
  };
  TaskSession& session_;
  std::uint64_t weight_seed_, input_seed_;
  std::unique_ptr<worker::ModelInstance> model_;
  std::vector<Kept> kept_;
  std::vector<worker::Argument> inputs_;
  std::vector<at::Tensor> replaced_;  // pristine copies of inputs that were given, when forward changes them
  std::vector<std::uint32_t> versions_;
  bool given_inputs_ = false;
  std::vector<at::Tensor> expected_;
  std::vector<Tolerance> tolerances_;
  std::vector<std::int64_t> refused_by_itself_;
  bool fresh_model_ = false, drew_random_ = false, changes_inputs_ = false;
  double seconds_ = 0, forward_s_ = 0, fastest_forward_s_ = 0, repeat_change_ = 0;
};

}  // namespace kernel_audit::filters
