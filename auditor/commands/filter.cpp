#include "auditor/commands/filter.h"

#include "auditor/commands/filter_outputs.h"
#include "auditor/commands/measure.h"

namespace kernel_audit::commands {

int filter_command(const Arguments& arguments) {
  using Subcommand = int (*)(const Arguments&);
  for (const auto& [name, run] : {std::pair<const char*, Subcommand>("diff", filter_diff_command),
                                  {"merge", filter_merge_command},
                                  {"presets", filter_presets_command}}) {
    if (!arguments.empty() && arguments[0] == name) return run(Arguments(arguments.begin() + 1, arguments.end()));
  }
  OptionGroups groups;
  groups.tasks = groups.measuring = groups.filter = groups.emit = true;
  groups.positional = "tasks";
  const HelpText help{
      "filter TASKS --out DIR [OPTIONS]",
      "Runs each reference task under many seeds and variations and tells which tasks are degenerate: output in a "
      "tiny\n"
      "range, the same for all seeds, uniform along an axis, indifferent to an input, or matched by a trivial answer.\n"
      "Verdicts: keep, review, drop, not-run. Writes manifest.json, results.json and report.md.\n"
      "filter diff A B compares two manifests, filter merge joins those of parts of a benchmark, filter presets "
      "[NAME]\n"
      "lists every threshold with its source.",
      "  kernel-audit filter KernelBench/ --level 1 --out out --emit-tree kept --emit-ids kept.json\n"
      "  kernel-audit filter tasks.jsonl --ids 1/9,2/66 --preset robust-kbench --out out\n"
      "  kernel-audit filter robust-kbench/tasks --compat robust-kbench --set seed-std.drop_tolerance=2 --out out\n"
      "  kernel-audit filter diff old/manifest.json out/manifest.json\n"};
  Result<std::optional<Options>> parsed = parse_options(arguments, groups, help);
  if (!parsed) return usage_error(parsed.error());
  if (!parsed->has_value()) return 0;
  Options& options = **parsed;
  if (options.tasks.empty())
    return usage_error({ErrorKind::kUsage, "no tasks were named", "", "TASKS", "name a checkout, JSONL or file"});
  if (options.out.empty()) options.out = "kernel-audit-out";
  if (Status status = check_filter_outputs(options); !status) return usage_error(status.error());
  Inputs inputs;
  Result<tasks::TaskSet> loaded = tasks::load_tasks(options.tasks, options.load);
  if (!loaded) return usage_error(loaded.error());
  inputs.tasks = std::move(*loaded);
  for (const tasks::Task& task : inputs.tasks.tasks) {
    inputs.items.push_back({executor::item_of(&task, nullptr), &task, nullptr});
  }
  list_problems(inputs.tasks.problems, true, inputs.items);
  return measure("filter", {.filter = true}, options, inputs);
}

}  // namespace kernel_audit::commands
