// Facts of one function as text, one statement a line, for tests and for people.
#pragma once

#include <string>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::cuda {

// "b0:\n  %3 = call at::matmul(%1, %2)\n  return %3\n  -> b1 true, b2 false\n"
std::string dump(const facts::Facts& facts, facts::Id function);
std::string dump(const facts::Facts& facts);  // every function, bindings and problems

}  // namespace kernel_audit::analysis::cuda
