// One runtime guard: a pure function of the evidence of one evaluation and the policy. A guard may only
// accuse by what the candidate's process claims, and acquits nobody. Each lives in guards/<slug>/ with
// guard.cpp and README.md, and has one line in eval/guards/registry.cpp.
#pragma once

#include <vector>

#include "auditor/core/embedded_text.h"
#include "auditor/core/finding.h"
#include "auditor/core/policy.h"
#include "eval/evidence.h"

namespace kernel_audit {
// The README.md of every guard, named "<slug>/README.md".
const std::vector<EmbeddedText>& eval_guard_docs();
}  // namespace kernel_audit

namespace kernel_audit::eval::guards {

using CheckFunction = std::vector<Finding> (*)(const EvalEvidence& evidence, const Policy& policy);

struct Guard {
  RuleInfo info;
  CheckFunction check;
};

// Sorted by code.
const std::vector<Guard>& registry();

}  // namespace kernel_audit::eval::guards
