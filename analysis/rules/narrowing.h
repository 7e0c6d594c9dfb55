// Where fp32 data becomes half, bfloat16, fp8 or TF32: in kernels, in copies of whole tensors, in both languages.
#pragma once

#include <string>
#include <string_view>

#include "analysis/facts/model.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/launch_values.h"

namespace kernel_audit::analysis::rules {

bool narrow_type(const std::string& name);

// What the call narrows its arguments to; empty when it does not.
std::string narrows_to(const facts::Model& model, const facts::Statement& statement);

// The first statement of a device function that narrows what it reads through wide pointers, and to what. Pointers of
// Triton have no types: `launches` tells what is handed to them, as far as that is known.
struct Narrowing {
  const facts::Statement* statement = nullptr;
  std::string to;
};
Narrowing narrowing_in(const facts::Model& model, const facts::Function& function, Widths read = kNoWidth,
                       const LaunchValues* launches = nullptr);

// `x.half()`, `x.to(torch::kBFloat16)`, in C++ and in Python.
bool narrowing_copy(const facts::Model& model, const facts::Node& node);

}  // namespace kernel_audit::analysis::rules
