// Runs calls of a tape again, without Python, as its forward pass would under one mutant, or with other values in one
// parameter: the mutated call, or those that read it, and those whose arguments may then differ. All others have their
// recorded results. Nothing that the tape keeps is written: memory that a call works in is copied first.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "auditor/core/result.h"
#include "filters/probes/call_tape.h"
#include "filters/probes/mutants.h"

namespace kernel_audit::filters {

class TapeReplay {
 public:
  explicit TapeReplay(CallTape tape);

  // The whole pass, unmutated.
  Result<std::vector<at::Tensor>> run();
  // With the call at this position (OperatorCall::position) mutated.
  Result<std::vector<at::Tensor>> run(int position, MutatingObserver& mutation);
  // With the values that the memory of `state` holds now. An Error where the pass itself writes there.
  Result<std::vector<at::Tensor>> run_changed(const at::Tensor& state);

  const CallTape& tape() const { return tape_; }

 private:
  struct Step {
    std::size_t call = 0;
    std::vector<StorageVersion> copies;  // memory to be copied before
  };
  std::vector<Step> steps(std::size_t first, bool all, std::vector<bool> changed) const;
  Result<std::vector<at::Tensor>> replay(const std::vector<Step>& steps, std::size_t mutated,
                                         MutatingObserver* mutation);
  void copy(const StorageVersion& memory, std::size_t call);
  void run_step(const Step& step, MutatingObserver* mutation);
  at::Tensor tensor_of(const TensorUse& use) const;

  CallTape tape_;
  std::vector<std::size_t> at_position_;  // index of the call
  std::vector<at::Tensor> now_;           // by slot: results of this replay
  std::vector<at::Tensor> copied_;        // by storage: its bytes in this replay
  std::vector<at::Tensor> scratch_;       // by storage: what calls write that read it not, from replay to replay
};

}  // namespace kernel_audit::filters
