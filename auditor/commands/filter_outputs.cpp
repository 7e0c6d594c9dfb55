#include "auditor/commands/filter_outputs.h"

#include <iostream>

#include "auditor/commands/output.h"
#include "auditor/executor/report_builder.h"
#include "filters/published_flags.h"
#include "tasks/emit.h"
#include "tasks/manifest.h"

namespace kernel_audit::commands {
namespace {

// Seeds used and published flags stand in the evidence itself.
void add_evidence(tasks::ManifestEntry& entry, const executor::Session& session, const executor::Plan& plan,
                  const executor::PlanItem& item) {
  const executor::Recorded recorded = executor::find_record(
      session.journal().records(), Stage::kFilters, executor::filter_key(item, plan.options, session.environment));
  if (recorded.record == nullptr || recorded.record->status != "ok") return;
  const auto evidence = read_json<filters::TaskEvidence>(recorded.record->evidence, "journal: evidence of stage 1");
  if (!evidence) return;
  entry.seeds = evidence->seeds;
  const Json flags = filters::published_flags(*evidence);
  for (const auto& [name, raised] : flags.items()) {
    entry.flags[name] = raised.get<bool>();
  }
}

tasks::ManifestSettings settings_of(const reports::Report& report, const executor::Plan& plan, const Policy& policy) {
  tasks::ManifestSettings settings;
  settings.policy = report.policy;
  settings.preset = plan.options.preset;
  settings.compat = plan.options.compat;
  settings.device = report.environment.device;
  settings.torch_version = report.environment.torch_version;
  for (const auto& [id, value] : executor::filter_policy(plan, policy).thresholds) {
    if (id.starts_with("filters.")) settings.thresholds[id] = value;
  }
  if (plan.options.atol) settings.thresholds["atol"] = *plan.options.atol;
  if (plan.options.rtol) settings.thresholds["rtol"] = *plan.options.rtol;
  return settings;
}

Status write_ids(const std::string& path, const tasks::TaskSet& kept, const tasks::Manifest& manifest) {
  std::vector<std::string> unnumbered;
  const Json lists = tasks::id_lists(kept.tasks, manifest, unnumbered);
  if (Status status = write_file(path, dump_json(lists) + "\n"); !status) return status;
  for (const std::string& name : unnumbered) {
    std::cerr << "kernel-audit: warning: " << name << " is kept and has no number: it is not in " << path << "\n";
  }
  return Ok{};
}

}  // namespace

Status check_filter_outputs(const Options& options) {
  return options.emit_tree.empty() ? Status(Ok{}) : tasks::check_emit_folder(options.emit_tree);
}

Status write_filter_outputs(const executor::Session& session, const executor::Plan& plan, const reports::Report& report,
                            const Policy& policy, const Options& options, const Inputs& inputs) {
  tasks::Manifest manifest;
  manifest.tool_version = report.tool_version;
  manifest.source = options.tasks;
  manifest.created = report.started;
  manifest.settings = settings_of(report, plan, policy);
  for (std::size_t i = 0; i < report.items.size(); ++i) {
    if (inputs.items[i].task == nullptr) continue;  // a file that could not be read as a task
    const reports::Item& item = report.items[i];
    const std::vector<Finding> none;
    manifest.tasks.push_back(tasks::make_manifest_entry(*inputs.items[i].task, item.verdict,
                                                        item.verdict == Verdict::kNotRun ? item.reason : "",
                                                        item.stages.empty() ? none : item.stages.front().findings));
    add_evidence(manifest.tasks.back(), session, plan, plan.items[i]);
  }
  if (Status status = tasks::write_manifest(options.out + "/manifest.json", manifest); !status) return status;
  const tasks::TaskSet kept = tasks::kept_tasks(manifest, inputs.tasks, options.keep_review);
  if (!options.emit_tree.empty()) {
    if (Status status = tasks::emit_tree(options.emit_tree, kept.tasks, manifest); !status) return status;
  }
  return options.emit_ids.empty() ? Status(Ok{}) : write_ids(options.emit_ids, kept, manifest);
}

}  // namespace kernel_audit::commands
