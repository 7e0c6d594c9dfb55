// The loop that run, filter, lint and eval share: open a session, write the plan, measure what the
// journal lacks, report from the journal.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "auditor/commands/options.h"
#include "auditor/executor/session.h"

namespace kernel_audit::commands {

struct WorkItem {
  executor::PlanItem planned;
  const tasks::Task* task = nullptr;
  const tasks::Candidate* candidate = nullptr;
};

struct Inputs {
  tasks::TaskSet tasks;
  tasks::CandidateSet candidates;
  std::vector<WorkItem> items;
};

// One item per candidate with its task; a candidate without a task becomes a `not-run` item.
std::vector<WorkItem> pair_up(const tasks::TaskSet& tasks, tasks::CandidateSet& candidates);

// What could not be read is told at once and stands in the report as `not-run`, tasks under their file's name, and
// candidates likewise; the entries that could be read are still used. Nothing is listed twice.
void list_problems(const std::vector<Error>& problems, bool of_tasks, std::vector<WorkItem>& items);

// Which stages a command measures, in this order.
struct Stages {
  bool filter = false, lint = false, eval = false;
};

// Measures and reports; returns the exit code.
int measure(const std::string& command, const Stages& stages, Options& options, Inputs& inputs);

}  // namespace kernel_audit::commands
