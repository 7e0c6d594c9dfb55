// TaskEvidence: the numbers that stage 1 measured for one task on one device, and nothing else. Probes
// (worker side) fill it; rules (supervisor side) read it; the journal keeps it. A number that was not
// measured is absent with a reason in `missing`. Parts: evidence_operators.h (calls, mutation, cost) and
// evidence_numerics.h (precision, usage, distributions).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "filters/evidence_numerics.h"
#include "filters/evidence_operators.h"

namespace kernel_audit::filters {

inline constexpr int kProbeVersion = 5;  // raised by hand when a probe's numbers for an unchanged task change

// Keys of TaskEvidence::missing. A reason under kWholeTask means that nothing could be measured: the
// task did not fit the machine or the limits (the reason carries the number), or its code failed.
inline constexpr const char* kWholeTask = "task";
inline constexpr const char* kSeedsProbe = "seeds";
inline constexpr const char* kInfluenceProbe = "input-influence";
inline constexpr const char* kParameterInfluence = "parameter-influence";
inline constexpr const char* kTrivialProbe = "trivial-answers";
inline constexpr const char* kMutationProbe = "op-mutation";
inline constexpr const char* kDistributionProbe = "distributions";
inline constexpr const char* kNumericsProbe = "numerics";
inline constexpr const char* kCostProbe = "cost";
inline constexpr const char* kSharesProbe = "output-shares";  // into extra["shares"]

// Influence::missing when a value that is not finite leaves the spread undefined.
inline constexpr const char* kUndefinedSpread = "values that are not finite leave the spread undefined";

// Statistics of one output over N seeds (inputs and weights redrawn), streamed in fp64.
struct OutputStatistics {
  std::string name;  // "output", "output.0", "output.key"
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;
  // Over the finite values of all seeds; absent when there is none.
  std::optional<double> minimum, maximum, mean, mean_absolute;
  std::int64_t nan_count = 0, infinite_count = 0;  // over all seeds
  // Unbiased standard deviation over the seed axis, per element: its largest and mean over the elements
  // that are finite on every seed, and how many are not.
  std::optional<double> seed_std_max, seed_std_mean;
  std::int64_t seed_std_undefined = 0;
  // Largest unbiased std along each axis of the stacked output, seed axis first; null on axes of size 1
  // and where a value that is not finite leaves it undefined.
  std::vector<std::optional<double>> axis_std_max;
};

// What happened to the output when one input (or parameter or buffer) was varied alone.
struct Influence {
  std::string kind;                    // "input", "parameter", "buffer", "all-inputs"
  std::string name;                    // "0", "fc.weight", "" for "all-inputs"
  std::string output;                  // OutputStatistics::name of the output that moved most
  std::string variation;               // "resample", "scale", "shift", "sign", "permute", "zero", "other-half"
  std::optional<double> max_change;    // largest |Δoutput|
  std::optional<double> seed_std_max;  // for "resample" over several seeds: largest per-element std
  std::optional<double> output_scale;  // mean |output|, to judge the change by
  std::string missing;                 // why there is no number (integer labels cannot be scaled, …)
};

// One answer that needs no work, judged by the benchmark's own tolerance.
struct TrivialAnswer {
  std::string answer;     // "zeros", "constant 0.25", "input 0", "other seed's output"
  bool accepted = false;  // on every seed tried
  int seeds_accepted = 0, seeds_tried = 0;
  std::optional<double> max_error;  // largest |answer − expected|
  std::string missing;              // shape does not fit, …
  // "zeros", "constant", "input" (as it is, or broadcast), "input-part" (a slice), "other-seed", "half-rows",
  // "half-reduction", "low-precision"
  std::string kind;
};

struct TaskEvidence {
  int probe_version = kProbeVersion;
  std::string device, torch_version;
  std::string compat;  // "kernelbench", …: whose tolerance was used
  double atol = 0, rtol = 0;
  std::string preset;         // which probes were asked for: "default", "robust-kbench"
  int seeds = 0;              // used, not asked for
  int seed_limit = 0;         // how many might have been used
  std::string seeds_stopped;  // why not more: "no verdict is near its threshold", "the limit", the time
  std::vector<OutputStatistics> outputs;
  std::vector<Influence> influences;
  std::vector<TrivialAnswer> trivial_answers;
  std::vector<OperatorCall> calls;  // of one forward pass, in order; both of the next parts refer to them
  std::optional<MutationEvidence> mutation;
  std::optional<CostEvidence> cost;
  std::optional<NumericsEvidence> numerics;
  std::optional<UsageEvidence> usage;
  std::vector<InputStructure> inputs;
  std::vector<DistributionResult> distributions;
  std::vector<InputProperty> input_properties;
  std::optional<double> forward_ms;  // median of the seeds' forward passes
  std::uint64_t input_bytes = 0, parameter_bytes = 0, output_bytes = 0, peak_resident_bytes = 0;
  std::map<std::string, std::string> missing;  // probe → why it was not run
  Json extra = Json::object();                 // preset-specific figures
};

void to_json(Json& json, const OutputStatistics& output);
void from_json(const Json& json, OutputStatistics& output);
void to_json(Json& json, const Influence& influence);
void from_json(const Json& json, Influence& influence);
void to_json(Json& json, const TrivialAnswer& answer);
void from_json(const Json& json, TrivialAnswer& answer);
void to_json(Json& json, const TaskEvidence& evidence);
void from_json(const Json& json, TaskEvidence& evidence);  // throws Json::exception; use read_json()

}  // namespace kernel_audit::filters
