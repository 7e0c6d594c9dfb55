// What get_inputs and get_init_inputs say of how the task calls its candidate.
#pragma once

#include <optional>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// Nothing when the candidate does not show its inputs.
std::optional<facts::TaskCall> task_call(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
