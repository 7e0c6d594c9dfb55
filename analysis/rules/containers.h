// Containers that calls of forward add to.
#pragma once

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// The storage of the container that the statement adds to, kNone when it is not told.
facts::Id container_of(const facts::Model& model, const facts::StateStore& store);

}  // namespace kernel_audit::analysis::rules
