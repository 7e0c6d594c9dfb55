// Launches that cannot reach all elements of a buffer, with the sizes that get_inputs makes.
#pragma once

#include <utility>
#include <vector>

#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

struct PartialWork {
  facts::StatementRef launch;
  facts::Id kernel = facts::kNone;
  std::size_t parameter = 0;
  const facts::Statement* access = nullptr;  // the first that reaches too little
  double reached = 0, elements = 0;
  bool of_bound = false;        // `elements` is the kernel's own bound of an index, and not the size of the buffer
  bool beside_numbers = false;  // the rest is set to a number, for where it is
};

// Outputs of which nothing stores the rest: by their size, or by the bound that the launch gives to the kernel.
std::vector<PartialWork> partly_stored(const facts::Model& model);
// Inputs of which what is summed, compared or multiplied is a part.
std::vector<PartialWork> partly_read(const facts::Model& model);
// Arguments of forward that a kernel reads a part of alone, for an output of as many elements.
std::vector<PartialWork> partly_used(const facts::Model& model);

// The same of slices: all that forward returns, as many elements as an argument has, comes of launches that are handed
// a part of that argument.
std::vector<PartialWork> partly_handed(const facts::Model& model);

// Whether a place may run several times in one call of forward, each time on another part.
bool repeated(const facts::Model& model, const facts::StatementRef& place, facts::ContextId innermost);

// Whether another launch than this one, or the same in another call of its function, may write to a buffer that it is
// given.
using LaunchPlace = std::pair<facts::StatementRef, facts::ContextId>;
bool written_by_another(const facts::Model& model, const LaunchPlace& launch, const facts::Abstract& buffer);

}  // namespace kernel_audit::analysis::rules
