// Answers that need no work, tried on every seed's expected outputs. Zeros and constants need the range of
// the outputs alone; inputs and another seed's output are compared element by element, in slices, so that
// broadcasting never makes a full copy.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "auditor/worker/python_module.h"
#include "filters/evidence.h"
#include "filters/probes/statistics.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {

class TrivialAnswers {
 public:
  explicit TrivialAnswers(std::vector<Tolerance> tolerances) : tolerances_(std::move(tolerances)) {}

  // `expected`: host outputs of this seed; `inputs`: what forward was given, unchanged.
  void add_seed(const std::vector<at::Tensor>& expected, const std::vector<worker::Argument>& inputs);
  bool undecided() const;     // some answer was accepted on some seeds and refused on others
  bool any_accepted() const;  // on every seed so far
  // `ranges[output][seed]`
  std::vector<TrivialAnswer> finish(const std::vector<std::vector<Range>>& ranges) const;

 private:
  TrivialAnswer& entry(const std::string& name, const std::string& kind);
  void try_parts(const std::string& name, const std::vector<at::Tensor>& expected, const at::Tensor& input);
  void try_answer(const std::string& name, const std::string& kind, const std::vector<at::Tensor>& expected,
                  const at::Tensor& answer);
  void try_previous(const std::vector<at::Tensor>& expected);

  std::vector<Tolerance> tolerances_;   // one per output
  std::vector<TrivialAnswer> answers_;  // inputs and other seed's output, in order of first use
  std::vector<at::Tensor> previous_;
};

}  // namespace kernel_audit::filters
