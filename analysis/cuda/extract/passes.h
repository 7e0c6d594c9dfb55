// Passes over Facts that need no Clang.
#pragma once

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::cuda {

// Calls, launches, bindings and function values that name a mere declaration are pointed to its
// definition in another unit of the same extension.
void connect_definitions(facts::Facts& facts);

// Decides Launch::stream_origin by following stream values through locals, members, statics and, for
// parameters, through every known caller. What cannot be followed stays "unknown".
void resolve_streams(facts::Facts& facts);

}  // namespace kernel_audit::analysis::cuda
