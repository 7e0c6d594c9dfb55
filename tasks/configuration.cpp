#include "tasks/configuration.h"

namespace kernel_audit::tasks {
namespace {

Error bad(const std::string& file, const std::string& field, const std::string& message) {
  return {ErrorKind::kUsage, message, file, field, "each list holds objects of arguments by name"};
}

// The list of argument objects under `field`; one empty object when it is absent or empty.
Result<std::vector<Json>> argument_list(const Json& config, const std::string& field, const std::string& file) {
  const auto found = config.find(field);
  if (found == config.end()) return std::vector<Json>{Json::object()};
  if (!found->is_array()) return bad(file, field, "is not a list");
  std::vector<Json> list;
  for (const Json& arguments : *found) {
    if (!arguments.is_object()) return bad(file, field, "holds something else than an object");
    list.push_back(arguments);
  }
  if (list.empty()) list.push_back(Json::object());
  return list;
}

Json merged(Json first, const Json& second) {
  for (const auto& [name, value] : second.items()) first[name] = value;
  return first;
}

// A Python literal that json.loads turns into `json` again. JSON strings in ASCII are Python strings too.
std::string python_text(const Json& json) {
  return Json(json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace))
      .dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

}  // namespace

Result<std::vector<Json>> configurations_of(const Json& config, const std::string& kind, const std::string& file) {
  if (!config.is_object()) return bad(file, "", "is not a JSON object");
  const auto inits = argument_list(config, kind + "_init_configs", file);
  if (!inits) return inits.error();
  const auto inputs = argument_list(config, kind + "_input_configs", file);
  if (!inputs) return inputs.error();
  const auto shared = argument_list(config, kind + "_shared_configs", file);
  if (!shared) return shared.error();
  if (inits->size() > kMaxConfigurations || inputs->size() > kMaxConfigurations ||
      shared->size() > kMaxConfigurations || inits->size() * inputs->size() * shared->size() > kMaxConfigurations) {
    return Error{ErrorKind::kUsage, "describes more than " + std::to_string(kMaxConfigurations) + " configurations",
                 file, kind + "_init_configs", "split it"};
  }
  std::vector<Json> configurations;
  for (const Json& init : *inits) {
    for (const Json& input : *inputs) {
      for (const Json& common : *shared) {
        configurations.push_back({{"init", merged(init, common)}, {"inputs", merged(input, common)}});
      }
    }
  }
  return configurations;
}

std::string describe_configuration(const Json& configuration) {
  if (!configuration.is_object()) return "";
  std::string text;
  const Json both = merged(configuration.value("init", Json::object()), configuration.value("inputs", Json::object()));
  for (const auto& [name, value] : both.items()) {
    text += (text.empty() ? "" : ", ") + name + "=" + (value.is_string() ? value.get<std::string>() : dump_json(value));
  }
  return text;
}

Json config_file_for(const Json& configuration) {
  const Json none = Json::array({Json::object()});
  return {{"single_init_configs", Json::array({configuration.at("init")})},
          {"single_input_configs", Json::array({configuration.at("inputs")})},
          {"single_shared_configs", none},
          {"multi_init_configs", Json::array({configuration.at("init")})},
          {"multi_input_configs", Json::array({configuration.at("inputs")})},
          {"multi_shared_configs", none}};
}

std::string configured_digest(const std::string& code, const Json& configuration) {
  return code_digest(
      {{kBoundFile, "", code, Language::kPython}, {kConfigFile, "", dump_json(configuration), Language::kPython}});
}

std::string bound_module(const Task& task) {
  return "import importlib.util\nimport json\nimport os\nimport sys\n\n"
         "_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), \"" +
         std::string(kBoundFile) +
         "\")\n"
         "_spec = importlib.util.spec_from_file_location(\"func_forward\", _path)\n"
         "_task = importlib.util.module_from_spec(_spec)\n"
         "sys.modules[\"func_forward\"] = _task\n"
         "_spec.loader.exec_module(_task)\n"
         "_init = json.loads(" +
         python_text(task.configuration.value("init", Json::object())) +
         ")\n"
         "_inputs = json.loads(" +
         python_text(task.configuration.value("inputs", Json::object())) +
         ")\n\n\n"
         "class Model(_task.Model):\n"
         "    def __init__(self):\n"
         "        super().__init__(**_init)\n\n\n"
         "def get_inputs():\n"
         "    return _task.get_inputs(**_inputs)\n\n\n"
         "def get_init_inputs():\n"
         "    return []\n";
}

}  // namespace kernel_audit::tasks
