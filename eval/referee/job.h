// The referee's jobs, as the supervisor asks for them over the job channel (auditor/worker/jobs.h). The
// referee loads the reference only; parties are processes that the supervisor starts for it.
//
// "referee": one task × one candidate → EvalEvidence
//   → {"kind":"referee", "device":"cpu|cuda", "device_index":0,
//      "task":      {"module":path, "class":"Model"},
//      "candidate": {"module":path, "class":"ModelNew", "fallback_class":"Model"|absent},
//      "compat":"kernelbench|kernelbench-v0", "mode":"train|eval", "options":{…}}
//     Paths are those that the party sees. Options, all optional:
//       "time_budget_s" 20        of measuring; counts are computed from it before the candidate starts
//       "load_timeout_s" 120, "call_timeout_s" 60   of one party's loading and of one window
//       "threads" N               cores of this machine; one is the referee's, which busy-polls; default: as counted
//       "memory_budget_bytes"     of one arena with what it takes in private memory; default 2 GiB (CPU), 16 GiB (CUDA)
//       "replay_seed" N           draws all secrets from N: for reproduction, never for a verdict
//   ← {"kind":"need-party", "party":"null|baseline|candidate"}       at most once for each
//   → {"kind":"party", "pid":P, "cgroup":directory or "", "sandbox_missing":[text…]} + descriptor of the
//      referee's end of a Channel to it: the party speaks eval/protocol.h on the other end, Setup first.
//     or {"kind":"party", "error":{"kind":"timeout|memory|signal|exit|protocol|tool","message":text}} without one:
//      the party could not be started; for the candidate that is a fault of phase "build".
//   ← {"kind":"party-ended", "party":…}      the referee needs it no more: the supervisor kills its tree
//   ← {"kind":"progress", "done":N, "of":M, "what":text}             at will
//   ← {"kind":"waiting"}, then {"kind":"going-on"}   for others of ours on the device: no limit counts that time
//   ← {"kind":"result", "evidence":EvalEvidence, "seeds":{"weight_seed":N, "secret":"hex", "replayed":bool}}
//      Also when a party failed: then `faults` in the evidence says so. The seeds belong in the journal once the
//      item has ended.
//   ← {"kind":"fault", "error":{"kind","message"}}                    the referee itself failed: no evidence
//   While it waits for a party that died, the referee sees its channel close; the supervisor may add what it
//   knows of the end (signal, memory, time) by {"kind":"party-died", "party":…, "error":{…}} at any time.
//
// "spin-table": proven time against spun time, with the null worker and a party of role "spin"
//   → {"kind":"spin-table", "device":…, "spin_ns":[20000,…], "calls":[200,…] (same length), "windows":20}
//   ← need-party "null", then "spin", and waits as above
//   ← {"kind":"result", "table":{"null":{"mean_ns","p05_ns","p50_ns","p95_ns"}, "not_alone":text|absent,
//      "rows":[{"spin_ns","calls","mode","null_ns","proven_ns","proven_low_ns","proven_high_ns","p05_ns","p50_ns","p95_ns"}…],
//      "gap_probe":{"idle":{"longest_gap_ns","window_ns","idle"}, "resident":{…}|null}}}
#pragma once

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/process/channel.h"
#include "auditor/process/device_turns.h"

namespace kernel_audit::eval {

// Both do the job to its end and send every message above, the last one included; an Error that they return was
// sent as a fault, or could not be sent.
Status run_referee_job(const Json& job, process::Channel& supervisor);
Status run_spin_table_job(const Json& job, process::Channel& supervisor);

// This process's turns on a device; `supervisor`, which must outlive them, hears of waits.
process::DeviceTurns turns_on(const std::string& device, int index, process::Channel& supervisor);

// {"kind":"result", …} or the fault of `result`'s error, sent to the supervisor.
Status send_last(process::Channel& supervisor, const Result<Json>& result);

}  // namespace kernel_audit::eval
