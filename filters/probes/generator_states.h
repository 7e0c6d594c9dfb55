// State of the generators of random numbers that a task's code can draw from: the host's, and the device's beside it.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace kernel_audit::filters {

std::vector<at::Tensor> generator_states(const std::string& device);
// A generator whose state did not change gave no number.
bool same_states(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b);
void set_generator_states(const std::string& device, const std::vector<at::Tensor>& states);

}  // namespace kernel_audit::filters
