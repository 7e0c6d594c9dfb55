// What `filter` writes beside the report: the manifest, the tree of kept tasks and the lists of their numbers.
#pragma once

#include "auditor/commands/measure.h"
#include "auditor/core/policy.h"
#include "reports/model.h"

namespace kernel_audit::commands {

// Before anything is measured: may --emit-tree be written?
Status check_filter_outputs(const Options& options);

// Items of the report and of the inputs are in the same order.
Status write_filter_outputs(const executor::Session& session, const executor::Plan& plan, const reports::Report& report,
                            const Policy& policy, const Options& options, const Inputs& inputs);

}  // namespace kernel_audit::commands
