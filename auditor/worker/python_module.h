// Loading user modules in the embedded interpreter: a task (Model, get_inputs, get_init_inputs) or a
// candidate (ModelNew), each from a real file in a module of its own. Python exceptions become Errors
// with the innermost frame's file and line in `field`. Tensors cross as at::Tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::worker {

// One positional argument of forward or of the constructor: a tensor, or plain data as JSON.
struct Argument {
  std::optional<at::Tensor> tensor;
  Json plain;                    // when there is no tensor: null, bool, number, string, list, dict
  std::string python_type;       // "Tensor", "float", "list", … ; "opaque" cannot cross processes
};

struct StateEntry {
  std::string name;
  at::Tensor tensor;
  bool is_parameter = false;
};

// An instance of Model/ModelNew together with its forward.
class ModelInstance {
 public:
  virtual ~ModelInstance() = default;
  // Runs forward under no_grad. Outputs are flattened in order (tuple, list, dict by insertion); a
  // non-tensor output is an Error. `subclass_outputs` counts results whose exact type is not torch.Tensor.
  virtual Result<std::vector<at::Tensor>> forward(const std::vector<Argument>& arguments) = 0;
  virtual std::vector<StateEntry> state() = 0;         // parameters and buffers, in order of state_dict
  virtual Status to(const std::string& device, std::optional<at::ScalarType> floating_dtype) = 0;
  virtual void set_training(bool training) = 0;
  virtual int subclass_outputs() const = 0;
};

class PythonModule {
 public:
  virtual ~PythonModule() = default;
  static Result<std::unique_ptr<PythonModule>> load(const std::string& path, const std::string& module_name);
  virtual Result<std::vector<Argument>> call_get_inputs() = 0;
  virtual Result<std::vector<Argument>> call_get_init_inputs() = 0;
  virtual bool has(const std::string& name) = 0;
  virtual Result<std::unique_ptr<ModelInstance>> construct(const std::string& class_name,
                                                           const std::vector<Argument>& init_arguments) = 0;
};

void seed_everything(std::uint64_t seed);  // torch CPU and CUDA generators, Python's random, numpy when imported

}  // namespace kernel_audit::worker
