// How a task calls its candidate, as far as get_inputs and get_init_inputs say so.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit::analysis::facts {

struct TaskCall {
  std::vector<std::optional<std::vector<std::int64_t>>> shapes;  // of the tensors that forward is handed
  std::vector<std::optional<Json>> numbers;                      // what it is handed beside tensors, by position
  std::vector<std::optional<Json>> settings;                     // what the constructor is handed
  bool all_settings = false;                                     // and nothing more
};

}  // namespace kernel_audit::analysis::facts
