#include "filters/evidence_numerics.h"

#include "filters/evidence_json.h"

namespace kernel_audit::filters {

using evidence_json::number;
using evidence_json::optional;
using evidence_json::read;

void to_json(Json& json, const NumericsEvidence& numerics) {
  json = Json{{"fp64_max_error", number(numerics.fp64_max_error)},
              {"fp64_max_error_in_tolerance", number(numerics.fp64_max_error_in_tolerance)},
              {"fp64_rejected", optional(numerics.fp64_rejected)},
              {"deterministic", optional(numerics.deterministic)},
              {"repeat_max_change", number(numerics.repeat_max_change)},
              {"random_forward", optional(numerics.random_forward)},
              {"changes_inputs", optional(numerics.changes_inputs)},
              {"tolerance_over_spread", number(numerics.tolerance_over_spread)},
              {"fastest_forward_ms", number(numerics.fastest_forward_ms)},
              {"peak_device_bytes", optional(numerics.peak_device_bytes)},
              {"missing", numerics.missing}};
}

void from_json(const Json& json, NumericsEvidence& numerics) {
  numerics.fp64_max_error = read<double>(json, "fp64_max_error");
  numerics.fp64_max_error_in_tolerance = read<double>(json, "fp64_max_error_in_tolerance");
  numerics.fp64_rejected = read<std::int64_t>(json, "fp64_rejected");
  numerics.deterministic = read<bool>(json, "deterministic");
  numerics.repeat_max_change = read<double>(json, "repeat_max_change");
  numerics.random_forward = read<bool>(json, "random_forward");
  numerics.changes_inputs = read<bool>(json, "changes_inputs");
  numerics.tolerance_over_spread = read<double>(json, "tolerance_over_spread");
  numerics.fastest_forward_ms = read<double>(json, "fastest_forward_ms");
  numerics.peak_device_bytes = read<std::uint64_t>(json, "peak_device_bytes");
  numerics.missing = json.at("missing").get<std::map<std::string, std::string>>();
}

void to_json(Json& json, const UsageEvidence& usage) {
  json = Json{{"unused_inputs", usage.unused_inputs},   {"unused_parameters", usage.unused_parameters},
              {"unused_buffers", usage.unused_buffers}, {"unused_submodules", usage.unused_submodules},
              {"unused_results", usage.unused_results}, {"missing", usage.missing}};
}

void from_json(const Json& json, UsageEvidence& usage) {
  using Names = std::vector<std::string>;
  usage.unused_inputs = json.at("unused_inputs").get<Names>();
  usage.unused_parameters = json.at("unused_parameters").get<Names>();
  usage.unused_buffers = json.at("unused_buffers").get<Names>();
  usage.unused_submodules = json.at("unused_submodules").get<Names>();
  usage.unused_results = json.at("unused_results").get<Names>();
  usage.missing = json.at("missing").get<std::string>();
}

void to_json(Json& json, const InputStructure& input) {
  json = Json{{"name", input.name},
              {"dtype", input.dtype},
              {"shape", input.shape},
              {"minimum", number(input.minimum)},
              {"maximum", number(input.maximum)},
              {"mean", number(input.mean)},
              {"deviation", number(input.deviation)},
              {"structure", input.structure}};
}

void from_json(const Json& json, InputStructure& input) {
  input.name = json.at("name").get<std::string>();
  input.dtype = json.at("dtype").get<std::string>();
  input.shape = json.at("shape").get<std::vector<std::int64_t>>();
  input.minimum = read<double>(json, "minimum");
  input.maximum = read<double>(json, "maximum");
  input.mean = read<double>(json, "mean");
  input.deviation = read<double>(json, "deviation");
  input.structure = json.at("structure").get<std::vector<std::string>>();
}

void to_json(Json& json, const DistributionResult& result) {
  json = Json{{"name", result.name},
              {"inputs", result.inputs},
              {"draws", result.draws},
              {"minimum", number(result.minimum)},
              {"maximum", number(result.maximum)},
              {"mean_absolute", number(result.mean_absolute)},
              {"spread_max", number(result.spread_max)},
              {"spread_mean", number(result.spread_mean)},
              {"nan_count", result.nan_count},
              {"infinite_count", result.infinite_count},
              {"accepted_answers", result.accepted_answers},
              {"still_unnoticed", result.still_unnoticed},
              {"noticed", result.noticed},
              {"missing", result.missing}};
}

void from_json(const Json& json, DistributionResult& result) {
  result.name = json.at("name").get<std::string>();
  result.inputs = json.at("inputs").get<std::vector<std::string>>();
  result.draws = json.at("draws").get<int>();
  result.minimum = read<double>(json, "minimum");
  result.maximum = read<double>(json, "maximum");
  result.mean_absolute = read<double>(json, "mean_absolute");
  result.spread_max = read<double>(json, "spread_max");
  result.spread_mean = read<double>(json, "spread_mean");
  result.nan_count = json.at("nan_count").get<std::int64_t>();
  result.infinite_count = json.at("infinite_count").get<std::int64_t>();
  result.accepted_answers = json.at("accepted_answers").get<std::vector<std::string>>();
  result.still_unnoticed = json.at("still_unnoticed").get<std::vector<int>>();
  result.noticed = json.at("noticed").get<std::vector<int>>();
  result.missing = json.at("missing").get<std::string>();
}

void to_json(Json& json, const InputProperty& property) {
  json = Json{{"property", property.property},
              {"effect", property.effect},
              {"shown_by", property.shown_by},
              {"repair", property.repair}};
}

void from_json(const Json& json, InputProperty& property) {
  property.property = json.at("property").get<std::string>();
  property.effect = json.at("effect").get<std::string>();
  property.shown_by = json.at("shown_by").get<std::string>();
  property.repair = json.at("repair").get<std::string>();
}

}  // namespace kernel_audit::filters
