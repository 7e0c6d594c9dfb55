#include "eval/candidate/callee.h"

#include <ATen/Context.h>
#include <ATen/ops/zeros.h>

#include <utility>

#include "auditor/worker/argument_json.h"
#include "auditor/worker/interpreter.h"
#include "auditor/worker/tensor.h"

namespace kernel_audit::eval::candidate {
namespace {

using worker::Argument;

class ModelCallee final : public Callee {
 public:
  ModelCallee(std::unique_ptr<worker::PythonModule> module, std::unique_ptr<worker::ModelInstance> model)
      : module_(std::move(module)), model_(std::move(model)) {}

  Result<std::vector<at::Tensor>> call(const std::vector<Argument>& arguments, std::uint64_t, void*) override {
    return model_->forward(arguments);
  }
  std::vector<worker::StateEntry> state() override { return model_->state(); }
  int subclass_outputs() const override { return model_->subclass_outputs(); }

 private:
  std::unique_ptr<worker::PythonModule> module_;
  std::unique_ptr<worker::ModelInstance> model_;
};

// Returns tensors that were made before. With `spins` the device is busy first, for as long as the window says.
class OwnCallee final : public Callee {
 public:
  OwnCallee(std::vector<at::Tensor> outputs, worker::Device& device, bool spins)
      : outputs_(std::move(outputs)), device_(device), spins_(spins) {}

  Result<std::vector<at::Tensor>> call(const std::vector<Argument>&, std::uint64_t rng_seed, void* stream) override {
    if (spins_) {
      if (const Status spun = device_.spin(rng_seed, stream); !spun) return spun.error();
    }
    return outputs_;
  }

 private:
  std::vector<at::Tensor> outputs_;
  worker::Device& device_;
  bool spins_;
};

// The same for all roles; whatever a module changes afterwards is its own doing and shows in its source.
void set_flags(const Setup& setup) {
  auto& context = at::globalContext();
  context.setAllowTF32CuBLAS(false);
  context.setAllowTF32CuDNN(false);
  context.setBenchmarkCuDNN(false);
  worker::set_threads(setup.threads);
}

Result<std::unique_ptr<Callee>> make_own(const Setup& setup, worker::Device& device) {
  std::vector<at::Tensor> outputs;
  for (const TensorLayout& output : setup.outputs) {
    const auto type = worker::dtype_of(output.dtype);
    if (!type) return Error{ErrorKind::kProtocol, "There is no dtype '" + output.dtype + "'.", "setup", "outputs", ""};
    const auto where = setup.device == "cuda" ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    outputs.push_back(at::zeros(output.shape, at::TensorOptions().dtype(type).device(where)));
  }
  return std::unique_ptr<Callee>(std::make_unique<OwnCallee>(std::move(outputs), device, setup.role == "spin"));
}

Result<std::unique_ptr<Callee>> make_model(const Setup& setup) {
  auto arguments = worker::plain_arguments_from_json(setup.init_args);
  if (!arguments) return arguments.error();
  auto module = worker::PythonModule::load(setup.module, "kernel_audit_" + setup.role);
  if (!module) return module.error();
  std::string name = setup.class_name;
  if (!(*module)->has(name) && !setup.fallback_class.empty()) name = setup.fallback_class;
  worker::seed_everything(setup.weight_seed);
  auto model = (*module)->construct(name, *arguments);
  if (!model) return model.error();
  (*model)->set_training(setup.training);
  if (setup.device != "cpu") {
    if (const Status moved = (*model)->to(setup.device, std::nullopt); !moved) return moved.error();
  }
  return std::unique_ptr<Callee>(std::make_unique<ModelCallee>(std::move(*module), std::move(*model)));
}

}  // namespace

Result<std::unique_ptr<Callee>> make_callee(const Setup& setup, worker::Device& device) {
  try {
    set_flags(setup);
    return setup.runs_module() ? make_model(setup) : make_own(setup, device);
  } catch (const std::exception& e) {
    return Error{ErrorKind::kExit, e.what(), "", "", ""};
  }
}

}  // namespace kernel_audit::eval::candidate
