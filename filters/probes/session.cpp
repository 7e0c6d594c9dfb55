#include "filters/probes/session.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>

#include "auditor/process/device_turns.h"
#include "auditor/worker/tensor.h"
#include "filters/probes/accelerated.h"
#include "filters/probes/generator_states.h"
#include "filters/probes/guard.h"
#include "filters/probes/interceptor.h"
#include "filters/probes/tensor_statistics.h"

namespace kernel_audit::filters {
namespace {

constexpr std::uint64_t kKeptSeeds = 2;                           // all that more than one probe asks for
constexpr std::uint64_t kLargeWeights = std::uint64_t{16} << 20;  // a host draws that in some 40 ms
// Added to a seed where weights and inputs come from one generator: else both would be the same numbers, and a Linear
// of uniform inputs answers with a diagonal. Below 2^32, of which the generators of the host take the remainder.
constexpr std::uint64_t kApart = std::uint64_t{1} << 30;
// For inputs, and again for models.
constexpr std::uint64_t kMostKeptOnHost = std::uint64_t{256} << 20, kMostKeptOnDevice = std::uint64_t{2} << 30;

std::vector<worker::Argument> copies_of(std::vector<worker::Argument> arguments) {
  for (worker::Argument& argument : arguments) {
    if (argument.tensor) argument.tensor = argument.tensor->clone();
  }
  return arguments;
}

}  // namespace

Values view_of(const at::Tensor& host) {
  Values values;
  values.kind = host.scalar_type() == at::kDouble ? Values::Kind::kDouble : Values::Kind::kFloat;
  values.data = host.const_data_ptr();
  values.shape.assign(host.sizes().begin(), host.sizes().end());
  return values;
}

at::Tensor to_host(const at::Tensor& tensor) { return to_values(tensor).cpu(); }

Result<std::unique_ptr<TaskSession>> TaskSession::load(const ProbeRequest& request, MemoryBudget& budget,
                                                       process::DeviceTurns& turns) {
  auto session = std::unique_ptr<TaskSession>(new TaskSession(request, budget, turns));
  worker::seed_everything(kFirstSeed);
  auto module = worker::PythonModule::load(request.path, "kernel_audit_task");
  if (!module) return module.error();
  session->module_ = std::move(*module);
  for (const char* name : {"Model", "get_inputs"}) {
    if (!session->module_->has(name)) {
      return Error{ErrorKind::kUsage, "the task defines no " + std::string(name), request.path, "", ""};
    }
  }
  return session;
}

Result<std::unique_ptr<worker::ModelInstance>> TaskSession::build(std::optional<std::uint64_t> weight_seed,
                                                                  bool* drew_random) {
  return guarded([&]() -> Result<std::unique_ptr<worker::ModelInstance>> {
    const bool keeps = weight_seed && !request_.fixed_seeds && *weight_seed < kFirstSeed + kKeptSeeds;
    if (keeps && kept_models_.has(*weight_seed)) {
      turns_.work();
      worker::seed_everything(*weight_seed);
      if (auto known = kept_models_.give(*weight_seed)) {
        if (drew_random != nullptr) *drew_random = known->drew_random;
        return std::move(known->model);
      }
    }
    if (weight_seed && !keeps) {
      if (auto built = build_on_device(*weight_seed, drew_random)) return built;
    }
    leave_device();
    if (weight_seed) worker::seed_everything(*weight_seed);
    const auto before = generator_states(request_.device);
    const auto others_before = worker::state_of_other_generators();
    auto model = construct();
    if (!model) return model.error();
    auto after = generator_states(request_.device);
    const bool drew = !same_states(before, after);
    if (drew_random != nullptr) *drew_random = drew;
    const bool keep_it = keeps && others_before && others_before == worker::state_of_other_generators() &&
                         !kept_models_.has(*weight_seed) && (*model)->copies_alike();
    turns_.work();
    if (request_.device != "cpu") {
      if (const Status moved = (*model)->to(request_.device, std::nullopt); !moved) return moved.error();
    }
    if (keep_it) kept_models_.keep(*weight_seed, **model, drew, std::move(after), most_kept_bytes());
    return std::move(*model);
  });
}

Result<std::unique_ptr<worker::ModelInstance>> TaskSession::construct() {
  std::vector<worker::Argument> arguments;
  if (module_->has("get_init_inputs")) {
    auto drawn = module_->call_get_init_inputs();
    if (!drawn) return drawn.error();
    arguments = std::move(*drawn);
  }
  auto model = module_->construct("Model", arguments);
  // KernelBench never calls eval(): modules stay as constructed, in train mode. So do the published flags.
  if (model) (*model)->set_training(true);
  return model;
}

std::unique_ptr<worker::ModelInstance> TaskSession::build_on_device(std::uint64_t weight_seed, bool* drew_random) {
  if (request_.device == "cpu" || request_.fixed_seeds || !builds_on_device_) return nullptr;
  for (std::uint64_t k = 0; k < kKeptSeeds; ++k) {
    if (!kept_models_.has(kFirstSeed + k)) return nullptr;
  }
  if (kept_models_.bytes() < kKeptSeeds * kLargeWeights) return nullptr;
  turns_.work();
  worker::seed_everything(weight_seed + kApart);
  const auto before = generator_states(request_.device);
  auto model = guarded([&]() -> Result<std::unique_ptr<worker::ModelInstance>> {
    const DefaultDevice there(request_.device);
    auto made = construct();
    if (!made) return made;
    if (const Status moved = (*made)->to(request_.device, std::nullopt); !moved) return moved.error();
    return made;
  });
  resembles_ = model && (resembles_ || kept_models_.resembles(**model));  // once is enough
  if (!resembles_) {
    builds_on_device_ = false;
    return nullptr;
  }
  if (drew_random != nullptr) *drew_random = !same_states(before, generator_states(request_.device));
  return std::move(*model);
}

Result<std::vector<worker::Argument>> TaskSession::draw_inputs(std::uint64_t input_seed) {
  return guarded([&]() -> Result<std::vector<worker::Argument>> {
    if (auto inputs = draw_on_device(input_seed)) return std::move(*inputs);
    leave_device();
    worker::seed_everything(request_.fixed_seeds ? input_seed : input_seed + kApart);
    if (const auto known = kept_.find(input_seed); known != kept_.end()) {
      turns_.work();
      return copies_of(known->second);
    }
    auto inputs = module_->call_get_inputs();
    if (!inputs) return inputs.error();
    turns_.work();
    for (worker::Argument& input : *inputs) {
      if (input.tensor && request_.device != "cpu") input.tensor = input.tensor->to(at::Device(request_.device));
    }
    keep(input_seed, *inputs);
    return std::move(*inputs);
  });
}

std::optional<std::vector<worker::Argument>> TaskSession::draw_on_device(std::uint64_t input_seed) {
  if (request_.device == "cpu" || request_.fixed_seeds || !draws_on_device_) return std::nullopt;
  turns_.work();
  auto inputs = guarded([&]() -> Result<std::vector<worker::Argument>> {
    worker::seed_everything(input_seed);
    const DefaultDevice there(request_.device);
    return module_->call_get_inputs();
  });
  if (!inputs) {
    draws_on_device_ = false;
    return std::nullopt;
  }
  for (worker::Argument& input : *inputs) {
    if (input.tensor) input.tensor = input.tensor->to(at::Device(request_.device));
  }
  return std::move(*inputs);
}

void TaskSession::keep(std::uint64_t input_seed, const std::vector<worker::Argument>& inputs) {
  if (request_.fixed_seeds) return;  // the weights are drawn from where the inputs left off
  // What a copy would not be like: an object made of others, a view with strides of its own, part of a graph.
  const bool plain = std::all_of(inputs.begin(), inputs.end(), [](const worker::Argument& input) {
    if (!input.tensor) return !input.object;
    return input.tensor->is_non_overlapping_and_dense() && !input.tensor->requires_grad();
  });
  if (!plain) return;
  if (kept_bytes_ + bytes_of(inputs) > most_kept_bytes()) return;
  kept_bytes_ += bytes_of(inputs);
  kept_[input_seed] = copies_of(inputs);
}

std::uint64_t TaskSession::most_kept_bytes() const {
  if (request_.device != "cpu") return kMostKeptOnDevice;
  return request_.memory_limit_bytes > 0 ? std::min(kMostKeptOnHost, request_.memory_limit_bytes / 16)
                                         : kMostKeptOnHost;
}

Result<RawForward> TaskSession::forward_raw(worker::ModelInstance& model, const std::vector<worker::Argument>& inputs,
                                            std::optional<std::uint64_t> forward_seed, CallObserver* observer) {
  return guarded([&]() -> Result<RawForward> {
    turns_.work();
    if (forward_seed) worker::seed_everything(*forward_seed);
    const auto generators = generator_states(request_.device);
    std::vector<std::uint32_t> versions;
    for (const worker::Argument& input : inputs) versions.push_back(input.tensor ? input.tensor->_version() : 0);
    const auto call = [&] {
      if (observer == nullptr) return model.forward(inputs);
      const Interception interception(*observer);
      return model.forward(inputs);
    };
    const Stopwatch watch(0, /*processor_time=*/false);
    auto outputs = call();
    if (!outputs) return outputs.error();
    if (request_.device == "cuda") at::detail::getCUDAHooks().deviceSynchronize(0);
    RawForward result;
    result.seconds = watch.elapsed_s();
    result.drew_random = !same_states(generators, generator_states(request_.device));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].tensor && inputs[i].tensor->_version() != versions[i]) result.changed_inputs = true;
    }
    result.outputs = std::move(*outputs);
    if (result.outputs.empty()) return Error{ErrorKind::kUsage, "forward returns no tensor", request_.path, "", ""};
    return result;
  });
}

