// Numbers that something around the candidate has a part in, and that decide in forward how much is computed: the grid
// of a launch, what a kernel is handed, the part of a tensor that is taken. How a kernel is tuned is left out:
// constants of its compilation, its blocks, and a grid that follows from those.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/facts/model.h"
#include "analysis/facts/surroundings.h"

namespace kernel_audit::analysis::rules {

struct Amount {
  facts::NodeId source = -1;  // of kind kSurroundings
  facts::StatementRef where;  // of the launch, or where a part is taken
  std::string what;           // "the grid of a launch"
};

// Each place once.
std::vector<Amount> amounts_from_around(const facts::Model& model,
                                        const std::function<bool(facts::Surroundings)>& wanted);

// Whether the condition at the end of a block chooses a number that bounds what a kernel does, by way of the functions
// of C++ that it is handed to.
bool chooses_bound(const facts::Model& model, facts::Id function, facts::Id block);

}  // namespace kernel_audit::analysis::rules
