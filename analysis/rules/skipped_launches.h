// Launches that never run when forward is given what the candidate's own get_inputs makes: a condition in front of them,
// or the loop around them, comes out the other way.
#pragma once

#include "analysis/rules/host_numbers.h"

namespace kernel_audit::analysis::rules {

// The condition that keeps a launch from running, by what the numbers in the source and the sizes of the inputs say;
// kNone where none does, or none can be told.
facts::Id skipped_by(const facts::Model& model, HostNumbers& host, const facts::StatementRef& launch,
                     facts::ContextId context);

}  // namespace kernel_audit::analysis::rules
