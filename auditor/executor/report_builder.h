// From a journal to a report: evidence × policy → findings → verdicts → reports::Report. The one place
// where the stages' conclusions meet; used by every command that measures and by `report`.
#pragma once

#include <string>
#include <vector>

#include "analysis/allow/allow.h"
#include "auditor/core/environment.h"
#include "auditor/core/policy.h"
#include "auditor/core/result.h"
#include "auditor/core/verdict.h"
#include "auditor/executor/lint_stage.h"
#include "auditor/executor/plan.h"
#include "auditor/journal/journal.h"
#include "reports/model.h"

namespace kernel_audit::executor {

// Newest record of a stage's key among `records`, with the number of attempts.
struct Recorded {
  const journal::Record* record = nullptr;
  int attempts = 0;
};
Recorded find_record(const std::vector<journal::Record>& records, Stage stage, const Key& key);

// `policy` with the thresholds of the filter: those set by hand, then the policy's own, then the preset's.
Policy filter_policy(const Plan& plan, Policy policy);

// What only `lint` has: results that are in no journal, and what a reader set aside.
struct LintView {
  const std::vector<Linted>* results = nullptr;  // by item of the plan; nullptr: the Facts are in the records
  analysis::SetAside set_aside;
};

reports::Report build_report(const Plan& plan, const Environment& environment,
                             const std::vector<journal::Record>& records, const Policy& policy,
                             const LintView& lint = {});

// The verdict of one item of the plan, as far as it has been measured.
Verdict item_verdict(const Plan& plan, const PlanItem& item, const Environment& environment,
                     const std::vector<journal::Record>& records, const Policy& policy);

// The last plan of a journal, with its environment.
Result<Plan> last_plan(const std::vector<journal::Record>& records, const std::string& path, Environment& environment);

}  // namespace kernel_audit::executor
