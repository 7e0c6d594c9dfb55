#include "auditor/commands/measure.h"

namespace kernel_audit::commands {
namespace {

// Loads tasks and candidates; one record file can hold both.
Status load_inputs(Options& options, Inputs& inputs) {
  if (options.tasks.empty() && options.candidates.size() == 1) options.tasks = options.candidates.front();
  if (options.candidates.empty() && !options.tasks.empty()) options.candidates.push_back(options.tasks);
  if (options.tasks.empty()) {
    return Error{ErrorKind::kUsage, "no tasks and no candidates were named", "", "--tasks",
                 "give --tasks PATH --candidates PATH"};
  }
  Result<tasks::TaskSet> loaded = tasks::load_tasks(options.tasks, options.load);
  if (!loaded) return loaded.error();
  inputs.tasks = std::move(*loaded);
  std::vector<WorkItem> unread;
  for (const std::string& path : options.candidates) {
    Result<tasks::CandidateSet> candidates = tasks::load_candidates(path, options.load);
    if (!candidates) return candidates.error();
    list_problems(candidates->problems, false, unread);
    for (tasks::Candidate& candidate : candidates->candidates)
      inputs.candidates.candidates.push_back(std::move(candidate));
  }
  list_problems(inputs.tasks.problems, true, unread);
  inputs.items = pair_up(inputs.tasks, inputs.candidates);
  inputs.items.insert(inputs.items.end(), unread.begin(), unread.end());
  if (inputs.items.empty()) {
    return Error{ErrorKind::kUsage, "there is no candidate among the inputs", options.candidates.front(),
                 "--candidates", "name a .py file or a folder of them"};
  }
  return Ok{};
}

int measure_pairs(const std::string& command, const Stages& stages, const Arguments& arguments, const HelpText& help) {
  OptionGroups groups;
  groups.tasks = groups.candidates = groups.measuring = groups.filter = true;
  groups.positional = "candidates";
  Result<std::optional<Options>> parsed = parse_options(arguments, groups, help);
  if (!parsed) return usage_error(parsed.error());
  if (!parsed->has_value()) return 0;
  Options& options = **parsed;
  if (options.out.empty()) options.out = "kernel-audit-out";
  Inputs inputs;
  if (Status status = load_inputs(options, inputs); !status) return usage_error(status.error());
  return measure(command, stages, options, inputs);
}

}  // namespace

int run_command(const Arguments& arguments) {
  return measure_pairs(
      "run", {.filter = true, .lint = true, .eval = true}, arguments,
      {"run --tasks PATH --candidates PATH [OPTIONS]",
       "All three stages: filters the tasks, lints the candidates, evaluates each against its task, and reports one "
       "verdict\n"
       "per candidate: not-run, broken, wrong, cheat, invalid-task, inconclusive, review, no-speedup or confirmed. The "
       "same\n"
       "command resumes a run that was stopped; measured items are not measured again.",
       "  kernel-audit run --tasks KernelBench/ --candidates KernelBench/runs/my_run --level 1 --out out\n"
       "  kernel-audit run cuda_l1/a100.jsonl --ids 1/9,2/66 --out out\n"});
}

int eval_command(const Arguments& arguments) {
  return measure_pairs("eval", {.eval = true}, arguments,
                       {"eval --tasks PATH --candidates PATH [OPTIONS]",
                        "Stage 3 alone: proven time of each candidate against the eager baseline by the referee's "
                        "clock, with every timed\n"
                        "output checked in the referee's memory.",
                        "  kernel-audit eval --tasks task.py --candidates candidate.py --out out\n"});
}

}  // namespace kernel_audit::commands
