// Stage 2 for many candidates: kernel-audit-extract processes turn sources into Facts, several at once.
// Records are written in the order in which they finish; rules run later, on reading.
#pragma once

#include <string>
#include <vector>

#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

struct LintWork {
  const tasks::Candidate* candidate = nullptr;
  Key key;
};

Status extract_all(Session& session, const std::vector<LintWork>& work, const std::string& python, int jobs);

}  // namespace kernel_audit::executor
