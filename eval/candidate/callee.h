// What a party calls: a model of a Python module, or our own code that does nothing or spins.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/worker/device.h"
#include "auditor/worker/python_module.h"
#include "eval/candidate/setup.h"

namespace kernel_audit::eval::candidate {

class Callee {
 public:
  virtual ~Callee() = default;
  // `stream` is where the device's work belongs: null for the default stream, else the stream being captured.
  virtual Result<std::vector<at::Tensor>> call(const std::vector<worker::Argument>& arguments, std::uint64_t rng_seed,
                                               void* stream) = 0;
  virtual std::vector<worker::StateEntry> state() { return {}; }
  virtual int subclass_outputs() const { return 0; }  // so far
};

// Sets the flags that are the same for all roles, loads the module, seeds and constructs the model, moves it.
Result<std::unique_ptr<Callee>> make_callee(const Setup& setup, worker::Device& device);

}  // namespace kernel_audit::eval::candidate
