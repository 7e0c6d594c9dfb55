// Compares the state that a party says it loaded with the reference's. The party's word can cost it a copy of
// the values, nothing else: outputs decide.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "eval/referee/reference.h"

namespace kernel_audit::eval {

struct StateComparison {
  std::vector<std::string> to_copy;  // equal name, dtype and shape, other values
  std::string note;                  // one sentence when the state is not simply equal
};

// `loaded` is the "state" of a Loaded message, unchecked.
StateComparison compare_state(const std::vector<StateDigest>& reference, const Json& loaded);

}  // namespace kernel_audit::eval
