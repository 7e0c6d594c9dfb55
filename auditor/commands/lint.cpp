#include <iostream>

#include "auditor/commands/measure.h"

namespace kernel_audit::commands {

int lint_command(const Arguments& arguments) {
  OptionGroups groups;
  groups.candidates = true;
  groups.positional = "candidates";
  const HelpText help{"lint CANDIDATES… [OPTIONS]",
                      "Static analysis of candidates (Python, CUDA, C++, also embedded in Python): framework "
                      "fallbacks, cached results, side\n"
                      "streams. Verdicts: cheat, inconclusive, review, clean. Runs no code of the candidate and needs "
                      "neither torch nor a GPU.",
                      "  kernel-audit lint my_kernel.py\n"
                      "  kernel-audit lint runs/my_run/ --json\n"
                      "  kernel-audit lint cuda_l1/a100.jsonl --level 1 --out out\n"};
  Result<std::optional<Options>> parsed = parse_options(arguments, groups, help);
  if (!parsed) return usage_error(parsed.error());
  if (!parsed->has_value()) return 0;
  Options& options = **parsed;
  if (options.candidates.empty()) {
    return usage_error(
        {ErrorKind::kUsage, "no candidates were named", "", "CANDIDATES", "name files, folders or JSONL"});
  }
  Inputs inputs;
  std::vector<WorkItem> unread;
  for (const std::string& path : options.candidates) {
    Result<tasks::CandidateSet> loaded = tasks::load_candidates(path, options.load);
    if (!loaded) return usage_error(loaded.error());
    list_problems(loaded->problems, false, unread);
    for (tasks::Candidate& candidate : loaded->candidates) inputs.candidates.candidates.push_back(std::move(candidate));
  }
  for (const tasks::Candidate& candidate : inputs.candidates.candidates) {
    WorkItem item{executor::item_of(nullptr, &candidate), nullptr, &candidate};
    // A record without code is not there to be linted; `run` lists it as not-run.
    if (item.planned.note.empty()) inputs.items.push_back(std::move(item));
  }
  const std::size_t skipped = inputs.candidates.candidates.size() - inputs.items.size();
  if (skipped != 0) std::cerr << "kernel-audit: note: " << skipped << " records hold no code\n";
  if (inputs.items.empty()) {
    return usage_error({ErrorKind::kUsage, "there is no candidate among the inputs", options.candidates.front(), "",
                        "name a .py, .cu or .cpp file"});
  }
  inputs.items.insert(inputs.items.end(), unread.begin(), unread.end());
  return measure("lint", {.lint = true}, options, inputs);
}

}  // namespace kernel_audit::commands
