// Sizes that are compared with a number in the source, where the work is done on one side alone.
#pragma once

#include <vector>

#include "analysis/facts/model.h"
#include "analysis/rules/conditions.h"

namespace kernel_audit::analysis::rules {

// Whether one of the bounds that it may be compared with is above all sizes: the last of a table.
bool beyond_all_sizes(const facts::Model& model, const Slice& slice);
// Whether it holds a number that no test for empty inputs, single rows or numbers of dimensions asks for.
bool large_number(const Slice& slice);
// n == 0, whatever n is computed with.
bool asks_whether_none(const facts::Model& model, const facts::Guard& guard);
// Whether that side of a guard is the one of sizes up to some number.
bool up_to_some_size(const facts::Model& model, const facts::Guard& guard, bool side);

// All kernels of a returned value run on the side of sizes up to some number, or of one number, and the other side
// returns what is there without them.
struct LimitedSize {
  facts::Guard guard;
  facts::Alternative way;
  facts::StatementRef launch;
};
std::vector<LimitedSize> limited_sizes(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
