// One analysis rule: a pure function of the semantic model and the policy. Rules ask the model
// ("is this call reached from forward?", "does this stored value depend on a forward argument?") and
// never match text. Each lives in rules/<slug>/ with rule.cpp, README.md, bad/ and good/ fixtures, and
// has one line in analysis/rules/registry.cpp.
#pragma once

#include <vector>

#include "analysis/facts/model.h"
#include "auditor/core/finding.h"
#include "auditor/core/policy.h"

namespace kernel_audit::analysis::rules {

using CheckFunction = std::vector<Finding> (*)(const facts::Model& model, const Policy& policy);

struct Rule {
  RuleInfo info;
  CheckFunction check;
};

// Sorted by code.
const std::vector<Rule>& registry();

}  // namespace kernel_audit::analysis::rules
