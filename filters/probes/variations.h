// Ways to vary one tensor or one plain number. Each keeps shape, dtype and device, and says why where it
// does not apply: an integer label cannot be scaled, a tensor of zeros cannot be zeroed.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "auditor/worker/python_module.h"

namespace kernel_audit::filters {

struct Varied {
  worker::Argument argument;
  std::string missing;  // not empty: there is no varied argument
};

// "resample", "other-half", "permute", "sign", "scale", "shift", "zero": resample first, it keeps the
// structure that get_inputs gives (masks, labels, triangles, softmaxed rows).
const std::vector<std::string>& input_variations();
// `other` is the same input of another seed.
Varied vary_input(const worker::Argument& input, const worker::Argument& other, const std::string& variation);

// For parameters and buffers, by name as above and in the same order of importance. "resample" of a parameter is
// noise of its own mean and spread, of spread 1 where it is constant. A buffer may be a variance: it is scaled by
// random factors, and neither its sign changed nor set to zero.
const std::vector<std::string>& state_variations(bool is_parameter);
Varied vary_state(const at::Tensor& state, bool is_parameter, const std::string& variation);

}  // namespace kernel_audit::filters
