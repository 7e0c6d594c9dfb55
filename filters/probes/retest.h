// Trying the verdict on a dead or redundant call again under other conditions.
#pragma once

#include <optional>
#include <vector>

#include "filters/evidence_operators.h"
#include "filters/probes/mutant_passes.h"

namespace kernel_audit::filters {

// Decides between needed, redundant and dead; other mutants only refine the score.
bool is_decisive(const Mutant& mutant);
// It ran and changed the result of its call.
inline bool counts(const Mutant& mutant) { return mutant.noticed.has_value() && !mutant.identical; }

struct Retest {
  bool tried = false, noticed = false, noticed_exact = false;
  std::optional<double> constant;
};
// Mutants on which the verdicts rest, for they went unnoticed.
int count_witnesses(const std::vector<const OperatorCall*>& calls);
// Runs those of a dead or redundant call on another draw.
Retest retest(MutantPasses& passes, const OperatorCall& call);

}  // namespace kernel_audit::filters
