// Connects the two sides of the border: calls of `ext:<name>.<function>` in Python get the C++ function
// that the extension's bindings or sources name, kernel objects get their kernel.
#pragma once

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::split {

// `extension_of_unit[i]`: extension that unit i of `facts` is built into, or empty.
void link_border(facts::Facts& facts, const std::vector<std::string>& extension_of_unit);

}  // namespace kernel_audit::analysis::split
