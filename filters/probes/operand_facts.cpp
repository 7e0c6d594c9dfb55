// The half of waste.h that looks at values while calls run.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>

#include "filters/probes/flops.h"
#include "filters/probes/waste.h"

namespace kernel_audit::filters {
namespace {

constexpr std::int64_t kSmallestMatrix = 8;
constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

bool is_product(std::string_view name) {
  return name == "mm" || name == "matmul" || name == "bmm" || name == "addmm" || name == "baddbmm";
}

bool corner_is_zero(const at::Tensor& matrices, std::int64_t row, std::int64_t column) {
  return matrices.select(-2, row).select(-1, column).count_nonzero().item<std::int64_t>() == 0;
}

// One corner tells most matrices apart before all of it is read.
std::string form_of(const at::Tensor& factor) {
  if (!factor.is_floating_point() || factor.dim() < 2 || factor.size(-1) != factor.size(-2)) return "";
  if (factor.size(-1) < kSmallestMatrix || factor.numel() > kMostElements) return "";
  const c10::AutoGradMode no_grad(false);
  const bool maybe_upper = corner_is_zero(factor, factor.size(-2) - 1, 0);
  const bool maybe_lower = corner_is_zero(factor, 0, factor.size(-1) - 1);
  const bool upper = maybe_upper && factor.tril(-1).count_nonzero().item<std::int64_t>() == 0;
  const bool lower = maybe_lower && factor.triu(1).count_nonzero().item<std::int64_t>() == 0;
  if (upper && lower) return "diagonal";
  return upper ? "upper triangular" : lower ? "lower triangular" : "";
}

// Argument that names the axes of a reduction or of what works along one; -1: none.
int axes_argument(std::string_view name) {
  constexpr std::array kSecond = {
      std::string_view("softmax"), std::string_view("log_softmax"), std::string_view("logsumexp"),
      std::string_view("mean"),    std::string_view("sum"),         std::string_view("amax"),
      std::string_view("amin"),    std::string_view("max"),         std::string_view("min"),
      std::string_view("argmax"),  std::string_view("argmin"),      std::string_view("prod"),
      std::string_view("cumsum"),  std::string_view("cumprod"),     std::string_view("softmin"),
      std::string_view("var"),     std::string_view("std")};
  if (std::find(kSecond.begin(), kSecond.end(), name) != kSecond.end()) return 1;
  return name == "norm" || name == "linalg_vector_norm" ? 2 : -1;
}

}  // namespace

OperandFacts facts_of(const std::string& op, const std::vector<at::Tensor>& tensors,
                      const std::vector<c10::IValue>& arguments) {
  OperandFacts facts;
  const std::string_view name = base_name(op);
  for (const at::Tensor& tensor : tensors) {
    std::int64_t elements = tensor.numel() == 0 ? 0 : 1;
    for (std::int64_t axis = 0; axis < tensor.dim() && elements > 0; ++axis) {
      if (tensor.stride(axis) != 0) elements *= tensor.size(axis);
    }
    facts.expanded = facts.expanded || elements < tensor.numel();
    facts.distinct_bytes += static_cast<std::uint64_t>(elements) * tensor.element_size();
  }
  if (is_product(name)) {
    const std::size_t first = name == "addmm" || name == "baddbmm" ? 1 : 0;
    for (std::size_t i = first; i < tensors.size() && i < first + 2; ++i) facts.factors.push_back(form_of(tensors[i]));
  }
  const int at = axes_argument(name);
  if (at > 0 && static_cast<int>(arguments.size()) > at && !tensors.empty()) {
    const c10::IValue& value = arguments[static_cast<std::size_t>(at)];
    if (value.isInt()) facts.axes = {value.toInt()};
    if (value.isIntList()) facts.axes = value.toIntVector();
    for (std::int64_t& axis : facts.axes) axis = axis < 0 ? axis + tensors[0].dim() : axis;
    facts.names_axes = true;
  }
  return facts;
}

}  // namespace kernel_audit::filters
