// Whether all that a kernel does is to copy elements to the same places of another buffer, helpers that give back what
// they are handed and terms that are zero whatever is read left out.
#pragma once

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

bool only_copies(const Facts& facts, const Function& function);

}  // namespace kernel_audit::analysis::facts
