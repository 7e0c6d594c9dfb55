// Loading user modules in the embedded interpreter: a task (Model, get_inputs, get_init_inputs) or a
// candidate (ModelNew), each from a real file in a module of its own. A .cu or .cpp file with a pybind
// module that exports `forward` is built with torch.utils.cpp_extension; every class name then means a
// model without state whose forward is that function. Python exceptions become Errors (kExit, kMemory)
// with the innermost user frame as "file:line" in `field`. Tensors cross as at::Tensor. Every function
// takes the GIL itself and may be called with or without it. Needs start_interpreter().
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::worker {

// One positional argument of forward or of the constructor: a tensor, or plain data as JSON.
struct Argument {
  std::optional<at::Tensor> tensor;
  // When there is no tensor: null, bool, number, string, list, dict with text keys; {"__tuple__":[…]} is a tuple,
  // {"__float__":"inf|-inf|nan"} a float that JSON cannot name.
  Json plain;
  std::string python_type;       // "Tensor", "float", "list", … ; "opaque" cannot cross processes
  std::shared_ptr<void> object;  // the Python object when it is opaque: usable in this process only
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
  // Calls the instance under no_grad, hooks included, as benchmarks do. Outputs are flattened in order (tuple,
  // list, dict by insertion, nested); one that is no tensor is an Error of kind kProtocol that names its type.
  // `subclass_outputs` counts results so far whose exact type is not torch.Tensor.
  virtual Result<std::vector<at::Tensor>> forward(const std::vector<Argument>& arguments) = 0;
  // Parameters, then buffers (those that are not persistent too), each once. The tensors share memory and version
  // counter with the model's: what is written in place through torch raises the model's `_version`.
  virtual std::vector<StateEntry> state() = 0;
  virtual Status to(const std::string& device, std::optional<at::ScalarType> floating_dtype) = 0;
  virtual void set_training(bool training) = 0;
  virtual int subclass_outputs() const = 0;
  // Whether copy() gives what the constructor gave, by all that the instance holds. Asked before to().
  virtual bool copies_alike() = 0;
  // Another instance of equal content, without the constructor: nothing that happens to one is seen in the other.
  virtual Result<std::unique_ptr<ModelInstance>> copy() = 0;
};

class PythonModule {
 public:
  virtual ~PythonModule() = default;
  static Result<std::unique_ptr<PythonModule>> load(const std::string& path, const std::string& module_name);
  virtual Result<std::vector<Argument>> call_get_inputs() = 0;
  virtual Result<std::vector<Argument>> call_get_init_inputs() = 0;  // none defined: no arguments
  virtual bool has(const std::string& name) = 0;
  // Weights are drawn here: call seed_everything() first. Callers decide on a fallback class.
  virtual Result<std::unique_ptr<ModelInstance>> construct(const std::string& class_name,
                                                           const std::vector<Argument>& init_arguments) = 0;
};

void seed_everything(std::uint64_t seed);  // torch CPU and CUDA generators, Python's random, numpy when imported
// Of the generators that are not torch's: while it stays the same they gave no number. Nothing: it cannot be told.
std::optional<std::int64_t> state_of_other_generators();

}  // namespace kernel_audit::worker
