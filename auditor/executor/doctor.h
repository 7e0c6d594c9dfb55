// What this machine can do: binaries, interpreter, torch, device, sandbox layers, freezing. Each line
// carries a remedy when something is missing or limited.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::executor {

enum class CheckState { kOk, kLimited, kMissing };

struct Check {
  std::string name;
  CheckState state = CheckState::kOk;
  std::string detail;
  std::string remedy;
};

std::vector<Check> examine_machine();

// Tables of the null worker's time and spread, the gap probe, and proven against spun time.
Result<Json> measure_machine();

}  // namespace kernel_audit::executor
