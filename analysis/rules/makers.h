// What makes a value: the statements behind variables and choices.
#pragma once

#include <set>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// The statements that make what a value may be, through local variables and choices.
std::set<const facts::Statement*> makers(const facts::Model& model, facts::Id function, facts::Id value);

}  // namespace kernel_audit::analysis::rules
