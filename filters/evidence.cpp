#include "filters/evidence.h"

#include "filters/evidence_json.h"

namespace kernel_audit::filters {

using evidence_json::list;
using evidence_json::number;
using evidence_json::part;
using evidence_json::read;
using evidence_json::read_list;
using evidence_json::read_part;

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
  output.minimum = read<double>(json, "minimum");
  output.maximum = read<double>(json, "maximum");
  output.mean = read<double>(json, "mean");
  output.mean_absolute = read<double>(json, "mean_absolute");
  output.nan_count = json.at("nan_count").get<std::int64_t>();
  output.infinite_count = json.at("infinite_count").get<std::int64_t>();
  output.seed_std_max = read<double>(json, "seed_std_max");
  output.seed_std_mean = read<double>(json, "seed_std_mean");
  output.seed_std_undefined = json.at("seed_std_undefined").get<std::int64_t>();
  output.axis_std_max.clear();
  for (const auto& value : json.at("axis_std_max")) output.axis_std_max.push_back(read<double>(value));
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
  influence.max_change = read<double>(json, "max_change");
  influence.seed_std_max = read<double>(json, "seed_std_max");
  influence.output_scale = read<double>(json, "output_scale");
  influence.missing = json.at("missing").get<std::string>();
}

void to_json(Json& json, const TrivialAnswer& answer) {
  json = Json{{"answer", answer.answer},
              {"accepted", answer.accepted},
              {"seeds_accepted", answer.seeds_accepted},
              {"seeds_tried", answer.seeds_tried},
              {"max_error", number(answer.max_error)},
              {"missing", answer.missing},
              {"kind", answer.kind}};
}

void from_json(const Json& json, TrivialAnswer& answer) {
  answer.answer = json.at("answer").get<std::string>();
  answer.accepted = json.at("accepted").get<bool>();
  answer.seeds_accepted = json.at("seeds_accepted").get<int>();
  answer.seeds_tried = json.at("seeds_tried").get<int>();
  answer.max_error = read<double>(json, "max_error");
  answer.missing = json.at("missing").get<std::string>();
  answer.kind = json.value("kind", "");
}

void to_json(Json& json, const TaskEvidence& evidence) {
  json = Json{{"probe_version", evidence.probe_version},
              {"device", evidence.device},
              {"torch_version", evidence.torch_version},
              {"compat", evidence.compat},
              {"atol", evidence.atol},
              {"rtol", evidence.rtol},
              {"preset", evidence.preset},
              {"seeds", evidence.seeds},
              {"seed_limit", evidence.seed_limit},
              {"seeds_stopped", evidence.seeds_stopped},
              {"outputs", list(evidence.outputs)},
              {"influences", list(evidence.influences)},
              {"trivial_answers", list(evidence.trivial_answers)},
              {"calls", list(evidence.calls)},
              {"mutation", part(evidence.mutation)},
              {"cost", part(evidence.cost)},
              {"numerics", part(evidence.numerics)},
              {"usage", part(evidence.usage)},
              {"inputs", list(evidence.inputs)},
              {"distributions", list(evidence.distributions)},
              {"input_properties", list(evidence.input_properties)},
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
  evidence.seed_limit = json.value("seed_limit", 0);
  evidence.seeds_stopped = json.value("seeds_stopped", "");
  evidence.outputs = read_list<OutputStatistics>(json.at("outputs"));
  evidence.influences = read_list<Influence>(json.at("influences"));
  evidence.trivial_answers = read_list<TrivialAnswer>(json.at("trivial_answers"));
  evidence.calls = read_list<OperatorCall>(json, "calls");
  read_part(json, "mutation", evidence.mutation);
  read_part(json, "cost", evidence.cost);
  read_part(json, "numerics", evidence.numerics);
  read_part(json, "usage", evidence.usage);
  evidence.inputs = read_list<InputStructure>(json, "inputs");
  evidence.distributions = read_list<DistributionResult>(json, "distributions");
  evidence.input_properties = read_list<InputProperty>(json, "input_properties");
  evidence.forward_ms = read<double>(json, "forward_ms");
  evidence.input_bytes = json.at("input_bytes").get<std::uint64_t>();
  evidence.parameter_bytes = json.at("parameter_bytes").get<std::uint64_t>();
  evidence.output_bytes = json.at("output_bytes").get<std::uint64_t>();
  evidence.peak_resident_bytes = json.at("peak_resident_bytes").get<std::uint64_t>();
  evidence.missing = json.at("missing").get<std::map<std::string, std::string>>();
  evidence.extra = json.at("extra");
}

}  // namespace kernel_audit::filters
