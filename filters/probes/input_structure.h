// What a tensor of get_inputs is, recognised from its values on two seeds; and new values of another distribution
// that keep what must be kept: masks, labels and integer ranges, triangles, order, sums to one.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "auditor/worker/python_module.h"
#include "filters/evidence_numerics.h"

namespace kernel_audit::filters {

InputStructure recognise(const std::string& name, const worker::Argument& input, const worker::Argument& other);
bool has(const InputStructure& structure, const char* property);

// "own", "randn", "scaled", "shifted", "heavy-tailed", "sparse"
const std::vector<std::string>& distributions();

struct Redrawn {
  worker::Argument argument;
  std::string how;  // "drawn", or "kept: mask"
};
// `own` is this seed's draw; random numbers come from torch's default generator. `non_negative`: magnitudes only.
Redrawn redraw(const worker::Argument& own, const InputStructure& structure, const std::string& distribution,
               bool non_negative);

}  // namespace kernel_audit::filters
