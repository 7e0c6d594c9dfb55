// The messages that a party reads before the first window, as structs: Setup and Weights of eval/protocol.h.
// No torch: dtypes are names here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::eval::candidate {

struct TensorLayout {
  std::string dtype;
  std::vector<std::int64_t> shape, strides;  // strides in elements
  std::uint64_t bytes = 0;
};

struct Input {
  std::optional<TensorLayout> tensor;
  Json plain;  // when it is no tensor
  std::string python_type;
};

struct Setup {
  std::string role, device, module, class_name, fallback_class;
  Json init_args = Json::array();
  std::uint64_t weight_seed = 0;
  bool training = true;
  int threads = 0;  // 0: torch's own choice
  bool seed_rng = false;
  std::vector<Input> inputs;
  std::vector<TensorLayout> outputs;

  bool runs_module() const { return role == "candidate" || role == "baseline"; }
};

struct WeightEntry {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t offset = 0, bytes = 0;
};

struct Weights {
  std::uint64_t bytes = 0;
  std::vector<WeightEntry> entries;  // each lies within `bytes`
};

Result<Setup> read_setup(const Json& message);
Result<Weights> read_weights(const Json& message);

}  // namespace kernel_audit::eval::candidate
