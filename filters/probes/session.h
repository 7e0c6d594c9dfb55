// One task under probing: its module, draws of weights and inputs by seed, and forward passes whose outputs
// come back as tensors ready for the statistics. Owns the Python module; every call may
// fail with an Error that names what the task's code did, and none throws.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/worker/python_module.h"
#include "filters/probes/kept_models.h"
#include "filters/probes/memory_budget.h"
#include "filters/probes/request.h"
#include "filters/probes/values.h"
#include "filters/tolerance.h"

namespace kernel_audit::process {
class DeviceTurns;  // auditor/process/device_turns.h
}

namespace kernel_audit::filters {

class CallObserver;  // interceptor.h

inline constexpr std::uint64_t kFirstSeed = 42;   // of inputs and of weights; seed k is kFirstSeed + k
inline constexpr std::uint64_t kForwardSeed = 7;  // where randomness inside forward is held fixed

Values view_of(const at::Tensor& host);        // of a tensor made by to_host()
at::Tensor to_host(const at::Tensor& tensor);  // CPU, contiguous, fp32 or fp64; integers become fp64

struct ForwardResult {
  std::vector<at::Tensor> outputs;  // as to_values() makes them
  std::vector<std::string> dtypes;  // before conversion
  std::uint64_t bytes = 0;          // before conversion
  double seconds = 0;               // forward alone, synchronised
  bool drew_random = false;         // forward consumed random numbers
  bool changed_inputs = false;      // forward wrote to its inputs
};

struct RawForward {
  std::vector<at::Tensor> outputs;  // on the device, as forward gave them: they may alias inputs or state
  double seconds = 0;               // forward alone, synchronised
  bool drew_random = false, changed_inputs = false;
};

class TaskSession {
 public:
  static Result<std::unique_ptr<TaskSession>> load(const ProbeRequest& request, MemoryBudget& budget,
                                                   process::DeviceTurns& turns);

  // Model in train mode on the device. `drew_random` is set when the constructor, or get_init_inputs,
  // consumed random numbers: only then do its weights depend on the seed.
  // Without a seed the generators go on from where they are. Of the first seeds, which probe after probe asks for, a
  // copy is given where that is the same (kept_models.h); large weights of the others are drawn on the device itself
  // where that gives a model of the same form.
  Result<std::unique_ptr<worker::ModelInstance>> build(std::optional<std::uint64_t> weight_seed,
                                                       bool* drew_random = nullptr);
  // On the device itself where that is possible; what the host draws is kept while it is small, for probe after probe
  // asks for the same seeds.
  Result<std::vector<worker::Argument>> draw_inputs(std::uint64_t input_seed);
  // Reseeds with `forward_seed` first when given; `observer` sees every operator call that is made meanwhile.
  Result<ForwardResult> forward(worker::ModelInstance& model, const std::vector<worker::Argument>& inputs,
                                std::optional<std::uint64_t> forward_seed = std::nullopt,
                                CallObserver* observer = nullptr);
  // The same without conversion.
  Result<RawForward> forward_raw(worker::ModelInstance& model, const std::vector<worker::Argument>& inputs,
                                 std::optional<std::uint64_t> forward_seed, CallObserver* observer = nullptr);
  // Number of output elements that forward would give for these inputs, from a run on torch's meta device that
  // computes nothing; absent where the task cannot run there.
  std::optional<std::int64_t> predict_output_elements(std::uint64_t weight_seed,
                                                      const std::vector<worker::Argument>& inputs);
  MemoryBudget& budget() { return budget_; }
  process::DeviceTurns& turns() { return turns_; }
  const ProbeRequest& request() const { return request_; }
  // What stopped a call: the refusal of the memory limit where that is behind it, else the error itself.
  std::string explain(const Error& error);

 private:
  TaskSession(const ProbeRequest& request, MemoryBudget& budget, process::DeviceTurns& turns)
      : request_(request), budget_(budget), turns_(turns), kept_models_(request.device) {}
  // Large inputs take the host minutes to draw. Nothing where the task's code or the preset's definition needs the
  // host.
  std::optional<std::vector<worker::Argument>> draw_on_device(std::uint64_t input_seed);
  // Nothing where the task or the preset's definition needs the host, or the host is quick enough.
  std::unique_ptr<worker::ModelInstance> build_on_device(std::uint64_t weight_seed, bool* drew_random);
  Result<std::unique_ptr<worker::ModelInstance>> construct();  // in train mode, where the task puts it
  void keep(std::uint64_t input_seed, const std::vector<worker::Argument>& inputs);
  std::uint64_t most_kept_bytes() const;
  // The task's own code on the host, of which the device sees nothing.
  void leave_device();
  ProbeRequest request_;
  MemoryBudget& budget_;
  process::DeviceTurns& turns_;
  std::unique_ptr<worker::PythonModule> module_;
  std::map<std::uint64_t, std::vector<worker::Argument>> kept_;  // by seed; never handed out but as copies
  std::uint64_t kept_bytes_ = 0;
  KeptModels kept_models_;
  bool draws_on_device_ = true, builds_on_device_ = true, resembles_ = false;
};

std::uint64_t bytes_of(const std::vector<worker::Argument>& arguments);

}  // namespace kernel_audit::filters
