// Results of `lint` kept by content: a file per candidate, named by a digest over the candidate's files, the policy,
// and the very binaries and Python that made the result (version, size, inode and times of change), so that a rebuild
// or an upgrade never finds an old answer. Faults are not kept. A file that cannot be read counts as absent.
#pragma once

#include <optional>
#include <string>

#include "analysis/engine.h"
#include "auditor/core/policy.h"
#include "auditor/core/result.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

class LintCache {
 public:
  // Makes `folder`. `extractor`: path of kernel-audit-extract; `python`: as given to it.
  static Result<LintCache> open(const std::string& folder, const std::string& extractor, const std::string& python,
                                const Policy& policy);

  std::optional<analysis::AnalysisResult> find(const tasks::Candidate& candidate) const;
  void store(const tasks::Candidate& candidate, const analysis::AnalysisResult& result) const;

 private:
  std::string path_of(const tasks::Candidate& candidate) const;
  std::string folder_;
  std::string makers_;  // identity of all that makes a result beside the candidate
};

}  // namespace kernel_audit::executor
