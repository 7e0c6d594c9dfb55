// Stage 3 for one task × candidate: starts the referee, and the timed parties (null worker, baseline,
// candidate) when the referee asks for them. The referee's evidence is recorded as it comes; whatever goes
// wrong is a typed fault or stands in the evidence.
#pragma once

#include <string>

#include "auditor/core/policy.h"
#include "auditor/executor/party_host.h"
#include "auditor/executor/session.h"

namespace kernel_audit::executor {

// The null worker's time and spread, the gap probe, and proven against spun time (schema: eval/referee/job.h).
Result<Json> measure_spin_table(ZygotePair& zygotes, const MeasureOptions& options);

// Measures one built candidate (build_stage.h) against its task.
StageRecord evaluate(Session& session, const PartyFiles& files, const std::string& name, const MeasureOptions& options);

// Whether the machine disturbed an evaluation (eval/summary.h); the candidate's own times play no part.
bool disturbed(const StageRecord& record, const Policy& policy);

}  // namespace kernel_audit::executor
