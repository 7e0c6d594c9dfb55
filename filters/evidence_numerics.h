// What the probes of precision, hygiene and input distributions found. Part of TaskEvidence (evidence.h). A number
// that was not measured is absent; the reason stands in `missing` of its own part.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit::filters {

struct NumericsEvidence {
  // The reference as it is against the same weights and inputs in fp64.
  std::optional<double> fp64_max_error;               // largest |o - o64|
  std::optional<double> fp64_max_error_in_tolerance;  // largest |o - o64| / (atol + rtol |o64|)
  std::optional<std::int64_t> fp64_rejected;          // elements that the tolerance would refuse
  // Equal weights, inputs and random numbers twice.
  std::optional<bool> deterministic;  // bit for bit
  std::optional<double> repeat_max_change;
  std::optional<bool> random_forward;  // forward draws random numbers
  std::optional<bool> changes_inputs;  // forward writes to its inputs
  // Tolerance at the outputs' mean magnitude, over the mean spread of an element over seeds: at 1 and above, the
  // tolerance is wider than what the inputs do to the output. The largest over the outputs.
  std::optional<double> tolerance_over_spread;
  std::optional<double> fastest_forward_ms;  // of all passes of the probes, synchronised
  std::optional<std::uint64_t> peak_device_bytes;
  std::map<std::string, std::string> missing;  // field → why it is absent
};

// By data flow through the recorded calls; confirmed by the influence probe where that ran.
struct UsageEvidence {
  std::vector<std::string> unused_inputs;      // "1"
  std::vector<std::string> unused_parameters;  // "fc.weight"
  std::vector<std::string> unused_buffers;
  std::vector<std::string> unused_submodules;  // with parameters or children's calls, none of which reaches the output
  std::vector<std::string> unused_results;     // "12 aten::max.dim result 1"
  std::string missing;                         // not empty: the lists are unknown, and why
};

// What get_inputs gives, recognised from the values of several seeds.
struct InputStructure {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::optional<double> minimum, maximum, mean, deviation;
  // "mask", "labels", "indices", "integer", "constant", "fixed" (equal for every seed), "triangular-upper",
  // "triangular-lower", "sorted", "softmaxed", "non-negative", "uniform-01", "standard-normal", "signs", "sparse",
  // "one-hot"
  std::vector<std::string> structure;
};

// The task under inputs of another distribution; structure that is recognised is kept.
struct DistributionResult {
  std::string name;                 // "own", "randn", "scaled", "shifted", "heavy-tailed", "sparse"
  std::vector<std::string> inputs;  // for each input: "drawn", "kept: mask"
  int draws = 0;
  std::optional<double> minimum, maximum, mean_absolute;  // of all outputs
  std::optional<double> spread_max, spread_mean;          // per element over the draws
  std::int64_t nan_count = 0, infinite_count = 0;
  std::vector<std::string> accepted_answers;  // names as in TrivialAnswer::answer
  // Calls that are dead or redundant under the task's own inputs: still so here, or noticed here.
  std::vector<int> still_unnoticed, noticed;
  std::string missing;
};

// A property of the inputs that makes the task degenerate: without it the effect goes away.
struct InputProperty {
  std::string property;  // "non-negative", "scale", "softmaxed", …
  std::string effect;    // "call 1 aten::relu (act) is the identity", "the answer 'input 0' is accepted"
  std::string shown_by;  // the distribution under which the effect is gone
  std::string repair;    // "draw the inputs from randn"
};

void to_json(Json& json, const NumericsEvidence& numerics);
void from_json(const Json& json, NumericsEvidence& numerics);
void to_json(Json& json, const UsageEvidence& usage);
void from_json(const Json& json, UsageEvidence& usage);
void to_json(Json& json, const InputStructure& input);
void from_json(const Json& json, InputStructure& input);
void to_json(Json& json, const DistributionResult& result);
void from_json(const Json& json, DistributionResult& result);
void to_json(Json& json, const InputProperty& property);
void from_json(const Json& json, InputProperty& property);

}  // namespace kernel_audit::filters
