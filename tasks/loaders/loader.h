// One input format: how to recognise it and how to read tasks and candidates from it. Each lives in one
// file of this folder and has one line in registry.cpp. Loaders only read: they run no code, follow no
// network path, and report what they cannot read as problems without giving up on the rest.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tasks/task.h"

namespace kernel_audit::tasks {

// Limits that keep hostile or mistaken inputs from eating the machine; each one hit is a problem with its number.
struct Limits {
  std::size_t source_bytes = std::size_t{16} << 20;    // one source file or code field
  std::size_t records_bytes = std::size_t{512} << 20;  // one JSON or JSONL file
  std::size_t modules = 32;                            // Python files that a candidate brings along
  std::size_t module_bytes = std::size_t{4} << 20;     // together
  std::size_t files = 50000;                           // source files of one load
  std::size_t depth = 12;                              // nested directories
  std::size_t problems = 200;                          // problems reported one by one
};

// A file or directory to be loaded.
struct Place {
  std::string path;      // on disk; also what the user named, joined with the way down to here
  std::string relative;  // from the place the user named, empty for that place itself
  bool is_directory = false;

  std::string base_name() const;  // last component, "." and ".." resolved
  Place child(const std::string& name, bool directory) const;
};

// State of one load: options, limits and what has been collected.
struct LoadContext {
  const LoadOptions& options;
  Limits limits;
  std::vector<Error> problems;
  std::size_t dropped_problems = 0;
  std::size_t files_read = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> directories;  // device and inode of each directory entered
  bool flat = false;                                              // of a directory only the source files are read

  void problem(Error error);
};

struct Loader {
  std::string name;     // "kernelbench-tree"
  std::string summary;  // one line, for help and documentation
  int precedence;       // of several that recognise a place, the highest reads it
  bool (*recognises)(const Place& place);
  void (*load_tasks)(const Place& place, LoadContext& context, std::vector<Task>& tasks);
  void (*load_candidates)(const Place& place, LoadContext& context, std::vector<Candidate>& candidates);
};

// Sorted by name.
const std::vector<Loader>& loaders();
// The loader that reads `place`; nullptr when none recognises it.
const Loader* find_loader(const Place& place);

// Makes the names fit for reports and file names, and each one of its own.
void finish_names(std::vector<Candidate>& candidates);

// load_tasks and load_candidates with limits of the caller's choice.
Result<TaskSet> load_tasks(const std::string& path, const LoadOptions& options, const Limits& limits);
Result<CandidateSet> load_candidates(const std::string& path, const LoadOptions& options, const Limits& limits);

}  // namespace kernel_audit::tasks
