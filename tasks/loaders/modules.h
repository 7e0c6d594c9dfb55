// The Python modules of its own folder and the packages in it that a candidate imports, and what they import in turn.
// Nothing outside of that folder is read, and no link is followed: what lies there is no part of the candidate.
#pragma once

#include <string>
#include <vector>

#include "tasks/loaders/loader.h"

namespace kernel_audit::tasks {

// In the order in which they are met; `exclude` is a file of the candidate's folder that is not its own. Stops at the
// limits, with a problem.
std::vector<SourceFile> read_modules(const Place& place, const SourceFile& entry, const std::string& exclude,
                                     LoadContext& context);

}  // namespace kernel_audit::tasks
