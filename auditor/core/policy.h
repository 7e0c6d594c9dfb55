// What a benchmark allows. A policy maps rule codes to effects and holds thresholds; presets are
// data. Verdicts are derived from evidence × policy when a journal is read, so another policy needs
// no new measurement.
#pragma once

#include <map>
#include <string>

#include "auditor/core/finding.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit {

struct Policy {
  std::string name = "kernelbench";
  std::map<std::string, Effect> effects;     // rule code → effect that replaces the default
  std::map<std::string, double> thresholds;  // "filters.range.low", "eval.wrong.atol", …; rules give defaults

  double threshold(const std::string& id, double fallback) const;
  Effect effect(const RuleInfo& rule) const;
};

// Finding pre-filled from `rule`, with the effect that `policy` gives it.
Finding make_finding(const RuleInfo& rule, const Policy& policy, std::string message);

Result<Policy> policy_from_json(const Json& json, const std::string& file);

}  // namespace kernel_audit
