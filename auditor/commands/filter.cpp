#include "auditor/commands/measure.h"

namespace kernel_audit::commands {

int filter_command(const Arguments& arguments) {
  OptionGroups groups;
  groups.tasks = groups.measuring = groups.filter = true;
  groups.positional = "tasks";
  const HelpText help{
      "filter TASKS --out DIR [OPTIONS]",
      "Runs each reference task under many seeds and variations and tells which tasks are degenerate: output in a "
      "tiny\n"
      "range, the same for all seeds, uniform along an axis, indifferent to an input, or matched by a trivial answer.\n"
      "Verdicts: keep, review, drop, not-run. Writes manifest.json, results.json and report.md.",
      "  kernel-audit filter KernelBench/ --level 1 --out out\n"
      "  kernel-audit filter tasks.jsonl --ids 1/9,2/66 --preset robust-kbench --out out\n"};
  Result<std::optional<Options>> parsed = parse_options(arguments, groups, help);
  if (!parsed) return usage_error(parsed.error());
  if (!parsed->has_value()) return 0;
  Options& options = **parsed;
  if (options.tasks.empty())
    return usage_error({ErrorKind::kUsage, "no tasks were named", "", "TASKS", "name a checkout, JSONL or file"});
  if (options.out.empty()) options.out = "kernel-audit-out";
  Inputs inputs;
  Result<tasks::TaskSet> loaded = tasks::load_tasks(options.tasks, options.load);
  if (!loaded) return usage_error(loaded.error());
  inputs.tasks = std::move(*loaded);
  print_problems(inputs.tasks.problems);
  for (const tasks::Task& task : inputs.tasks.tasks) {
    inputs.items.push_back({executor::item_of(&task, nullptr), &task, nullptr});
  }
  return measure("filter", {.filter = true}, options, inputs);
}

}  // namespace kernel_audit::commands
