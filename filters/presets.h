// Presets of stage 1: which probes a worker runs and with which thresholds rules judge, as data
// (presets/*.json, compiled in). Each threshold states its unit and its source. A policy that says
// nothing about a threshold gets the value of the preset "default".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/policy.h"
#include "auditor/core/result.h"

namespace kernel_audit::filters {

struct Threshold {
  std::string id;  // "filters.seed-std.absolute"
  double value = 0;
  std::string unit;
  std::string source;
  double minimum = 0;  // what it may be set to
  std::optional<double> maximum;
};

struct Preset {
  std::string name;
  std::string summary;
  std::vector<std::string> probes;  // keys of TaskEvidence::missing
  int seeds = 5;                    // to start with
  int max_seeds = 5;  // while a verdict is near its threshold; as many as `seeds`: the preset is defined for them
  Policy policy;      // name, effects and threshold values; rules that the preset leaves out are disabled here
  std::vector<Threshold> thresholds;
  bool runs(const std::string& probe) const;
};

const std::vector<Preset>& presets();                 // sorted by name
Result<Preset> find_preset(const std::string& name);  // error names the known ones

// Overlays the preset's thresholds and effects on `policy` (what the policy already says is kept).
void apply_preset(const Preset& preset, Policy& policy);

// Whether the rule `slug` judges under `policy`: all do, but those with "filters.<slug>.enabled" of 0.
bool rule_enabled(const Policy& policy, const std::string& slug);

// Adds "NAME=VALUE" to `thresholds` under its full id. NAME is the id of a threshold of any preset, with or without
// "filters.", or "<slug>.enabled". Errors: an unknown name, no number, a number that the threshold cannot be.
Status set_threshold(const std::string& assignment, std::map<std::string, double>& thresholds);

// Value in `policy`, else in the preset "default", else nothing: the rule does not use it.
std::optional<double> threshold(const Policy& policy, const std::string& id);

}  // namespace kernel_audit::filters
