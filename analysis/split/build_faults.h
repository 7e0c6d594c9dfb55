// Extensions that can never be built, whatever the machine: what load_inline generates names something that nothing
// declares, binds the module twice, or hands launches to the host compiler. Said only of sources that were read whole.
#pragma once

#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/split/unit.h"

namespace kernel_audit::analysis::split {

// Adds a Problem of kind "build-fault", of a unit of the extension, for each extension that cannot be built.
void note_build_faults(const std::vector<SourceUnit>& units, facts::Facts& facts);

}  // namespace kernel_audit::analysis::split
