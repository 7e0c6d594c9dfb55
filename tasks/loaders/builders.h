// Makes tasks and candidates from sources that were read, with their hashes filled in.
#pragma once

#include <string>
#include <vector>

#include "tasks/loaders/loader.h"

namespace kernel_audit::tasks {

std::string task_key(int level, int id);  // "1/9"

Task make_task(const std::string& suite, int level, int id, const std::string& name, SourceFile source);

// `key` may be empty when the task is not known.
Candidate make_candidate(const std::string& name, const std::string& key, SourceFile source);
Candidate make_candidate(const std::string& name, const std::string& key, std::vector<SourceFile> files);

// An entry without code; `note` says why ("no code: custom_code is null").
Candidate make_empty_candidate(const std::string& name, const std::string& key, const std::string& note);

// Files next to `place` that belong to it: for a Python file the modules that it imports and, when no other Python file
// lies there, C++ and CUDA sources and headers; headers for a C++ or CUDA file. `entry` is what was read from `place`;
// `exclude` names a file that is never taken.
std::vector<SourceFile> read_neighbours(const Place& place, const SourceFile& entry, LoadContext& context,
                                        const std::string& exclude = "");

// Takes out, from `first` on, files that another candidate brings along and that are no candidates themselves.
void drop_helpers(std::vector<Candidate>& candidates, std::size_t first);

}  // namespace kernel_audit::tasks
