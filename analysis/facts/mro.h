// Python's method resolution order over the classes that the source defines.
#pragma once

#include <functional>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

// The order in which `start` and the classes above it are searched for an attribute: the C3 linearization
// (https://www.python.org/download/releases/2.3/mro/), `start` first. `bases_of` gives a class's own bases in the order
// in which they are written; kNone among them is passed over. Bases without a consistent order, a cycle (both errors
// in Python) and more than 64 classes give the order of a depth-first walk instead, each class once.
std::vector<Id> method_resolution_order(Id start, const std::function<const std::vector<Id>&(Id)>& bases_of);

}  // namespace kernel_audit::analysis::facts
