// What the filter hands on of the tasks that it keeps: a tree of their files, byte for byte, and the lists of numbers
// that a benchmark's own selection takes.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "tasks/manifest.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {

// Whether `folder` may be written: it must be absent, empty, or a tree that emit_tree made.
Status check_emit_folder(const std::string& folder);

// Writes `tasks` below `folder` in the layout that they came in (KernelBench/level<N>/<id>_<Name>.py, one folder per
// robust-kbench or paired task, else <name>.py) and the manifest of all tasks beside them. A tree of an earlier run is
// replaced as a whole, at the end.
Status emit_tree(const std::string& folder, const std::vector<Task>& tasks, const Manifest& manifest);

// {"1": [1, 2, 5], "2": […]}: for each level what KernelBench's subset(problem_ids=…) takes. A level all of whose tasks
// are gone has an empty list. `unnumbered` gets the names of kept tasks that have no number.
Json id_lists(const std::vector<Task>& kept, const Manifest& manifest, std::vector<std::string>& unnumbered);

}  // namespace kernel_audit::tasks
