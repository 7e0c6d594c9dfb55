#include "auditor/executor/report_builder.h"

#include <algorithm>

#include "analysis/engine.h"
#include "auditor/core/verdict.h"
#include "auditor/core/version.h"
#include "eval/derive.h"
#include "eval/evidence.h"
#include "eval/summary.h"
#include "filters/engine.h"
#include "filters/presets.h"

namespace kernel_audit::executor {
namespace {

struct StageOutcome {
  StageSummary summary;
  std::vector<Metric> metrics;
  std::vector<SuppressedFinding> suppressed;  // lint alone
  std::size_t directives = 0;                 // comments of the candidate that speak to lint
};

// A record that ended in a fault: the stage did not run, and the fault says why.
StageOutcome fault_outcome(const journal::Record& record) {
  StageOutcome outcome;
  const Error error{error_kind_from_string(record.status).value_or(ErrorKind::kTool),
                    record.evidence.value("message", "no message"), "", "", ""};
  switch (record.stage) {
    case Stage::kFilters:
      outcome.summary = filters::summarize_fault(error);
      break;
    case Stage::kAnalysis:
      outcome.summary = analysis::summarize_fault(error);
      break;
    case Stage::kEval:
      outcome.summary.ran = outcome.summary.broken = record.evidence.value("broken", false);
      outcome.summary.reason = record.status + ": " + error.message;
      break;
  }
  return outcome;
}

StageOutcome not_recorded(const PlanItem& item) {
  StageOutcome outcome;
  outcome.summary.reason = item.note.empty() ? "not measured yet" : item.note;
  return outcome;
}

}  // namespace

Policy filter_policy(const Plan& plan, Policy policy) {
  for (const auto& [id, value] : plan.options.thresholds) policy.thresholds[id] = value;
  if (const Result<filters::Preset> preset = filters::find_preset(plan.options.preset))
    filters::apply_preset(*preset, policy);
  return policy;
}

namespace {

StageOutcome filter_outcome(const Json& json, const Policy& policy) {
  StageOutcome outcome;
  Result<filters::TaskEvidence> evidence = read_json<filters::TaskEvidence>(json, "journal: evidence of stage 1");
  if (!evidence) {
    outcome.summary.reason = evidence.error().describe();
    return outcome;
  }
  outcome.summary = filters::summarize(*evidence, policy);
  outcome.metrics = filters::metrics(*evidence);
  return outcome;
}

// `view`: of the command `lint`; nullptr for the others, which take no notice of comments.
StageOutcome conclude_lint(analysis::AnalysisResult result, const LintView* view) {
  StageOutcome outcome;
  outcome.directives = result.directives.size();
  if (view != nullptr) outcome.suppressed = analysis::set_aside(result, view->set_aside);
  outcome.summary = analysis::summarize(result);
  return outcome;
}

StageOutcome lint_outcome(const Json& json, const Policy& policy, const LintView* view) {
  StageOutcome outcome;
  Result<analysis::facts::Facts> facts = analysis::facts::facts_from_json(json, "journal: evidence of stage 2");
  if (!facts) {
    outcome.summary.reason = facts.error().describe();
    return outcome;
  }
  return conclude_lint(analysis::analyze(*facts, policy), view);
}

StageOutcome outcome_of(const Linted& linted, const LintView& view) {
  StageOutcome outcome;
  if (!linted.done) {
    outcome.summary.reason = "not analysed: the run was interrupted";
  } else if (linted.fault) {
    outcome.summary = analysis::summarize_fault(*linted.fault);
  } else {
    outcome = conclude_lint(linted.result, &view);
  }
  return outcome;
}

StageOutcome eval_outcome(const Json& json, const Policy& policy, reports::Item& item) {
  StageOutcome outcome;
  Result<eval::EvalEvidence> evidence = eval::eval_evidence_from_json(json, "journal: evidence of stage 3");
  if (!evidence) {
    outcome.summary.reason = evidence.error().describe();
    return outcome;
  }
  outcome.summary = eval::summarize(*evidence, policy);
  outcome.metrics = eval::metrics(*evidence);
  item.measured_speedup = evidence->device_speedup;
  if (const Metric* carrying = eval::carrying_speedup(*evidence)) {
    item.proven_speedup = *carrying;
  } else {
    item.proven_speedup = evidence->speedup;
  }
  return outcome;
}

Verdict stage_verdict(Stage stage, const StageSummary& summary) {
  switch (stage) {
    case Stage::kFilters:
      return filter_verdict(summary);
    case Stage::kAnalysis:
      return summary.ran ? lint_verdict(summary) : Verdict::kInconclusive;
    case Stage::kEval:
      break;
  }
  VerdictInputs alone;
  alone.eval = summary;
  return final_verdict(alone);
}

Verdict command_verdict(const std::string& command, const VerdictInputs& inputs) {
  if (command == "filter") return filter_verdict(*inputs.filters);
  if (command == "lint") return stage_verdict(Stage::kAnalysis, *inputs.analysis);
  return final_verdict(inputs);
}

// What made the verdict of a stage alone: its first finding of the worst effect, else what the summary says. (decide()
// misses a speedup, which was not asked for.)
std::string stage_reason(Stage stage, const StageSummary& summary) {
  constexpr Effect kFilters[] = {Effect::kDrop, Effect::kCheat, Effect::kWrong, Effect::kReview, Effect::kInconclusive};
  constexpr Effect kAnalysis[] = {Effect::kCheat, Effect::kWrong, Effect::kInconclusive, Effect::kReview,
                                  Effect::kDrop};
  if (!summary.ran || (stage == Stage::kFilters && summary.broken)) return summary.reason;
  for (const Effect effect : stage == Stage::kFilters ? kFilters : kAnalysis) {
    if (summary.broken && effect == Effect::kInconclusive) break;
    for (const Finding& finding : summary.findings) {
      if (finding.effect == effect) return finding.message;
    }
  }
  return summary.reason;
}

reports::Item build_item(const Plan& plan, const PlanItem& planned, const Environment& environment,
                         const std::vector<journal::Record>& records, const Policy& policy, const LintView& lint,
                         const Linted* linted, std::size_t& directives) {
  reports::Item item;
  item.task = planned.task;
  item.task_name = planned.task_name;
  item.candidate = planned.candidate;
  item.task_sha256 = planned.task_sha256;
  item.candidate_sha256 = planned.candidate_sha256;
  item.claimed_speedup = planned.claimed_speedup;
  item.expected_verdict = planned.expected_verdict;
  item.files = planned.files;

  VerdictInputs inputs;
  const auto add = [&](Stage stage, const Key& key, std::optional<StageSummary>& slot, const auto& conclude) {
    const Recorded recorded = find_record(records, stage, key);
    const bool at_hand = stage == Stage::kAnalysis && linted != nullptr;
    StageOutcome outcome = at_hand                           ? outcome_of(*linted, lint)
                           : recorded.record == nullptr      ? not_recorded(planned)
                           : recorded.record->status == "ok" ? conclude(recorded.record->evidence)
                                                             : fault_outcome(*recorded.record);
    reports::StageResult result;
    result.stage = stage;
    result.verdict = stage_verdict(stage, outcome.summary);
    result.reason = outcome.summary.reason;
    result.attempts = recorded.attempts;
    result.findings = outcome.summary.findings;
    result.metrics = std::move(outcome.metrics);
    result.suppressed = std::move(outcome.suppressed);
    if (at_hand) result.attempts = 1;
    directives += outcome.directives;
    item.stages.push_back(std::move(result));
    slot = std::move(outcome.summary);
  };
  const bool whole = plan.command == "run";
  if ((whole && !planned.task_sha256.empty()) || plan.command == "filter") {
    add(Stage::kFilters, filter_key(planned, plan.options, environment), inputs.filters,
        [&](const Json& json) { return filter_outcome(json, filter_policy(plan, policy)); });
  }
  if ((whole || plan.command == "lint") && !planned.candidate.empty()) {
    add(Stage::kAnalysis, lint_key(planned), inputs.analysis,
        [&](const Json& json) { return lint_outcome(json, policy, whole ? nullptr : &lint); });
  }
  if ((whole || plan.command == "eval") && !planned.candidate.empty()) {
    add(Stage::kEval, eval_key(planned, plan.options, environment), inputs.eval,
        [&](const Json& json) { return eval_outcome(json, policy, item); });
  }
  item.verdict = planned.note.empty() ? command_verdict(plan.command, inputs) : Verdict::kNotRun;
  // A stage alone that found nothing needs no reason: what it did not measure was not asked for.
  const bool passed = item.verdict == Verdict::kKeep || item.verdict == Verdict::kClean;
  if (!planned.note.empty()) {
    item.reason = planned.note;
  } else if (!passed) {
    item.reason = plan.command == "filter" ? stage_reason(Stage::kFilters, *inputs.filters)
                  : plan.command == "lint" ? stage_reason(Stage::kAnalysis, *inputs.analysis)
                                           : decide(inputs).reason;
  }
  return item;
}

std::vector<std::string> machine_warnings(const Plan& plan, const Environment& environment) {
  std::vector<std::string> warnings;
  if (plan.command == "run" || plan.command == "eval") {
    if (plan.options.device == "cpu") {
      warnings.push_back(
          "Measured on a CPU: this judges the candidates' CPU paths only and says nothing about a GPU speedup.");
    }
    if (environment.cpu_cores < 3) {
      warnings.push_back("Only " + std::to_string(environment.cpu_cores) +
                         " cores: referee and candidate share them, so intervals are wider than on a quiet machine.");
    }
    if (plan.options.replay_seed)
      warnings.push_back("Replay of a recorded seed: the inputs were not secret, nothing is confirmed.");
  }
  return warnings;
}

}  // namespace

Recorded find_record(const std::vector<journal::Record>& records, Stage stage, const Key& key) {
  Recorded found;
  for (const journal::Record& record : records) {
    if (record.kind != "evidence" || record.stage != stage || record.key != key) continue;
    found.record = &record;
    ++found.attempts;
  }
  return found;
}

reports::Report build_report(const Plan& plan, const Environment& environment,
                             const std::vector<journal::Record>& records, const Policy& policy, const LintView& lint) {
  reports::Report report;
  report.command = plan.command;
  report.tool_version = std::string(tool_version());
  report.policy = policy.name;
  report.environment = environment;
  report.warnings = machine_warnings(plan, environment);
  if (!records.empty()) report.started = records.front().time;
  ExitInputs exit;
  std::size_t directives = 0;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const Linted* linted = lint.results != nullptr && i < lint.results->size() ? &(*lint.results)[i] : nullptr;
    report.items.push_back(build_item(plan, plan.items[i], environment, records, policy, lint, linted, directives));
    exit.verdicts.push_back(report.items.back().verdict);
  }
  for (const journal::Record& record : records) {
    if (record.kind != "note" || !record.evidence.contains("sandbox")) continue;
    for (const auto& [layer, state] : record.evidence["sandbox"].items()) {
      if (state.is_string()) report.sandbox[layer] = state.get<std::string>();
    }
  }
  if (directives > 0 && plan.command != "lint") {
    report.notes.push_back(std::to_string(directives) + (directives == 1 ? " comment" : " comments") +
                           " in the candidates' sources would have lint set findings aside; " + plan.command +
                           " takes no notice of that.");
  }
  report.exit_code = exit_code(exit);
  return report;
}

Verdict item_verdict(const Plan& plan, const PlanItem& item, const Environment& environment,
                     const std::vector<journal::Record>& records, const Policy& policy) {
  std::size_t directives = 0;
  return build_item(plan, item, environment, records, policy, {}, nullptr, directives).verdict;
}

Result<Plan> last_plan(const std::vector<journal::Record>& records, const std::string& path, Environment& environment) {
  const auto plan =
      std::find_if(records.rbegin(), records.rend(), [](const journal::Record& r) { return r.kind == "plan"; });
  if (plan == records.rend()) {
    return Error{ErrorKind::kUsage, "the journal holds no plan", path, "",
                 "give the journal of a run, filter, lint or eval"};
  }
  return plan_from_json(plan->evidence, environment);
}

}  // namespace kernel_audit::executor
