// The calls that lead to a place of the candidate.
#pragma once

#include <vector>

#include "analysis/facts/provenance.h"

namespace kernel_audit::analysis::facts {

struct CallSite {
  StatementRef where;
  ContextId context = 0;  // of the function that it is in
};

// The place itself, then the call that led into its function, and so on out to a function that nobody called.
std::vector<CallSite> call_chain(const Provenance& graph, StatementRef where, ContextId context);

}  // namespace kernel_audit::analysis::facts
