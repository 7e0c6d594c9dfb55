// What a benchmark allows. A policy takes a stance on each topic that benchmarks differ on (vendor libraries,
// torch.compile, …), may replace the effect of single rules and holds thresholds. Presets are JSON files under
// auditor/core/policies, compiled in. Verdicts are derived from evidence × policy when a journal is read, so another
// policy needs no new measurement.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "auditor/core/finding.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit {

enum class Stance { kAllow, kReview, kForbid };  // a finding becomes a note, is to be reviewed, or is a cheat
const char* to_string(Stance stance);

// How much of a returned value the framework may compute, as the share of its operations among all that make the value
// (0: none, 1: every one). A share above `forbid_above` is a cheat, above `review_above` to be reviewed, else a note.
struct ShareLimits {
  double review_above = 0;
  double forbid_above = 0.999;
  bool operator==(const ShareLimits&) const = default;
};

// A default-constructed policy is the preset `kernelbench`.
struct Policy {
  std::string name = "kernelbench";
  ShareLimits framework_compute;
  std::map<Topic, Stance> topics = {
      {Topic::kVendorLibraries, Stance::kReview}, {Topic::kTorchCompile, Stance::kReview},
      {Topic::kCudaGraphs, Stance::kReview},      {Topic::kReducedPrecision, Stance::kReview},
      {Topic::kSideStreams, Stance::kAllow},      {Topic::kBackendFlags, Stance::kReview}};
  std::map<std::string, Effect> effects;     // rule code → effect, before any stance; as read, slugs too
  std::map<std::string, double> thresholds;  // "filters.range.low", "eval.wrong.atol", …; rules give defaults

  double threshold(const std::string& id, double fallback) const;
  // `share`: of framework compute, for rules of that topic; other rules leave it alone.
  Effect effect(const RuleInfo& rule, double share = 1) const;
};

// Finding pre-filled from `rule`, with the effect that `policy` gives it.
Finding make_finding(const RuleInfo& rule, const Policy& policy, std::string message);

// Names of the presets, sorted.
std::vector<std::string> policy_presets();
// A preset by name; an Error that lists them when there is none.
Result<Policy> find_policy(const std::string& name);

// A policy file: {"extends": preset, "name", "description", "topics": {…}, "effects": {…}, "thresholds": {…}}; what it
// does not name stays as in the preset. An Error names the file, the field and the remedy.
Result<Policy> policy_from_json(const Json& json, const std::string& file);

// One option: "vendor_libraries=forbid", "framework_compute=0.5" (forbidden above that share),
// "framework_compute.review_above=0.1", "effects.KA104=note", "thresholds.filters.range.low=-0.1".
Status set_policy_option(Policy& policy, const std::string& assignment);

}  // namespace kernel_audit
