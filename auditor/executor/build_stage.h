// Builds candidates before any input exists: each module is imported in the sandbox, so that its extensions are
// compiled into a private folder that the timed processes get copies of. Compilers are slow and nothing is timed
// meanwhile, so several are built at once; nothing is built while a candidate is timed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "auditor/executor/party_host.h"
#include "auditor/executor/session.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

struct BuildOrder {
  const tasks::Task* task = nullptr;
  const tasks::Candidate* candidate = nullptr;
};

struct Built {
  PartyFiles files;
  std::optional<StageRecord> broken;  // why it cannot be evaluated: evidence about the candidate, or a fault of ours
};

// How many candidates are built at once on this machine.
int parallel_builds(int cpu_cores);

// All of `orders` at once, in their order. An interrupt ends it early; what was not built is then a fault.
std::vector<Built> build_all(Session& session, const std::vector<BuildOrder>& orders, const MeasureOptions& options);

// Removes the set-aside build of a candidate that is not evaluated any more.
void discard(const PartyFiles& files);

}  // namespace kernel_audit::executor
