// The job "probe" of kernel-audit-worker: one task in, its TaskEvidence out. Runs in a trusted worker
// process of its own, forked per job, with the interpreter initialised and torch imported.
//
// Job: {"kind":"probe", "task":{"path":…, "name":…}, "device":"cpu|cuda",
// "compat":"kernelbench|kernelbench-v0|robust-kbench",
//       "atol":…, "rtol":…, "thresholds":{id: value}, "preset":"default|robust-kbench", "seeds":5, "max_seeds":100,
//       "weight_seeds":100, "baselines":["compile","graph"], "device_peaks":{DevicePeaks of earlier evidence},
//       "tape_from_calls":12, "time_limit_s":120, "memory_limit_bytes":0}
// All but task.path may be absent; `atol` and `rtol` replace the benchmark's. `seeds` draws of inputs and weights
// are made first, up to `max_seeds` while a verdict is near its threshold; a preset whose flags are defined for a
// number of seeds takes that number. `weight_seeds` draws of the weights are used in turn (default: as many).
// Mutants of a pass of at least `tape_from_calls` operator calls are replayed from a tape (mutant_passes.h).
// `baselines` are timed beside eager execution when asked for: compiling takes long and cannot be interrupted.
// A limit on time (processor time on the CPU) is kept between forward passes only,
// and on memory by torch's allocator (memory_budget.h); the supervisor's own limits stand behind both.
#pragma once

#include <functional>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::filters {

// TaskEvidence as JSON. A task that could not be measured at all is evidence too (missing["task"]); errors
// are only malformed jobs. `tell` hears when the job waits for the device and when it goes on
// (auditor/process/device_turns.h).
Result<Json> run_probe_job(const Json& job, const std::function<void(const Json&)>& tell = {});

}  // namespace kernel_audit::filters
