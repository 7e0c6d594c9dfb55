// Branches that are only taken after an exception was swallowed.
#pragma once

#include "analysis/facts/flow_graph.h"

namespace kernel_audit::analysis::facts {

// Whether a block's condition has the value `side` only where an exception was swallowed before:
// `out = None; try: out = kernel(x) … if out is None`.
bool only_after_failure(const Facts& facts, const Function& function, const FlowGraph& flow, Id block, bool side);

}  // namespace kernel_audit::analysis::facts
