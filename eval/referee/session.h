// The referee's core, free of torch: one evaluation of a candidate from the first party to the last window,
// as evidence. It draws every secret, decides what is measured before the candidate exists, interleaves the
// parties with everything else frozen, and checks every output of every timed call. Whatever a party does,
// the evidence gathered so far comes back; judging it is left to the guards.
#pragma once

#include <string>

#include "auditor/core/json.h"
#include "auditor/process/device_turns.h"
#include "auditor/worker/device.h"
#include "eval/evidence.h"
#include "eval/referee/party.h"
#include "eval/referee/peer.h"
#include "eval/referee/reference.h"
#include "eval/referee/secrets.h"

namespace kernel_audit::eval {

struct SessionOptions {
  Json candidate_setup;  // "module", "class", "fallback_class" of the Setup message, as the party sees them
  Json baseline_setup;
  Json common_setup;  // "device", "init_args", "mode", "flags"
  std::uint64_t weight_seed = 0;
  double time_budget_ns = 20e9;
  std::uint64_t memory_budget_bytes = std::uint64_t{2} << 30;
  Timeouts timeouts;
};

struct SessionSeams {
  worker::Device& device;
  Clock& clock;
  Reference& reference;
  PartySource& parties;
  Secrets& secrets;
  process::DeviceTurns& turns;  // times are taken while the device is had alone, parties started while it is not
};

// `evidence` comes with what the caller knows (device, versions, tolerance, whether the reference is random or
// keeps state). Errors: the referee's own comparison or arena failed; faults of parties are in the evidence.
Result<EvalEvidence> run_session(const SessionOptions& options, SessionSeams seams, EvalEvidence evidence);

}  // namespace kernel_audit::eval
