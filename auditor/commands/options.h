// Options shared by the subcommands, on top of Boost.Program_options: each command composes the groups
// it needs, so one option has one meaning and one help text everywhere.
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "auditor/commands/command.h"
#include "auditor/core/policy.h"
#include "auditor/core/result.h"
#include "auditor/executor/plan.h"
#include "tasks/task.h"

namespace kernel_audit::commands {

struct Options {
  // Inputs
  std::string tasks;
  std::vector<std::string> candidates;
  std::vector<std::string> levels, ids, fields;
  std::vector<std::string> assignments;  // --set of the filter's thresholds
  std::string baselines;                 // "compile,graph"
  // Output
  std::string out;
  bool fresh = false, retry = false, quiet = false, json = false;
  std::string format = "text";  // what stdout gets: "text" or a writer of reports/registry.h
  std::string policy = "kernelbench";
  std::string emit_tree, emit_ids;           // of the filter: folder and file for what is kept
  bool keep_review = false;                  // tasks for review count as kept there
  std::vector<std::string> policy_settings;  // --set of the policy
  // Linting
  std::vector<std::string> select, ignore;
  std::string baseline, write_baseline, cache, stdin_filename = "stdin.py";
  bool from_stdin = false, only_candidates = false;
  // Measuring
  std::string device = "auto";
  executor::MeasureOptions measure;
  std::string python;
  int jobs = 0;
  std::string memory_limit;  // "8G"

  tasks::LoadOptions load;  // filled from levels, ids and fields
};

// Which groups a command takes.
struct OptionGroups {
  bool tasks = false;                // --tasks
  bool candidates = false;           // --candidates
  bool selection = true;             // --level, --ids, --field
  bool output = true;                // --out, --fresh, --retry
  bool measuring = false;            // --device, --compat, --time-limit, …
  bool filter = false;               // --preset, --seeds, --set, --atol, --rtol
  bool lint = false;                 // --select, --ignore, --baseline, --cache, --stdin, …
  bool emit = false;                 // --emit-tree, --emit-ids, --keep-review
  const char* positional = nullptr;  // "tasks" or "candidates": where bare arguments go
};

struct HelpText {
  const char* usage;
  const char* description;
  const char* examples;
};

// Reads `arguments` as `described`, words without an option as `positional` (at most `count`, -1: any number; nullptr:
// none). False when help was printed (exit code 0), an Error on a usage error. Abbreviated options are refused: a
// script must not change its meaning when an option is added.
Result<bool> read_arguments(const Arguments& arguments, const boost::program_options::options_description& described,
                            const char* positional, int count, const HelpText& help,
                            boost::program_options::variables_map& values);

// Parsed options; nothing when help was printed (exit 0); an Error is a usage error (exit 2).
Result<std::optional<Options>> parse_options(const Arguments& arguments, const OptionGroups& groups,
                                             const HelpText& help);

// "512M", "8G", plain bytes.
Result<std::uint64_t> parse_bytes(const std::string& text);

// A file that an option names: UTF-8 text.
Result<std::string> read_text_file(const std::string& path);

// A preset by name, or a JSON file, with single settings ("vendor_libraries=forbid") on top.
Result<Policy> load_policy(const std::string& name_or_file, const std::vector<std::string>& settings);

// "text, github, json, …", for help and errors.
std::string format_names();
Status check_format(const std::string& format);

// Prints `error` to stderr as one line and returns exit code 2.
int usage_error(const Error& error);

}  // namespace kernel_audit::commands
