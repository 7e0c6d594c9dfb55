// One pass with one mutant; and trying a verdict again under other conditions.
#pragma once

#include <optional>

#include "filters/evidence_operators.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/module_paths.h"
#include "filters/probes/mutants.h"

namespace kernel_audit::filters {

// Decides between needed, redundant and dead; other mutants only refine the score.
bool is_decisive(const Mutant& mutant);
// It ran and changed the result of its call.
inline bool counts(const Mutant& mutant) { return mutant.noticed.has_value() && !mutant.identical; }

// Fills what the pass said. A mutant under which forward fails is noticed; one that does not fit says why in `missing`.
// Returns the value of all elements of the call's true result, when they are equal.
std::optional<double> run_mutant(TaskSession& session, FixedDraw& draw, const ModulePaths& paths,
                                 const OperatorCall& call, Mutant& mutant);

struct Retest {
  bool tried = false, noticed = false, noticed_exact = false;
  std::optional<double> constant;
};
// Runs the mutants that went unnoticed and on which the verdict of a dead or redundant call rests, under `draw`.
Retest retest(TaskSession& session, FixedDraw& draw, const ModulePaths& paths, const OperatorCall& call);

}  // namespace kernel_audit::filters
