// Inputs, parameters, buffers, submodules and results that no output depends on, by data flow.
#pragma once

#include <vector>

#include "auditor/worker/python_module.h"
#include "filters/evidence_numerics.h"
#include "filters/probes/call_trace.h"
#include "filters/probes/module_paths.h"

namespace kernel_audit::filters {

// Where calls escaped the interception the lists are unknown, and the evidence says so.
UsageEvidence usage_of(const CallTrace& trace, const std::vector<ModuleInfo>& modules,
                       const std::vector<worker::StateEntry>& state);

}  // namespace kernel_audit::filters
