// Launches that may not run when forward is given what the candidate's own get_inputs makes, as a condition in front of
// them may come out the other way.
#pragma once

#include <utility>
#include <vector>

#include "analysis/rules/host_numbers.h"

namespace kernel_audit::analysis::rules {

// Whether it may be so: a size decides, and which way is not known.
bool may_be_skipped(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                    facts::ContextId context);

// Whether it runs with these sizes: every condition in front of it is known to let it, or raises otherwise.
bool certainly_runs(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                    facts::ContextId context);

// Whether a launch is come to by a pointer to a function: a table of them has one for each size, say.
bool through_pointer(const facts::Model& model, const facts::StatementRef& launch, facts::ContextId context);

// Calls and launches through a pointer that lead to a launch, and the pointers: what they call may come out of a table.
std::vector<std::pair<facts::StatementRef, facts::Id>> pointers_to(const facts::Model& model,
                                                                   const facts::StatementRef& launch,
                                                                   facts::ContextId context);

}  // namespace kernel_audit::analysis::rules
