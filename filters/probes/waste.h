// Work in the operator trace that the same mathematics does not need. Values of operands (diagonal, triangular,
// symmetric matrices; expanded tensors) are looked at while the calls run; patterns over several calls (a product
// that is reduced at once) are found in the finished trace.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <vector>

#include "filters/evidence_operators.h"

namespace kernel_audit::filters {

class CallTrace;

struct OperandFacts {
  // Of the matrix factors of a product: "diagonal", "upper triangular", "lower triangular" or "".
  std::vector<std::string> factors;
  std::uint64_t distinct_bytes = 0;  // of the tensors it reads, an expanded one counted once
  bool expanded = false;             // one of them repeats elements
  bool names_axes = false;           // a reduction, a softmax and their like
  std::vector<std::int64_t> axes;    // that it works along; none: all
};

OperandFacts facts_of(const std::string& op, const std::vector<at::Tensor>& tensors,
                      const std::vector<c10::IValue>& arguments);

std::vector<Waste> find_waste(const CallTrace& trace, const std::vector<OperandFacts>& facts);

}  // namespace kernel_audit::filters
