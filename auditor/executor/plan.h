// What a command is going to do, as data: the items (task × candidate), the options that make work the
// same or different, and the journal keys that follow from them. The plan is written to the journal
// first, so that `report` can render any journal again without the inputs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/environment.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

struct MeasureOptions {
  std::string device = "cpu";                // resolved: "cpu" or "cuda"
  std::string compat = "kernelbench";        // whose tolerance and seeding
  std::string preset = "default";            // of the filter
  int seeds = 0;                             // at most; 0: as many as the preset says
  std::optional<double> atol, rtol;          // of the filter, in place of the benchmark's own
  std::vector<std::string> baselines;        // of the filter, timed beside eager: "compile", "graph"
  std::map<std::string, double> thresholds;  // of the filter, set by hand: they go before policy and preset
  double time_limit_s = 120;                 // per task in filter, per call in eval
  double build_limit_s = 600;                // per build, and per load
  std::uint64_t memory_limit_bytes = 0;
  double eval_budget_s = 10;  // timing budget per item
  int attempts = 3;           // at evaluating one item, while the machine disturbs them
  std::optional<std::uint64_t> replay_seed;
};

struct PlanItem {
  std::string task;  // Task::key(), empty for lint of bare files
  std::string task_name;
  std::string task_sha256;
  std::string candidate;  // empty for filter
  std::string candidate_sha256;
  std::optional<double> claimed_speedup;
  std::optional<std::string> expected_verdict;
  std::vector<std::string> files;  // of the candidate, as they are named in reports; its entry first
  std::string note;                // why nothing can be done with it ("no code"), empty otherwise
};

struct Plan {
  std::string command;  // "run", "filter", "lint", "eval"
  std::string policy = "kernelbench";
  std::vector<std::string> policy_settings;  // "vendor_libraries=forbid", on top of it
  MeasureOptions options;
  std::vector<PlanItem> items;
};

using Key = std::map<std::string, std::string>;

// Environment as the keys of stage 1 and 3 need it.
Key filter_key(const PlanItem& item, const MeasureOptions& options, const Environment& environment);
Key lint_key(const PlanItem& item);
Key eval_key(const PlanItem& item, const MeasureOptions& options, const Environment& environment);

PlanItem item_of(const tasks::Task* task, const tasks::Candidate* candidate);

Json to_json(const Plan& plan, const Environment& environment);
Result<Plan> plan_from_json(const Json& json, Environment& environment);

// CPU model, cores; device fields are filled from a zygote's hello by `note_worker`.
Environment host_environment();
void note_worker(Environment& environment, const Json& hello, const std::string& device);

}  // namespace kernel_audit::executor
