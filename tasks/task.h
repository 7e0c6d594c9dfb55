// What the loaders produce: tasks (reference code) and candidates (submitted code, with the claim
// that came with it). Text is kept byte for byte; a code hash identifies it. Loaders run no code.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::tasks {

struct Task {
  std::string suite;  // "kernelbench", "cuda_l1", "demo", "file", …
  int level = 0;      // 0 when the suite has no levels
  int id = 0;         // 0 when there is none
  std::string name;   // "1_Square_matrix_multiplication_"
  std::string code;   // reference source, byte for byte
  std::string code_sha256;
  std::string file;  // as the user named it: "a.py" or "a.jsonl:record 17:ref_code"
  std::string path;  // real file on disk when there is one, else empty
  // What the code leaves open: {"init": {…}, "inputs": {…}}, arguments by name of Model and of get_inputs. Null when
  // nothing is left open. Part of what code_sha256 covers.
  Json configuration;
  // "1/45" (level/id) when both are known, else the name; unique within one load.
  std::string key() const;
};

enum class Language { kPython, kCuda, kCpp };

struct SourceFile {
  std::string file;  // as the user named it, for spans and messages
  std::string path;  // real path, empty when it came from a record
  std::string text;
  Language language = Language::kPython;
};

struct Candidate {
  std::string name;      // unique within one load: file stem, "1/9", "run/level_1_problem_3_sample_0"
  std::string task_key;  // Task::key() it belongs to, empty when unknown
  int sample = 0;
  std::string device;             // "cpu" or "cuda" when it is meant for that device alone, empty for any
  std::vector<SourceFile> files;  // the first one is the entry; the rest are its neighbours (includes)
  std::string code_sha256;        // code_digest() over all files
  std::optional<double> claimed_speedup;
  std::map<std::string, double> claims;         // every number that came with it, by field name
  std::string note;                             // e.g. "no code: custom_code is null"
  std::optional<std::string> expected_verdict;  // demo and fixtures: the label
};

// The name of a candidate's file as its entry sees it: "ops.py", "lib/ops.py"; the bare name of what lies elsewhere.
// The same files at another place on disk keep these names.
std::string name_within(const std::string& entry, const std::string& path);

// SHA-256 of the text of a single file (what `sha256sum` prints); of several, over name, size and text of each in
// order.
std::string code_digest(const std::vector<SourceFile>& files);

struct LoadOptions {
  std::vector<int> levels;       // empty: all
  std::vector<std::string> ids;  // "1/9", "9" or names; empty: all
  // --field ROLE=NAME: which field of a record holds what. Roles: ref (reference code), code (candidate code),
  // level, id, name, claim (claimed speedup), language, sample.
  std::map<std::string, std::string> fields;
  // Which configurations of a task that brings several lists of them: "single", "multi" or "all".
  std::string configurations = "single";
};

struct TaskSet {
  std::vector<Task> tasks;
  std::vector<Error> problems;  // entries that could not be read; the rest is still used
};
struct CandidateSet {
  std::vector<Candidate> candidates;
  std::vector<Error> problems;
  std::vector<std::string> left_out;  // of load_candidates_with: files that are part of no candidate
};

// Detects the format of `path` (KernelBench tree, JSON/JSONL, .py file, directory) and loads it. An Error means that
// nothing could be used; what concerns single entries is in `problems`. Formats: tasks/loaders/registry.cpp.
Result<TaskSet> load_tasks(const std::string& path, const LoadOptions& options);
// Candidates: .py, .cu/.cuh/.cpp, directories, KernelBench run directories, JSON/JSONL.
Result<CandidateSet> load_candidates(const std::string& path, const LoadOptions& options);
// Of the candidates that the folders of these source files, and those above them, would give, the ones that one of the
// files is part of.
Result<CandidateSet> load_candidates_with(const std::vector<std::string>& files, const LoadOptions& options);

}  // namespace kernel_audit::tasks
