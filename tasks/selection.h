// Which of the loaded entries --level and --ids ask for.
#pragma once

#include <set>
#include <string>

#include "tasks/task.h"

namespace kernel_audit::tasks {

class Selection {
 public:
  explicit Selection(const LoadOptions& options) : options_(options) {}

  // By level; and by key ("1/9"), number ("9") or name.
  bool wants(const Task& task);
  // The same by the candidate's task, or its own name. A candidate whose task is not known yet passes --level.
  bool wants(const Candidate& candidate);

  // Ids that no entry answered to.
  std::vector<std::string> unused_ids() const;
  bool active() const { return !options_.levels.empty() || !options_.ids.empty(); }
  std::string describe() const;  // "--level 1,2 --ids 1/9"

 private:
  bool wants_level(int level) const;
  bool wants_any(const std::set<std::string>& names);

  const LoadOptions& options_;
  std::set<std::string> used_;
};

}  // namespace kernel_audit::tasks