Result<ForwardResult> TaskSession::forward(worker::ModelInstance& model, const std::vector<worker::Argument>& inputs,
                                           std::optional<std::uint64_t> forward_seed, CallObserver* observer) {
  return guarded([&]() -> Result<ForwardResult> {
    auto raw = forward_raw(model, inputs, forward_seed, observer);
    if (!raw) return raw.error();
    ForwardResult result;
    result.seconds = raw->seconds;
    result.drew_random = raw->drew_random;
    result.changed_inputs = raw->changed_inputs;
    for (at::Tensor& output : raw->outputs) {
      result.dtypes.push_back(worker::dtype_name(output.scalar_type()));
      result.bytes += output.nbytes();
      result.outputs.push_back(to_values(output));
      output.reset();
    }
    return result;
  });
}

void TaskSession::leave_device() {
  if (request_.device != "cpu") turns_.rest();
}

std::optional<std::int64_t> TaskSession::predict_output_elements(std::uint64_t weight_seed,
                                                                 const std::vector<worker::Argument>& inputs) {
  const auto elements = guarded([&]() -> Result<std::int64_t> {
    auto model = build(weight_seed);
    if (!model) return model.error();
    if (const Status moved = (*model)->to("meta", std::nullopt); !moved) return moved.error();
    std::vector<worker::Argument> shapes = inputs;
    for (worker::Argument& input : shapes) {
      if (input.tensor) input.tensor = input.tensor->to(at::Device(at::kMeta));
    }
    auto outputs = (*model)->forward(shapes);
    if (!outputs) return outputs.error();
    std::int64_t count = 0;
    for (const at::Tensor& output : *outputs) count += output.numel();
    return count;
  });
  budget_.take_refusal();
  if (!elements) return std::nullopt;
  return *elements;
}

std::string TaskSession::explain(const Error& error) {
  if (error.kind == ErrorKind::kMemory) budget_.note_refusal();
  if (const auto refusal = budget_.take_refusal()) return *refusal;
  return error.describe();
}

std::uint64_t bytes_of(const std::vector<worker::Argument>& arguments) {
  std::uint64_t bytes = 0;
  for (const worker::Argument& argument : arguments) bytes += argument.tensor ? argument.tensor->nbytes() : 0;
  return bytes;
}

}  // namespace kernel_audit::filters
