#include "filters/probes/waste.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

#include "filters/probes/call_trace.h"
#include "filters/probes/flops.h"

namespace kernel_audit::filters {
namespace {

// Less is not worth a word.
constexpr double kLeastFactor = 1.5;

std::string text_of(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Waste waste_of(const OperatorCall& call, const char* kind, double spent, double needed, const char* unit,
               std::string explanation) {
  return {kind, call.position, call.op, call.module, spent, needed, unit, std::move(explanation)};
}

bool is_matrix_product(std::string_view name) {
  return name == "mm" || name == "matmul" || name == "bmm" || name == "linear" || name == "addmm" || name == "baddbmm";
}

bool is_convolution(std::string_view name) { return name.starts_with("conv"); }

std::optional<Waste> structured_product(const OperatorCall& call, const OperandFacts& facts) {
  if (facts.factors.empty() || !call.flops || call.output_shapes.empty()) return std::nullopt;
  const double elements = elements_of(call.output_shapes[0]);
  int triangular = 0;
  for (std::size_t i = 0; i < facts.factors.size(); ++i) {
    const std::string factor = i == 0 ? "left" : "right";
    if (facts.factors[i] == "diagonal") {
      return waste_of(call, "diagonal-product", *call.flops, elements, "FLOP",
                      "The " + factor + " factor of the matrix product is diagonal, so that the result " +
                          text_of(call.output_shapes[0]) + " is the other factor scaled by rows or columns.");
    }
    triangular += !facts.factors[i].empty();
  }
  if (triangular == 0) return std::nullopt;
  const bool both = triangular == 2 && facts.factors[0] == facts.factors[1];
  return waste_of(call, "triangular-product", *call.flops, *call.flops / (both ? 6 : 2), "FLOP",
                  both ? "Both factors of the matrix product are " + facts.factors[0] +
                             ", so that about a sixth of its multiplications have no zero in them."
                       : "One factor of the matrix product is triangular, so that about half of its multiplications "
                         "have a zero in them.");
}

std::optional<Waste> materialised_broadcast(const OperatorCall& call, const OperandFacts& facts) {
  const std::string_view name = base_name(call.op);
  const bool repeats = name == "repeat" || name == "tile" || name == "repeat_interleave";
  const bool copies = call.kind == call_kind::kCopy && facts.expanded && name != "copy";
  if (!repeats && !copies) return std::nullopt;
  const double written = static_cast<double>(call.bytes_written), distinct = static_cast<double>(facts.distinct_bytes);
  if (written < 2 * distinct) return std::nullopt;
  return waste_of(call, "materialised-broadcast", written + distinct, distinct, "bytes",
                  "The same elements are written several times, to a tensor " +
                      (call.output_shapes.empty() ? std::string() : text_of(call.output_shapes[0])) +
                      " that an expanded view would stand for.");
}

std::optional<Waste> size_one_axis(const OperatorCall& call, const OperandFacts& facts) {
  if (!facts.names_axes || facts.axes.empty() || call.input_shapes.empty()) return std::nullopt;
  const Shape& shape = call.input_shapes[0];
  for (const std::int64_t axis : facts.axes) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()) || shape[static_cast<std::size_t>(axis)] != 1) {
      return std::nullopt;
    }
  }
  const double bytes = static_cast<double>(call.bytes_read + call.bytes_written);
  const bool computes = call.flops.value_or(0) > 0;
  return waste_of(call, "size-1-axis", computes ? *call.flops : bytes, 0, computes ? "FLOP" : "bytes",
                  "It works along an axis of size 1 of a tensor " + text_of(shape) + ".");
}

// A reduction sees the sum of a scaled and shifted tensor as the scaled and shifted sum.
bool commutes_with_sum(const OperatorCall& call) {
  const std::string_view name = base_name(call.op);
  if (name != "mul" && name != "div" && name != "add" && name != "sub" && name != "neg") return false;
  for (std::size_t i = 1; i < call.input_shapes.size(); ++i) {
    if (elements_of(call.input_shapes[i]) > 1) return false;
  }
  return true;
}

