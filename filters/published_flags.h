// The four numeric flags that robust-kbench publishes per task, read off the evidence, under the names of
// its table: output_range, output_std, output_axes, input_impact. They are defined for one output; for
// several, a flag holds when it holds for all. A flag whose numbers are missing is left out.
#pragma once

#include "auditor/core/json.h"
#include "filters/evidence.h"

namespace kernel_audit::filters {

Json published_flags(const TaskEvidence& evidence);  // object of booleans

}  // namespace kernel_audit::filters
