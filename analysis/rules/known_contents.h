// Numbers that memory is known to hold when a kernel reads it: buffers that were filled with one number and nothing has
// written since, and variables of the device that nothing sets.
#pragma once

#include <optional>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// What every element of the buffer is that a launch is given as its argument in this place, whenever it runs.
std::optional<double> contents_in_launch(const facts::Model& model, const facts::StatementRef& launch,
                                         std::size_t argument);

// Whether a call in the function that allocates a buffer sets all of it to a number: zero_, memset.
bool set_to_number(const facts::Model& model, const facts::StatementRef& allocation);

// The number that a variable at namespace scope keeps from its declaration on: nothing stores to it, takes its address
// or names it on the host.
std::optional<double> unchanged_variable(const facts::Model& model, facts::Id storage);

}  // namespace kernel_audit::analysis::rules
