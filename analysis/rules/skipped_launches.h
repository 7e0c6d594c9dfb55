// Launches that never run when forward is given what the candidate's own get_inputs makes: a condition in front of
// them, or the loop around them, comes out the other way.
#pragma once

#include <optional>

#include "analysis/rules/host_numbers.h"

namespace kernel_audit::analysis::rules {

struct Skipped {
  facts::Id function = facts::kNone, block = facts::kNone;  // whose condition keeps the launch from running
};

// By what the numbers in the source and the sizes of the inputs say; nothing where none keeps it, or it cannot be told.
std::optional<Skipped> skipped(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                               facts::ContextId context);

// Whether it may be so: a size decides, and which way is not known.
bool may_be_skipped(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                    facts::ContextId context);

// Whether it runs with these sizes: every condition in front of it is known to let it, or raises otherwise.
bool certainly_runs(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                    facts::ContextId context);

// Whether a launch is come to by a pointer to a function: a table of them has one for each size, say.
bool through_pointer(const facts::Model& model, facts::StatementRef launch, facts::ContextId context);

}  // namespace kernel_audit::analysis::rules
