// Stage 2 for many candidates: kernel-audit-extract processes turn sources into Facts, several at once. With a journal
// the Facts are recorded and rules run later, on reading; `lint` by itself runs them at once and keeps results, if
// anything, in a cache.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/engine.h"
#include "auditor/core/policy.h"
#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

struct LintWork {
  const tasks::Candidate* candidate = nullptr;
  Key key;
};

// Records are written in the order in which they finish.
Status extract_all(Session& session, const std::vector<LintWork>& work, const std::string& python, int jobs);

struct LintOptions {
  std::string python;
  int jobs = 0;       // 0: one per core
  std::string cache;  // folder; empty: none
};

struct Linted {
  bool done = false;  // false after an interrupt
  std::optional<Error> fault;
  analysis::AnalysisResult result;
};

// One entry per candidate, in their order. Each job owns an extractor and runs the rules on what it says.
Result<std::vector<Linted>> lint_all(const std::vector<const tasks::Candidate*>& candidates, const LintOptions& options,
                                     const Policy& policy, terminal::Progress& progress);

}  // namespace kernel_audit::executor
