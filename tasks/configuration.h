// Tasks whose code leaves arguments open and comes with lists of them (robust-kbench): the product of those lists, and
// the Python module that binds one element of it to the code, so that whoever runs tasks needs to know nothing of it.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {

inline constexpr const char* kBoundFile = "func_forward.py";       // the code, byte for byte
inline constexpr const char* kConfigFile = "config_forward.json";  // the lists beside it
inline constexpr std::size_t kMaxConfigurations = 1000;            // of one task

// Every init × input × shared of the lists `kind` ("single" or "multi") of a config_forward.json, in that order of
// nesting; what is shared goes to both sides and wins over what they say. {"init": {…}, "inputs": {…}} each.
Result<std::vector<Json>> configurations_of(const Json& config, const std::string& kind, const std::string& file);

// "batch_size=8, init_method=random": the arguments of both sides, each once.
std::string describe_configuration(const Json& configuration);

// A config_forward.json whose single lists hold just this configuration.
Json config_file_for(const Json& configuration);

// Identity of a task with a configuration: over the code and the configuration.
std::string configured_digest(const std::string& code, const Json& configuration);

// Source of a module that loads kBoundFile from its own folder and offers Model, get_inputs and get_init_inputs
// without arguments, bound to `task.configuration`.
std::string bound_module(const Task& task);

}  // namespace kernel_audit::tasks
