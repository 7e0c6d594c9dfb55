#include <stdexcept>

#include "auditor/sandbox/sandbox.h"

namespace kernel_audit::sandbox {
namespace {

Layer layer_of(const Json& json) {
  const auto text = json.get<std::string>();
  const std::optional<Layer> layer = layer_from_string(text);
  if (!layer) throw std::invalid_argument("there is no sandbox layer \"" + text + "\"");
  return *layer;
}

}  // namespace

void to_json(Json& json, const SandboxPolicy& policy) {
  json = Json{{"readable", policy.readable},
              {"writable", policy.writable},
              {"keep_descriptors", policy.keep_descriptors},
              {"cgroup_directory", policy.cgroup_directory},
              {"private_tmp", policy.private_tmp},
              {"max_resident_bytes", policy.max_resident_bytes},
              {"max_file_bytes", policy.max_file_bytes},
              {"max_processes", policy.max_processes},
              {"gpu", policy.gpu},
              {"require", Json::array()}};
  for (const Layer layer : policy.require) json["require"].push_back(to_string(layer));
}

void from_json(const Json& json, SandboxPolicy& policy) {
  json.at("readable").get_to(policy.readable);
  json.at("writable").get_to(policy.writable);
  json.at("keep_descriptors").get_to(policy.keep_descriptors);
  json.at("cgroup_directory").get_to(policy.cgroup_directory);
  json.at("private_tmp").get_to(policy.private_tmp);
  json.at("max_resident_bytes").get_to(policy.max_resident_bytes);
  json.at("max_file_bytes").get_to(policy.max_file_bytes);
  json.at("max_processes").get_to(policy.max_processes);
  json.at("gpu").get_to(policy.gpu);
  policy.require.clear();
  for (const Json& layer : json.at("require")) policy.require.push_back(layer_of(layer));
}

void to_json(Json& json, const SandboxReport& report) {
  json = Json{{"layers", Json::array()}};
  for (const LayerState& state : report.layers) {
    json["layers"].push_back({{"layer", to_string(state.layer)},
                              {"active", state.active},
                              {"detail", state.detail},
                              {"remedy", state.remedy}});
  }
}

void from_json(const Json& json, SandboxReport& report) {
  report.layers.clear();
  for (const Json& layer : json.at("layers")) {
    report.layers.push_back({layer_of(layer.at("layer")), layer.at("active").get<bool>(),
                             layer.at("detail").get<std::string>(), layer.at("remedy").get<std::string>()});
  }
}

}  // namespace kernel_audit::sandbox
