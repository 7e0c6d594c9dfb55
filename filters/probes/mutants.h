// Mutants of one operator call: what to put in place of its result, and the observer that does so in the forward
// pass that it watches. The call itself always runs, so that random numbers stay in step. Calls after it that would
// read outside a tensor fail as on the CPU (range_guard.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "filters/probes/interceptor.h"
#include "filters/probes/module_paths.h"

namespace kernel_audit::filters {

struct MutantSpec {
  std::string kind;   // as Mutant::kind
  double scale = 0;   // of "noise"
  int argument = -1;  // of "pass-through": index among the call's tensors
  int axis = -1;      // of "shuffle"
};

// Those that the shapes of a call allow, those that say most first: zero, pass-through, noise of the result's own
// deviation, mean, shuffles, weaker noise, low precision.
std::vector<MutantSpec> mutants_for(const std::vector<std::vector<std::int64_t>>& inputs,
                                    const std::vector<std::vector<std::int64_t>>& outputs, const std::string& dtype);

class MutatingObserver final : public CallObserver {
 public:
  MutatingObserver(const ModulePaths& paths, int target, std::string op, MutantSpec spec)
      : paths_(paths), target_(target), op_(std::move(op)), spec_(std::move(spec)) {}

  void intercept(InterceptedCall& call, int depth) override;
  // Runs `call`, the one to be mutated, and puts the mutant in place of its result.
  void mutate(InterceptedCall& call);

  bool wants_constant = true;
  bool applied = false;
  bool identical = false;          // the mutant equals the result
  std::optional<double> constant;  // the value of all elements of the result, when they are equal and it is wanted
  std::string missing;             // why it was not applied

 private:
  void apply(InterceptedCall& call);

  const ModulePaths& paths_;
  int target_, next_ = 0;
  std::string op_;
  MutantSpec spec_;
};

}  // namespace kernel_audit::filters
