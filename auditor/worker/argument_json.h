// Arguments of constructors in messages: plain data only, {"plain":JSON, "python_type":"float"}. Tensors travel in
// arenas, opaque objects not at all.
#pragma once

#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/worker/python_module.h"

namespace kernel_audit::worker {

Result<std::vector<Argument>> plain_arguments_from_json(const Json& json);
// Errors name the first argument that cannot cross to another process.
Result<Json> plain_arguments_to_json(const std::vector<Argument>& arguments);

}  // namespace kernel_audit::worker
