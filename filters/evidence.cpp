#include "filters/evidence.h"

#include <cmath>

namespace kernel_audit::filters {
namespace {

// JSON knows no NaN and no infinity: such a number is written as null, which reads as "absent".
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

std::optional<double> optional_number(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<double>();
}

std::optional<double> optional_number(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found == json.end() ? std::nullopt : optional_number(*found);
}

void to_json(Json& json, const OutputStatistics& output) {
  Json axes = Json::array();
  for (const auto& value : output.axis_std_max) axes.push_back(number(value));
  json = Json{{"name", output.name},
              {"dtype", output.dtype},
              {"shape", output.shape},
              {"elements", output.elements},
              {"minimum", number(output.minimum)},
              {"maximum", number(output.maximum)},
              {"mean", number(output.mean)},
              {"mean_absolute", number(output.mean_absolute)},
              {"nan_count", output.nan_count},
              {"infinite_count", output.infinite_count},
              {"seed_std_max", number(output.seed_std_max)},
              {"seed_std_mean", number(output.seed_std_mean)},
              {"seed_std_undefined", output.seed_std_undefined},
              {"axis_std_max", std::move(axes)}};
}

void from_json(const Json& json, OutputStatistics& output) {
  output.name = json.at("name").get<std::string>();
  output.dtype = json.at("dtype").get<std::string>();
  output.shape = json.at("shape").get<std::vector<std::int64_t>>();
  output.elements = json.at("elements").get<std::int64_t>();
  output.minimum = optional_number(json, "minimum");
  output.maximum = optional_number(json, "maximum");
  output.mean = optional_number(json, "mean");
  output.mean_absolute = optional_number(json, "mean_absolute");
  output.nan_count = json.at("nan_count").get<std::int64_t>();
  output.infinite_count = json.at("infinite_count").get<std::int64_t>();
  output.seed_std_max = optional_number(json, "seed_std_max");
  output.seed_std_mean = optional_number(json, "seed_std_mean");
  output.seed_std_undefined = json.at("seed_std_undefined").get<std::int64_t>();
  output.axis_std_max.clear();
  for (const auto& value : json.at("axis_std_max")) output.axis_std_max.push_back(optional_number(value));
}

void to_json(Json& json, const Influence& influence) {
  json = Json{{"kind", influence.kind},
              {"name", influence.name},
              {"variation", influence.variation},
              {"output", influence.output},
              {"max_change", number(influence.max_change)},
              {"seed_std_max", number(influence.seed_std_max)},
              {"output_scale", number(influence.output_scale)},
              {"missing", influence.missing}};
}

void from_json(const Json& json, Influence& influence) {
  influence.kind = json.at("kind").get<std::string>();
  influence.name = json.at("name").get<std::string>();
  influence.variation = json.at("variation").get<std::string>();
  influence.output = json.at("output").get<std::string>();
  influence.max_change = optional_number(json, "max_change");
  influence.seed_std_max = optional_number(json, "seed_std_max");
  influence.output_scale = optional_number(json, "output_scale");
  influence.missing = json.at("missing").get<std::string>();
}

void to_json(Json& json, const TrivialAnswer& answer) {
  json = Json{{"answer", answer.answer},
              {"accepted", answer.accepted},
              {"seeds_accepted", answer.seeds_accepted},
              {"seeds_tried", answer.seeds_tried},
              {"max_error", number(answer.max_error)},
              {"missing", answer.missing}};
}

void from_json(const Json& json, TrivialAnswer& answer) {
  answer.answer = json.at("answer").get<std::string>();
  answer.accepted = json.at("accepted").get<bool>();
  answer.seeds_accepted = json.at("seeds_accepted").get<int>();
  answer.seeds_tried = json.at("seeds_tried").get<int>();
  answer.max_error = optional_number(json, "max_error");
  answer.missing = json.at("missing").get<std::string>();
}

template <typename T>
Json list_to_json(const std::vector<T>& items) {
  Json list = Json::array();
  for (const auto& item : items) {
    Json element;
    to_json(element, item);
    list.push_back(std::move(element));
  }
  return list;
}

template <typename T>
std::vector<T> list_from_json(const Json& json) {
  std::vector<T> items;
  for (const auto& element : json) from_json(element, items.emplace_back());
  return items;
}

}  // namespace

void to_json(Json& json, const TaskEvidence& evidence) {
  json = Json{{"probe_version", evidence.probe_version},
              {"device", evidence.device},
              {"torch_version", evidence.torch_version},
              {"compat", evidence.compat},
              {"atol", evidence.atol},
              {"rtol", evidence.rtol},
              {"preset", evidence.preset},
              {"seeds", evidence.seeds},
              {"outputs", list_to_json(evidence.outputs)},
              {"influences", list_to_json(evidence.influences)},
              {"trivial_answers", list_to_json(evidence.trivial_answers)},
              {"forward_ms", number(evidence.forward_ms)},
              {"input_bytes", evidence.input_bytes},
              {"parameter_bytes", evidence.parameter_bytes},
              {"output_bytes", evidence.output_bytes},
              {"peak_resident_bytes", evidence.peak_resident_bytes},
              {"missing", evidence.missing},
              {"extra", evidence.extra}};
}

void from_json(const Json& json, TaskEvidence& evidence) {
  evidence.probe_version = json.at("probe_version").get<int>();
  evidence.device = json.at("device").get<std::string>();
  evidence.torch_version = json.at("torch_version").get<std::string>();
  evidence.compat = json.at("compat").get<std::string>();
  evidence.atol = json.at("atol").get<double>();
  evidence.rtol = json.at("rtol").get<double>();
  evidence.preset = json.at("preset").get<std::string>();
  evidence.seeds = json.at("seeds").get<int>();
  evidence.outputs = list_from_json<OutputStatistics>(json.at("outputs"));
  evidence.influences = list_from_json<Influence>(json.at("influences"));
  evidence.trivial_answers = list_from_json<TrivialAnswer>(json.at("trivial_answers"));
  evidence.forward_ms = optional_number(json, "forward_ms");
  evidence.input_bytes = json.at("input_bytes").get<std::uint64_t>();
  evidence.parameter_bytes = json.at("parameter_bytes").get<std::uint64_t>();
  evidence.output_bytes = json.at("output_bytes").get<std::uint64_t>();
  evidence.peak_resident_bytes = json.at("peak_resident_bytes").get<std::uint64_t>();
  evidence.missing = json.at("missing").get<std::map<std::string, std::string>>();
  evidence.extra = json.at("extra");
}

}  // namespace kernel_audit::filters
