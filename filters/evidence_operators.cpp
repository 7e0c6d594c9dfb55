#include "filters/evidence_operators.h"

#include "filters/evidence_json.h"

namespace kernel_audit::filters {

using evidence_json::list;
using evidence_json::number;
using evidence_json::read;
using evidence_json::read_list;

// There may be thousands of mutants in a trace: what is absent, false or empty is left out.
void to_json(Json& json, const Mutant& mutant) {
  json = Json{{"kind", mutant.kind}};
  if (mutant.scale) json["scale"] = number(mutant.scale);
  if (!mutant.detail.empty()) json["detail"] = mutant.detail;
  if (mutant.identical) json["identical"] = true;
  if (mutant.failed) json["failed"] = true;
  if (mutant.noticed) json["noticed"] = *mutant.noticed;
  if (mutant.noticed_exact) json["noticed_exact"] = *mutant.noticed_exact;
  if (mutant.max_error) json["max_error"] = number(mutant.max_error);
  if (!mutant.missing.empty()) json["missing"] = mutant.missing;
}

void from_json(const Json& json, Mutant& mutant) {
  mutant.kind = json.at("kind").get<std::string>();
  mutant.scale = read<double>(json, "scale");
  mutant.detail = json.value("detail", "");
  mutant.identical = json.value("identical", false);
  mutant.failed = json.value("failed", false);
  mutant.noticed = read<bool>(json, "noticed");
  mutant.noticed_exact = read<bool>(json, "noticed_exact");
  mutant.max_error = read<double>(json, "max_error");
  mutant.missing = json.value("missing", "");
}

void to_json(Json& json, const Waste& waste) {
  json = Json{{"kind", waste.kind},     {"position", waste.position},      {"op", waste.op},
              {"module", waste.module}, {"spent", number(waste.spent)},    {"needed", number(waste.needed)},
              {"unit", waste.unit},     {"explanation", waste.explanation}};
}

void from_json(const Json& json, Waste& waste) {
  waste.kind = json.at("kind").get<std::string>();
  waste.position = json.at("position").get<int>();
  waste.op = json.at("op").get<std::string>();
  waste.module = json.at("module").get<std::string>();
  waste.spent = json.at("spent").get<double>();
  waste.needed = json.at("needed").get<double>();
  waste.unit = json.at("unit").get<std::string>();
  waste.explanation = json.at("explanation").get<std::string>();
}

void to_json(Json& json, const DevicePeaks& peaks) {
  json = Json{{"device", peaks.device},
              {"matmul_flops_per_s", number(peaks.matmul_flops_per_s)},
              {"copy_bytes_per_s", number(peaks.copy_bytes_per_s)},
              {"missing", peaks.missing}};
}

void from_json(const Json& json, DevicePeaks& peaks) {
  peaks.device = json.at("device").get<std::string>();
  peaks.matmul_flops_per_s = read<double>(json, "matmul_flops_per_s");
  peaks.copy_bytes_per_s = read<double>(json, "copy_bytes_per_s");
  peaks.missing = json.at("missing").get<std::string>();
}

void to_json(Json& json, const OperatorCall& call) {
  json = Json{{"position", call.position},
              {"op", call.op},
              {"module", call.module},
              {"module_type", call.module_type},
              {"kind", call.kind},
              {"input_shapes", call.input_shapes},
              {"output_shapes", call.output_shapes},
              {"dtype", call.dtype},
              {"flops", number(call.flops)},
              {"bytes_read", call.bytes_read},
              {"bytes_written", call.bytes_written},
              {"reaches_output", call.reaches_output},
              {"unused_results", call.unused_results},
              {"verdict", call.verdict},
              {"why", call.why},
              {"exact", call.exact},
              {"draws_tried", call.draws_tried},
              {"mutants", list(call.mutants)}};
  if (call.offset) json["offset"] = number(call.offset);
}

void from_json(const Json& json, OperatorCall& call) {
  call.position = json.at("position").get<int>();
  call.op = json.at("op").get<std::string>();
  call.module = json.at("module").get<std::string>();
  call.module_type = json.at("module_type").get<std::string>();
  call.kind = json.at("kind").get<std::string>();
  call.input_shapes = json.at("input_shapes").get<std::vector<std::vector<std::int64_t>>>();
  call.output_shapes = json.at("output_shapes").get<std::vector<std::vector<std::int64_t>>>();
  call.dtype = json.at("dtype").get<std::string>();
  call.flops = read<double>(json, "flops");
  call.bytes_read = json.at("bytes_read").get<std::uint64_t>();
  call.bytes_written = json.at("bytes_written").get<std::uint64_t>();
  call.reaches_output = json.at("reaches_output").get<bool>();
  call.unused_results = json.at("unused_results").get<std::vector<int>>();
  call.verdict = json.at("verdict").get<std::string>();
  call.why = json.at("why").get<std::string>();
  call.exact = json.at("exact").get<bool>();
  call.draws_tried = json.at("draws_tried").get<int>();
  call.mutants = read_list<Mutant>(json.at("mutants"));
  call.offset = read<double>(json, "offset");
}

void to_json(Json& json, const MutationEvidence& mutation) {
  json = Json{{"score", number(mutation.score)},
              {"score_exact", number(mutation.score_exact)},
              {"mutants", mutation.mutants},
              {"noticed", mutation.noticed},
              {"noticed_exact", mutation.noticed_exact},
              {"equivalent", mutation.equivalent},
              {"calls_tested", mutation.calls_tested},
              {"all_intercepted", mutation.all_intercepted},
              {"not_intercepted", mutation.not_intercepted}};
}

void from_json(const Json& json, MutationEvidence& mutation) {
  mutation.score = read<double>(json, "score");
  mutation.score_exact = read<double>(json, "score_exact");
  mutation.mutants = json.at("mutants").get<int>();
  mutation.noticed = json.at("noticed").get<int>();
  mutation.noticed_exact = json.at("noticed_exact").get<int>();
  mutation.equivalent = json.at("equivalent").get<int>();
  mutation.calls_tested = json.at("calls_tested").get<int>();
  mutation.all_intercepted = json.at("all_intercepted").get<bool>();
  mutation.not_intercepted = json.at("not_intercepted").get<std::string>();
}

void to_json(Json& json, const CostEvidence& cost) {
  Json peaks;
  to_json(peaks, cost.peaks);
  json = Json{{"flops", number(cost.flops)},
              {"bytes", number(cost.bytes)},
              {"minimum_flops", number(cost.minimum_flops)},
              {"minimum_bytes", number(cost.minimum_bytes)},
              {"no_formula", cost.no_formula},
              {"peaks", std::move(peaks)},
              {"eager_ms", number(cost.eager_ms)},
              {"compile_ms", number(cost.compile_ms)},
              {"graph_ms", number(cost.graph_ms)},
              {"roofline_ms", number(cost.roofline_ms)},
              {"eager_over_roofline", number(cost.eager_over_roofline)},
              {"waste", list(cost.waste)},
              {"missing", cost.missing}};
}

void from_json(const Json& json, CostEvidence& cost) {
  cost.flops = read<double>(json, "flops");
  cost.bytes = read<double>(json, "bytes");
  cost.minimum_flops = read<double>(json, "minimum_flops");
  cost.minimum_bytes = read<double>(json, "minimum_bytes");
  cost.no_formula = json.at("no_formula").get<std::vector<std::string>>();
  from_json(json.at("peaks"), cost.peaks);
  cost.eager_ms = read<double>(json, "eager_ms");
  cost.compile_ms = read<double>(json, "compile_ms");
  cost.graph_ms = read<double>(json, "graph_ms");
  cost.roofline_ms = read<double>(json, "roofline_ms");
  cost.eager_over_roofline = read<double>(json, "eager_over_roofline");
  cost.waste = read_list<Waste>(json.at("waste"));
  cost.missing = json.at("missing").get<std::map<std::string, std::string>>();
}

}  // namespace kernel_audit::filters
