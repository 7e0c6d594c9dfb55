// The job "selftest" (jobs.h): what the device of this machine does, for `doctor` and tests/gpu.
//   → {"kind":"selftest", "device":"cpu|cuda", "repeats":10}
//   ← {"kind":"result","selftest":{"device","name","l2_bytes","arena":"memfd|cumem|ipc",
//        "gap_probe":{"idle":[{"longest_gap_ns","window_ns","idle"}…], "resident":[…], "resident_missing":why},
//        "flush_ns":[…], "spin":[{"asked_ns","event_ns"|null,"host_ns"}…]}}
// The resident kernel is one of another process: a child that is forked before this one touches CUDA.
#pragma once

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::worker {

Result<Json> run_selftest_job(const Json& job);

}  // namespace kernel_audit::worker
