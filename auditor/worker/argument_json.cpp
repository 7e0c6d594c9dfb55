#include "auditor/worker/argument_json.h"

namespace kernel_audit::worker {

Result<std::vector<Argument>> plain_arguments_from_json(const Json& json) {
  if (!json.is_array()) return Error{ErrorKind::kProtocol, "Arguments are a list.", "", "init_args", ""};
  std::vector<Argument> arguments;
  for (const Json& item : json) {
    if (!item.is_object() || !item.contains("plain")) {
      return Error{ErrorKind::kProtocol, "An argument of a constructor is plain data.", "", "init_args", ""};
    }
    Argument argument;
    argument.plain = item["plain"];
    argument.python_type = item.value("python_type", std::string());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Result<Json> plain_arguments_to_json(const std::vector<Argument>& arguments) {
  Json json = Json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].tensor || arguments[i].object) {
      return Error{ErrorKind::kUsage,
                   "Constructor argument " + std::to_string(i) + " is a " +
                       (arguments[i].tensor ? "tensor" : "Python object") + ", which cannot cross to another process.",
                   "", "get_init_inputs", ""};
    }
    json.push_back({{"plain", arguments[i].plain}, {"python_type", arguments[i].python_type}});
  }
  return json;
}

}  // namespace kernel_audit::worker
