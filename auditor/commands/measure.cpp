#include "auditor/commands/measure.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "auditor/commands/filter_outputs.h"
#include "auditor/commands/output.h"
#include "auditor/core/letter_case.h"
#include "auditor/executor/build_stage.h"
#include "auditor/executor/eval_stage.h"
#include "auditor/executor/filter_stage.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/lint_stage.h"
#include "auditor/executor/report_builder.h"
#include "auditor/sandbox/sandbox.h"
#include "filters/presets.h"
#include "tasks/matching.h"

namespace kernel_audit::commands {
namespace {

using executor::Key;
using executor::Plan;
using executor::Session;

// The same task stands in several items (one per candidate): each key is measured once.
class Round {
 public:
  Round(Session& session, Stage stage) : session_(session), stage_(stage) {}
  bool wanted(const Key& key) {
    return seen_.insert(journal::identity(stage_, key)).second && !session_.done(stage_, key);
  }

 private:
  Session& session_;
  Stage stage_;
  std::set<std::string> seen_;
};

Status measure_tasks(Session& session, const Plan& plan, int jobs, const Inputs& inputs) {
  Round round(session, Stage::kFilters);
  std::vector<executor::FilterWork> work;
  for (const WorkItem& item : inputs.items) {
    if (item.task == nullptr) continue;
    Key key = executor::filter_key(item.planned, plan.options, session.environment);
    if (round.wanted(key)) work.push_back({item.task, std::move(key)});
  }
  return executor::filter_all(session, work, plan.options, jobs);
}

Status extract_candidates(Session& session, const Options& options, const Inputs& inputs) {
  Round round(session, Stage::kAnalysis);
  std::vector<executor::LintWork> work;
  for (const WorkItem& item : inputs.items) {
    if (item.candidate == nullptr || !item.planned.note.empty()) continue;
    Key key = executor::lint_key(item.planned);
    if (round.wanted(key)) work.push_back({item.candidate, std::move(key)});
  }
  return executor::extract_all(session, work, options.python, options.jobs);
}

bool undecided(Verdict verdict) { return verdict == Verdict::kInconclusive || verdict == Verdict::kReview; }

// Every attempt is recorded; the last one counts. Each has twice the budget of the one before.
Status evaluate_built(Session& session, const Plan& plan, const Policy& policy, const executor::PlanItem& item,
                      const Key& key, executor::Built& ready) {
  const std::string& name = item.candidate;
  if (ready.broken) {
    const std::string outcome = ready.broken->status;
    Status status = session.record(Stage::kEval, key, std::move(*ready.broken));
    if (status) session.progress().end_item(name, outcome);
    return status;
  }
  executor::MeasureOptions options = plan.options;
  for (int attempt = 1;; ++attempt, options.eval_budget_s *= 2) {
    executor::StageRecord record = executor::evaluate(session, ready.files, name, options);
    if (executor::interrupted()) return Ok{};
    const bool again = attempt < plan.options.attempts && executor::disturbed(record, policy);
    const std::string outcome = record.status;
    if (Status status = session.record(Stage::kEval, key, std::move(record)); !status) return status;
    if (again &&
        undecided(executor::item_verdict(plan, item, session.environment, session.journal().records(), policy))) {
      continue;
    }
    session.progress().end_item(name, outcome);
    return Ok{};
  }
}

// In batches: what can be built at once is built, then one after another is timed alone.
Status evaluate_candidates(Session& session, const Plan& plan, const Policy& policy, const Inputs& inputs) {
  Round round(session, Stage::kEval);
  std::vector<std::pair<const WorkItem*, Key>> work;
  for (const WorkItem& item : inputs.items) {
    if (item.candidate == nullptr || item.task == nullptr || !item.planned.note.empty()) continue;
    Key key = executor::eval_key(item.planned, plan.options, session.environment);
    if (round.wanted(key)) work.emplace_back(&item, std::move(key));
  }
  session.progress().start("eval", static_cast<int>(work.size()));
  const auto batch = static_cast<std::size_t>(executor::parallel_builds(session.environment.cpu_cores));
  for (std::size_t first = 0; first < work.size() && !executor::interrupted(); first += batch) {
    const std::size_t last = std::min(work.size(), first + batch);
    std::vector<executor::BuildOrder> orders;
    for (std::size_t i = first; i < last; ++i) orders.push_back({work[i].first->task, work[i].first->candidate});
    session.progress().begin_item(std::to_string(last - first) + " candidates (building)");
    std::vector<executor::Built> built = executor::build_all(session, orders, plan.options);
    for (std::size_t i = first; i < last && !executor::interrupted(); ++i) {
      const std::string& name = work[i].first->planned.candidate;
      session.progress().begin_item(name);
      Status status = evaluate_built(session, plan, policy, work[i].first->planned, work[i].second, built[i - first]);
      executor::discard(built[i - first].files);
      if (!status) return status;
    }
  }
  session.progress().finish();
  return Ok{};
}

// Layer → "active" or why not, for the head of the report.
Json sandbox_layers() {
  Json layers = Json::object();
  for (const sandbox::LayerState& layer : sandbox::probe_sandbox().layers) {
    layers[sandbox::to_string(layer.layer)] = layer.active ? "active" : layer.detail;
  }
  return layers;
}

}  // namespace

std::vector<WorkItem> pair_up(const tasks::TaskSet& tasks, tasks::CandidateSet& candidates) {
  tasks::match_candidates(candidates.candidates, tasks.tasks);
  std::map<std::string, const tasks::Task*> by_key;
  for (const tasks::Task& task : tasks.tasks) by_key[task.key()] = &task;
  std::vector<WorkItem> items;
  for (const tasks::Candidate& candidate : candidates.candidates) {
    WorkItem item;
    item.candidate = &candidate;
    if (const auto found = by_key.find(candidate.task_key); found != by_key.end()) item.task = found->second;
    item.planned = executor::item_of(item.task, item.candidate);
    if (item.task == nullptr && item.planned.note.empty()) {
      item.planned.note = candidate.note.empty() ? "its task is not among the tasks" : candidate.note;
    }
    items.push_back(std::move(item));
  }
  return items;
}

void list_problems(const std::vector<Error>& problems, bool of_tasks, std::vector<WorkItem>& items) {
  for (const Error& problem : problems) {
    const std::string note = problem.describe();
    const auto same = [&](const WorkItem& item) { return item.planned.note == note; };
    if (std::any_of(items.begin(), items.end(), same)) continue;
    std::cerr << "kernel-audit: warning: " << note << "\n";
    WorkItem item;
    (of_tasks ? item.planned.task : item.planned.candidate) = problem.file.empty() ? "(unreadable)" : problem.file;
    item.planned.note = note;
    items.push_back(std::move(item));
  }
}

int measure(const std::string& command, const Stages& stages, Options& options, Inputs& inputs) {
  Result<Policy> policy = load_policy(options.policy, options.policy_settings);
  if (!policy) return usage_error(policy.error());
  Result<filters::Preset> preset = filters::find_preset(options.measure.preset);
  if (!preset) return usage_error(preset.error());
  if (options.measure.seeds == 0) options.measure.seeds = preset->max_seeds;
  executor::SessionOptions session_options{options.out, options.fresh, options.retry, options.quiet};
  Result<std::unique_ptr<Session>> opened = Session::open(session_options);
  if (!opened) return usage_error(opened.error());
  Session& session = **opened;

  Plan plan;
  plan.command = command;
  plan.policy = options.policy;
  plan.policy_settings = options.policy_settings;
  plan.options = options.measure;
  if (stages.filter || stages.eval) {
    Result<std::string> device = session.resolve_device(options.device);
    if (!device) return usage_error(device.error());
    plan.options.device = *device;
    // Twins for another device are not part of this run.
    std::erase_if(inputs.items, [&](const WorkItem& item) {
      return item.candidate != nullptr && !item.candidate->device.empty() && item.candidate->device != *device;
    });
  }
  for (const WorkItem& item : inputs.items) plan.items.push_back(item.planned);
  if (plan.items.empty()) {
    return usage_error({ErrorKind::kUsage, "no item is left to work on", "", "", "check --level, --ids and --device"});
  }
  Status status = session.begin(plan);
  if (status && stages.eval) status = session.note({{"sandbox", sandbox_layers()}});
  if (status && stages.filter) status = measure_tasks(session, plan, command == "filter" ? options.jobs : 1, inputs);
  if (status && stages.lint && !executor::interrupted()) status = extract_candidates(session, options, inputs);
  if (status && stages.eval && !executor::interrupted()) status = evaluate_candidates(session, plan, *policy, inputs);
  if (!status) return usage_error(status.error());

  reports::Report report;
  executor::do_or_leave(
      [&] { report = executor::build_report(plan, session.environment, session.journal().records(), *policy); },
      "interrupted; the journal keeps what was recorded, and `kernel-audit report` renders it");
  for (const tasks::Candidate& candidate : inputs.candidates.candidates) {
    for (const tasks::SourceFile& file : candidate.files) report.sources[file.file] = file.text;
  }
  if (command == "eval") {
    // No Facts here that would tell comments from strings: said of the words alone.
    int mentioning = 0;
    for (const tasks::Candidate& candidate : inputs.candidates.candidates) {
      mentioning += std::any_of(candidate.files.begin(), candidate.files.end(), [](const tasks::SourceFile& file) {
        return in_small_letters(file.text).find("kernel-audit: allow") != std::string::npos;
      });
    }
    if (mentioning > 0) {
      report.notes.push_back(std::to_string(mentioning) +
                             (mentioning == 1 ? " candidate contains" : " candidates contain") +
                             " the words \"kernel-audit: allow\", of which eval takes no notice.");
    }
  }
  if (command == "filter") {
    if (Status written = write_filter_outputs(session, plan, report, *policy, options, inputs); !written) {
      return usage_error(written.error());
    }
  }
  return finish(report, options.out, options.format, executor::interrupted());
}

}  // namespace kernel_audit::commands
