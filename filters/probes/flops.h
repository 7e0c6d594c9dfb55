// Floating-point operations of one operator call from its shapes alone: a multiply-add counts as two, an elementary
// function of one element as one to eight. Knows no torch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_audit::filters {

using Shape = std::vector<std::int64_t>;

struct ShapedCall {
  std::string op;                                   // "aten::addmm", with or without overload
  std::vector<Shape> inputs, outputs;               // of the tensor arguments that are there, in order
  std::vector<std::vector<std::int64_t>> integers;  // arguments that are lists of integers, in order
};

double elements_of(const Shape& shape);
// "addmm" of "aten::addmm_.out": no namespace, no overload, no mark of working in place.
std::string_view base_name(std::string_view op);

// Absent where there is no formula for the operator.
std::optional<double> flops_of(const ShapedCall& call);

// Moves or makes data without computing: clone, cat, contiguous, zeros, …
bool only_moves_data(std::string_view op);

}  // namespace kernel_audit::filters
