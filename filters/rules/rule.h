// One filter rule: a pure function of what was measured and of the policy. It never measures, and where
// the probe that it rests on did not run it says so with an inconclusive finding instead of silence.
// Each rule lives in rules/<slug>/ (rule.cpp, README.md, bad/ and good/ tasks) and has one line in
// filters/registry.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/finding.h"
#include "auditor/core/policy.h"
#include "filters/evidence.h"

namespace kernel_audit::filters {

using CheckFunction = std::vector<Finding> (*)(const TaskEvidence& evidence, const Policy& policy);

struct Rule {
  RuleInfo info;
  CheckFunction check = nullptr;
};

const std::vector<Rule>& registry();                         // sorted by code
const Rule* find_rule(std::string_view code_or_slug);        // nullptr when there is none
std::string_view rule_documentation(std::string_view slug);  // README.md, empty when there is none

}  // namespace kernel_audit::filters
