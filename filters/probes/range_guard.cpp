#include "filters/probes/range_guard.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "filters/probes/call_trace.h"
#include "filters/probes/flops.h"

namespace kernel_audit::filters {
namespace {

// Arguments of one call, by the names of its schema.
class CallArguments {
 public:
  CallArguments(const c10::OperatorHandle& op, const torch::jit::Stack& stack)
      : schema_(op.schema()), values_(&stack[stack.size() - op.schema().arguments().size()]) {}

  const c10::IValue* find(std::string_view name) const {
    for (std::size_t i = 0; i < schema_.arguments().size(); ++i) {
      if (schema_.arguments()[i].name() == name) return &values_[i];
    }
    return nullptr;
  }
  // Undefined where there is no such tensor.
  at::Tensor tensor(std::string_view name) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isTensor() ? value->toTensor() : at::Tensor();
  }
  std::optional<std::int64_t> integer(std::string_view name) const {
    const c10::IValue* value = find(name);
    return value != nullptr && value->isInt() ? std::optional(value->toInt()) : std::nullopt;
  }

 private:
  const c10::FunctionSchema& schema_;
  const c10::IValue* values_;
};

bool is_index(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 && tensor.device().type() != at::kMeta &&
         c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
}

void check_index(std::string_view op, const at::Tensor& index, std::int64_t least, std::int64_t limit) {
  if (!is_index(index)) return;
  const auto [low, high] = at::aminmax(index);
  const auto first = low.item<std::int64_t>(), last = high.item<std::int64_t>();
  TORCH_CHECK_INDEX(first >= least && last < limit, op, ": indices from ", first, " to ", last, " are not in ", least,
                    " to ", limit - 1);
}

// Labels of classes; those equal to `ignored` count for none.
void check_labels(std::string_view op, const at::Tensor& labels, std::int64_t classes, std::int64_t ignored) {
  if (!is_index(labels)) return;
  check_index(op, labels.masked_fill(labels == ignored, 0), 0, classes);
}

void check_probability(std::string_view op, const at::Tensor& values, bool at_most_one) {
  if (!values.defined() || values.numel() == 0 || !values.is_floating_point()) return;
  if (values.device().type() == at::kMeta) return;
  const bool inside =
      at::all(at_most_one ? (values >= 0).logical_and(values <= 1) : (values >= 0).logical_and(values.isfinite()))
          .item<bool>();
  TORCH_CHECK_VALUE(inside, op, ": a value is no probability");
}

// self[i, None, mask, …]: each index speaks of one axis, a mask of as many as it has.
void check_advanced(std::string_view op, const at::Tensor& self, const c10::IValue& indices) {
  if (!indices.isList()) return;
  std::int64_t axis = 0;
  for (const c10::IValue& item : indices.toListRef()) {
    const at::Tensor index = item.isTensor() ? item.toTensor() : at::Tensor();
    const bool mask = index.defined() && (index.scalar_type() == at::kBool || index.scalar_type() == at::kByte);
    if (!mask && axis < self.dim()) check_index(op, index, -self.size(axis), self.size(axis));
    axis += mask ? index.dim() : 1;
  }
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 10> kAlongAxis = {"gather",         "index_select",  "index_add", "index_copy",
                                                         "index_fill",     "index_reduce",  "scatter",   "scatter_add",
                                                         "scatter_reduce", "take_along_dim"};
constexpr std::array<std::string_view, 6> kLabelled = {"cross_entropy_loss", "nll_loss",         "nll_loss_nd",
                                                       "nll_loss2d",         "nll_loss_forward", "multi_margin_loss"};

}  // namespace

void check_ranges(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const std::string operator_text = operator_name(op);
  const std::string_view name = base_name(operator_text);
  const CallArguments arguments(op, stack);
  const at::Tensor self = arguments.tensor("self");
  if (is_one_of(name, kAlongAxis)) {
    at::Tensor index = arguments.tensor("index");
    if (!index.defined()) index = arguments.tensor("indices");
    const auto axis = arguments.integer("dim");
    if (!self.defined() || (axis && (*axis < -self.dim() || *axis >= self.dim()))) return;  // the operator says so
    const std::int64_t size = !axis ? self.numel() : self.dim() == 0 ? 1 : self.size(*axis);
    check_index(name, index, name == "take_along_dim" ? -size : 0, size);
  } else if (name == "index" || name == "index_put" || name == "_index_put_impl") {
    if (const c10::IValue* indices = arguments.find("indices"); indices != nullptr && self.defined()) {
      check_advanced(name, self, *indices);
    }
  } else if (name == "take" || name == "put") {
    if (self.defined()) check_index(name, arguments.tensor("index"), -self.numel(), self.numel());
  } else if (name == "embedding" || name == "embedding_bag") {
    const at::Tensor weight = arguments.tensor("weight");
    if (weight.defined() && weight.dim() > 0) check_index(name, arguments.tensor("indices"), 0, weight.size(0));
  } else if (name == "one_hot") {
    const auto classes = arguments.integer("num_classes").value_or(-1);
    check_index(name, self, 0, classes > 0 ? classes : std::numeric_limits<std::int64_t>::max());
  } else if (is_one_of(name, kLabelled)) {
    if (!self.defined() || self.dim() == 0) return;
    check_labels(name, arguments.tensor("target"), self.size(self.dim() == 1 ? 0 : 1),
                 arguments.integer("ignore_index").value_or(-100));
  } else if (name == "ctc_loss") {
    const at::Tensor log_probabilities = arguments.tensor("log_probs");
    if (log_probabilities.defined() && log_probabilities.dim() > 0) {
      check_index(name, arguments.tensor("targets"), 0, log_probabilities.size(-1));
    }
  } else if (name == "binary_cross_entropy") {
    check_probability(name, self, true);
    check_probability(name, arguments.tensor("target"), true);
  } else if (name == "bernoulli") {
    check_probability(name, arguments.tensor(arguments.find("p") != nullptr ? "p" : "self"), true);
  } else if (name == "multinomial") {
    check_probability(name, self, false);
  }
}

}  // namespace kernel_audit::filters
