#include "eval/candidate/setup.h"

#include <algorithm>

#include "eval/protocol.h"

namespace kernel_audit::eval::candidate {
namespace {

using Shape = std::vector<std::int64_t>;

TensorLayout read_tensor(const Json& json) {
  TensorLayout tensor{json.at("dtype").get<std::string>(), json.at("shape").get<Shape>(),
                      json.at("strides").get<Shape>(), json.at("bytes").get<std::uint64_t>()};
  if (tensor.shape.size() != tensor.strides.size()) throw std::invalid_argument("a tensor has other strides than axes");
  return tensor;
}

Input read_input(const Json& json) {
  Input input;
  if (json.contains("tensor")) {
    input.tensor = read_tensor(json["tensor"]);
    return input;
  }
  input.plain = json.at("plain");
  input.python_type = json.value("python_type", std::string());
  return input;
}

// Runs `read`, turning what the JSON library throws into an Error.
template <typename T, typename Read>
Result<T> reading(const char* what, Read read) {
  try {
    return read();
  } catch (const std::exception& e) {
    return Error{ErrorKind::kProtocol, e.what(), what, "", ""};
  }
}

}  // namespace

Result<Setup> read_setup(const Json& message) {
  return reading<Setup>("setup", [&]() -> Result<Setup> {
    Setup setup;
    setup.role = message.at("role").get<std::string>();
    setup.device = message.at("device").get<std::string>();
    setup.module = message.value("module", std::string());
    setup.class_name = message.value("class", std::string());
    setup.fallback_class = message.value("fallback_class", std::string());
    setup.init_args = message.value("init_args", Json::array());
    setup.weight_seed = message.value("weight_seed", std::uint64_t{0});
    setup.training = message.value("mode", std::string("train")) != "eval";
    const Json flags = message.value("flags", Json::object());
    setup.threads = flags.value("threads", 0);
    setup.seed_rng = flags.value("seed_rng", false);
    for (const Json& input : message.at("inputs")) setup.inputs.push_back(read_input(input));
    for (const Json& output : message.at("outputs")) setup.outputs.push_back(read_tensor(output));
    constexpr const char* kRoles[] = {"candidate", "baseline", "null", "spin"};
    if (std::find(std::begin(kRoles), std::end(kRoles), setup.role) == std::end(kRoles)) {
      return Error{ErrorKind::kProtocol, "There is no role '" + setup.role + "'.", "setup", "role", ""};
    }
    if (setup.device != "cpu" && setup.device != "cuda") {
      return Error{ErrorKind::kProtocol, "There is no device '" + setup.device + "'.", "setup", "device", ""};
    }
    if (setup.inputs.size() > kMaxTensors || setup.outputs.size() > kMaxTensors || setup.outputs.empty()) {
      return Error{ErrorKind::kProtocol, "A call has none or too many tensors.", "setup", "outputs", ""};
    }
    if (setup.runs_module() && (setup.module.empty() || setup.class_name.empty())) {
      return Error{ErrorKind::kProtocol, "This role needs a module and a class.", "setup", "module", ""};
    }
    return setup;
  });
}

Result<Weights> read_weights(const Json& message) {
  return reading<Weights>("weights", [&]() -> Result<Weights> {
    Weights weights;
    weights.bytes = message.at("bytes").get<std::uint64_t>();
    for (const Json& item : message.at("state")) {
      WeightEntry entry{item.at("name").get<std::string>(), item.at("dtype").get<std::string>(),
                        item.at("shape").get<Shape>(), item.at("offset").get<std::uint64_t>(),
                        item.at("bytes").get<std::uint64_t>()};
      if (entry.bytes > weights.bytes || entry.offset > weights.bytes - entry.bytes) {
        return Error{ErrorKind::kProtocol, "A weight lies outside of the values that were sent.", "weights", entry.name,
                     ""};
      }
      weights.entries.push_back(std::move(entry));
    }
    return weights;
  });
}

}  // namespace kernel_audit::eval::candidate