// The product that `call` reduces, through calls that commute with a sum and whose results nobody else reads.
const OperatorCall* reduced_product(const CallTrace& trace, const OperatorCall& call) {
  const Shape& shape = call.input_shapes[0];
  const OperatorCall* at = &call;
  for (int steps = 0; steps < 8; ++steps) {
    const auto& from = trace.producers[at->position];
    if (from.size() != 1) return nullptr;
    const OperatorCall& before = trace.calls[from[0]];
    int real_readers = 0;
    for (const int reader : trace.readers[before.position]) {
      real_readers += trace.calls[reader].kind != call_kind::kView;
    }
    if (real_readers != 1 || before.output_shapes.empty() || before.output_shapes[0] != shape) return nullptr;
    const std::string_view name = base_name(before.op);
    if (is_matrix_product(name) || is_convolution(name)) return &before;
    if (!commutes_with_sum(before)) return nullptr;
    at = &before;
  }
  return nullptr;
}

std::optional<Waste> collapsible_reduction(const CallTrace& trace, const OperatorCall& call,
                                           const OperandFacts& facts) {
  const std::string_view name = base_name(call.op);
  if ((name != "sum" && name != "mean") || call.input_shapes.empty()) return std::nullopt;
  const OperatorCall* product = reduced_product(trace, call);
  if (product == nullptr || !product->flops || product->input_shapes.size() < 2) return std::nullopt;
  const Shape& shape = call.input_shapes[0];
  std::vector<bool> reduced(shape.size(), facts.axes.empty());
  for (const std::int64_t axis : facts.axes) {
    if (axis >= 0 && axis < static_cast<std::int64_t>(shape.size())) reduced[static_cast<std::size_t>(axis)] = true;
  }
  const std::string_view kind = base_name(product->op);
  const std::size_t left = kind == "addmm" || kind == "baddbmm" ? 1 : 0;
  double needed = 0;
  std::string what;
  if (is_convolution(kind)) {
    for (std::size_t axis = 2; axis < shape.size(); ++axis) {
      if (!reduced[axis]) return std::nullopt;
    }
    if (shape.size() < 3) return std::nullopt;
    const double positions = elements_of(Shape(shape.begin() + 2, shape.end()));
    needed = *product->flops / positions + elements_of(product->input_shapes[0]);
    what = "The convolution's result " + text_of(shape) +
           " is summed over all positions at once, which sums of the "
           "input's windows give without it.";
  } else {
    if (shape.empty()) return std::nullopt;
    const bool columns = reduced.back(), rows = shape.size() > 1 && reduced[shape.size() - 2];
    if (!columns && !rows) return std::nullopt;
    const double size = static_cast<double>(columns ? shape.back() : shape[shape.size() - 2]);
    needed = *product->flops / size + elements_of(product->input_shapes[columns ? left + 1 : left]);
    what = "The matrix product's result " + text_of(shape) +
           " is summed along one of its axes at once, which is one "
           "product with a vector of sums.";
  }
  return waste_of(*product, "collapsible-reduction", *product->flops, needed, "FLOP", std::move(what));
}

}  // namespace

std::vector<Waste> find_waste(const CallTrace& trace, const std::vector<OperandFacts>& facts) {
  std::vector<Waste> found;
  const auto add = [&](std::optional<Waste> waste) {
    if (waste && waste->spent > 0 && waste->spent >= kLeastFactor * waste->needed) found.push_back(std::move(*waste));
  };
  for (const OperatorCall& call : trace.calls) {
    if (static_cast<std::size_t>(call.position) >= facts.size()) break;
    const OperandFacts& own = facts[call.position];
    add(structured_product(call, own));
    add(materialised_broadcast(call, own));
    add(size_one_axis(call, own));
    add(collapsible_reduction(trace, call, own));
  }
  return found;
}

}  // namespace kernel_audit::filters
