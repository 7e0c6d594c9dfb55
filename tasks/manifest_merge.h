// One manifest of several: a benchmark that was filtered in parts, on several machines or again after a change.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tasks/manifest.h"

namespace kernel_audit::tasks {

// The tasks of all, ordered by level, number and name. A task that several judged is taken from the last that ran it.
// Errors: parts of unequal settings, or a task whose code differs between parts. `parts` go by their names in messages.
// `source` names the benchmark, in the files of its tasks too, in place of the path that a part was read from.
Result<Manifest> merge_manifests(const std::vector<std::pair<std::string, Manifest>>& parts,
                                 const std::string& source = "");

}  // namespace kernel_audit::tasks
