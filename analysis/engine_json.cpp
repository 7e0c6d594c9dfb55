#include "analysis/engine_json.h"

namespace kernel_audit::analysis {

Json result_to_json(const AnalysisResult& result) {
  Json directives = Json::array();
  for (const facts::Directive& each : result.directives)
    directives.push_back({{"text", each.text}, {"span", each.span}, {"line", each.line}});
  return {{"findings", result.findings}, {"has_witness", result.has_witness},   {"witness", result.witness},
          {"opaque", result.opaque},     {"inconclusive", result.inconclusive}, {"directives", std::move(directives)}};
}

Result<AnalysisResult> result_from_json(const Json& json, const std::string& what) {
  try {
    AnalysisResult result;
    json.at("findings").get_to(result.findings);
    json.at("has_witness").get_to(result.has_witness);
    json.at("witness").get_to(result.witness);
    json.at("opaque").get_to(result.opaque);
    json.at("inconclusive").get_to(result.inconclusive);
    for (const Json& each : json.at("directives")) {
      facts::Directive directive;
      each.at("text").get_to(directive.text);
      each.at("span").get_to(directive.span);
      each.at("line").get_to(directive.line);
      result.directives.push_back(std::move(directive));
    }
    return result;
  } catch (const std::exception& e) {  // of the JSON library, and of names that are none of an enum's
    return Error{ErrorKind::kProtocol, e.what(), what, "", "delete the file"};
  }
}

}  // namespace kernel_audit::analysis
