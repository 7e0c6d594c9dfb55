// Sizes of tensors that the source itself gives: allocations with numbers, and what the task's input function makes.
#pragma once

#include <optional>
#include <vector>

#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

// Elements of the tensor that a pointer or tensor value of a C++ function stands for.
std::optional<double> elements_behind(const KernelView& host, facts::Id value);

// Elements of each tensor in the list that `get_inputs` of the candidate returns, 0 where that is not known; empty
// when there is no such function.
std::vector<double> input_elements(const facts::Model& model);

// The whole number that a value of a C++ function is when forward is called with what `get_inputs` makes: sizes of its
// arguments, constants of the calls from Python, arithmetic on both.
std::optional<double> number_with_inputs(const facts::Model& model, facts::Id function, facts::Id value);

}  // namespace kernel_audit::analysis::rules
