// The one verdict table. A stage reports what it saw (StageSummary); `final_verdict` picks the first
// verdict that applies, in the order of the enum; `exit_code` folds verdicts into the process's exit
// code. Nothing else in the program decides a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "auditor/core/finding.h"

namespace kernel_audit {

// Final verdicts in order of precedence, then the ones that only a stage alone uses.
enum class Verdict {
  kNotRun,
  kBroken,
  kWrong,
  kCheat,
  kInvalidTask,
  kInconclusive,
  kReview,
  kNoSpeedup,
  kConfirmed,
  kClean,          // lint only
  kKeep,           // filter only
  kDrop,           // filter only
  kNotComparable,  // eval: random or stateful forward that cannot be put on equal footing
};
const char* to_string(Verdict verdict);  // "not-run", "invalid-task", …
std::optional<Verdict> verdict_from_string(const std::string& text);

// What one stage contributes. A stage that was not asked for is absent (std::nullopt below).
struct StageSummary {
  bool ran = false;             // false: not-run, `reason` says why
  bool broken = false;          // build, crash or time-out of the candidate
  bool not_comparable = false;  // stage 3 only
  bool has_witness = false;     // stage 2: every returned value has a clean witness
  std::string reason;           // for not-run, broken, not-comparable
  std::vector<Finding> findings;
  // Stage 3 only: interval of the ratio of proven times (baseline / candidate), absent when it could
  // not be established. Confirmed needs low > 1.
  std::optional<double> speedup;
  std::optional<Interval> speedup_interval;
};

struct VerdictInputs {
  std::optional<StageSummary> filters;
  std::optional<StageSummary> analysis;
  std::optional<StageSummary> eval;
};

// A stage alone. A reference that crashes in the filter is not-run; an extractor that crashes is
// inconclusive; a missing witness is inconclusive unless a finding to review explains it.
Verdict filter_verdict(const StageSummary& filters);  // not-run, drop, review, keep (inconclusive → review)
Verdict lint_verdict(const StageSummary& analysis);   // not-run (no source), cheat, inconclusive, review, clean

// The final verdict and one sentence why. First that applies:
//   not-run         no stage asked for, or one that was asked for did not run
//   broken          the candidate in stage 3
//   wrong, cheat, invalid-task (drop)    any finding with that effect, of any stage
//   not-comparable  stage 3
//   inconclusive    any finding with that effect; analysis failed; no interval of the speedup
//   review          any finding with that effect
//   inconclusive    analysis ran and gives no clean witness
//   no-speedup      the interval of the speedup does not lie above 1
//   confirmed
struct Decision {
  Verdict verdict = Verdict::kNotRun;
  std::string reason;
};
Decision decide(const VerdictInputs& inputs);
Verdict final_verdict(const VerdictInputs& inputs);  // decide(inputs).verdict

// Exit code of a whole run: 130 interrupted; else 2 tool or usage error; else 1 for any broken,
// wrong, cheat, dropped or invalid task, or a failed gate; else 3 for any inconclusive, not-run,
// not-comparable or review; else 0.
struct ExitInputs {
  bool interrupted = false;
  bool tool_error = false;
  bool gate_failed = false;
  std::vector<Verdict> verdicts;
};
int exit_code(const ExitInputs& inputs);

}  // namespace kernel_audit
