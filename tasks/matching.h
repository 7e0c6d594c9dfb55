// Brings candidates together with the tasks they are for.
#pragma once

#include "tasks/task.h"

namespace kernel_audit::tasks {

// Sets task_key of each candidate to the key of its task: by key; else by name (the candidate's task name, its own, or
// the last component of that); else by a number that only one task has ("9_x.py" for id 9); else, when there is one
// task alone, that one. What stays without a task gets an empty key and a note.
void match_candidates(std::vector<Candidate>& candidates, const std::vector<Task>& tasks);

}  // namespace kernel_audit::tasks
