// Arguments of forward whose memory the caller gets back as the result.
#pragma once

#include <set>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// Positions of the arguments of which every tensor that one return hands back is one, as a whole or in part; of those
// that forward writes to for certain.
std::set<int> written_and_returned(const facts::Model& model, const facts::EntryReturn& returned);
std::set<int> written_and_returned(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
