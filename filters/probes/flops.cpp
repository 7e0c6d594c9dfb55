#include "filters/probes/flops.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace kernel_audit::filters {
namespace {

double sum_of(const std::vector<Shape>& shapes) {
  double total = 0;
  for (const Shape& shape : shapes) total += elements_of(shape);
  return total;
}

double last(const Shape& shape) { return shape.empty() ? 1.0 : static_cast<double>(shape.back()); }

// A product whose left factor is input `left`.
std::optional<double> product(const ShapedCall& call, std::size_t left) {
  if (call.inputs.size() <= left + 1 || call.outputs.empty()) return std::nullopt;
  return 2 * elements_of(call.outputs[0]) * last(call.inputs[left]);
}

std::optional<double> convolution(const ShapedCall& call, bool transposed) {
  if (call.inputs.size() < 2 || call.outputs.empty() || call.inputs[1].empty()) return std::nullopt;
  const Shape& weight = call.inputs[1];
  if (weight[0] == 0) return 0.0;
  const double per_position = elements_of(weight) / static_cast<double>(weight[0]);
  return 2 * elements_of(transposed ? call.inputs[0] : call.outputs[0]) * per_position;
}

// Query [.., L, E], key [.., S, E], value [.., S, V].
std::optional<double> attention(const ShapedCall& call) {
  if (call.inputs.size() < 3 || call.inputs[1].size() < 2) return std::nullopt;
  const double rows = elements_of(call.inputs[0]) / std::max(1.0, last(call.inputs[0]));
  const double keys = static_cast<double>(call.inputs[1][call.inputs[1].size() - 2]);
  return 2 * rows * keys * (last(call.inputs[0]) + last(call.inputs[2])) + 5 * rows * keys;
}

// Every weight matrix is applied once to every time step of every sequence.
std::optional<double> recurrent(const ShapedCall& call) {
  if (call.inputs.empty() || call.inputs[0].size() < 2) return std::nullopt;
  const double steps = elements_of(call.inputs[0]) / std::max(1.0, last(call.inputs[0]));
  double flops = 0;
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i].size() == 2 && call.inputs[0].size() == 3) flops += 2 * steps * elements_of(call.inputs[i]);
  }
  return flops > 0 ? std::optional<double>(flops) : std::nullopt;
}

std::optional<double> pooling(const ShapedCall& call) {
  if (call.integers.empty() || call.outputs.empty() || call.inputs.empty()) return std::nullopt;
  // One number may stand for all axes.
  const std::size_t axes = call.inputs[0].size() > 2 ? call.inputs[0].size() - 2 : 1;
  double window = elements_of(call.integers[0]);
  for (std::size_t i = call.integers[0].size(); i < axes && call.integers[0].size() == 1; ++i) {
    window *= static_cast<double>(call.integers[0][0]);
  }
  return elements_of(call.outputs[0]) * window;
}

// FLOPs for each element of the first output.
const std::unordered_map<std::string_view, double>& per_output_element() {
  static const std::unordered_map<std::string_view, double> table = {{"add", 1},
                                                                     {"sub", 1},
                                                                     {"rsub", 1},
                                                                     {"mul", 1},
                                                                     {"div", 1},
                                                                     {"neg", 1},
                                                                     {"abs", 1},
                                                                     {"sign", 1},
                                                                     {"relu", 1},
                                                                     {"relu6", 2},
                                                                     {"clamp", 2},
                                                                     {"clamp_min", 1},
                                                                     {"clamp_max", 1},
                                                                     {"hardtanh", 2},
                                                                     {"leaky_relu", 2},
                                                                     {"threshold", 1},
                                                                     {"maximum", 1},
                                                                     {"minimum", 1},
                                                                     {"where", 1},
                                                                     {"square", 1},
                                                                     {"sqrt", 1},
                                                                     {"rsqrt", 2},
                                                                     {"reciprocal", 1},
                                                                     {"exp", 1},
                                                                     {"log", 1},
                                                                     {"pow", 2},
                                                                     {"sin", 1},
                                                                     {"cos", 1},
                                                                     {"tanh", 5},
                                                                     {"sigmoid", 4},
                                                                     {"hardsigmoid", 3},
                                                                     {"hardswish", 4},
                                                                     {"silu", 5},
                                                                     {"mish", 8},
                                                                     {"gelu", 8},
                                                                     {"elu", 3},
                                                                     {"selu", 3},
                                                                     {"celu", 3},
                                                                     {"softplus", 3},
                                                                     {"logsigmoid", 4},
                                                                     {"log_sigmoid", 4},
                                                                     {"erf", 4},
                                                                     {"expm1", 1},
                                                                     {"log1p", 1},
                                                                     {"eq", 1},
                                                                     {"ne", 1},
                                                                     {"lt", 1},
                                                                     {"le", 1},
                                                                     {"gt", 1},
                                                                     {"ge", 1},
                                                                     {"logical_and", 1},
                                                                     {"logical_or", 1},
                                                                     {"logical_not", 1},
                                                                     {"bitwise_not", 1},
                                                                     {"masked_fill", 1},
                                                                     {"addcmul", 3},
                                                                     {"addcdiv", 3},
                                                                     {"lerp", 3},
                                                                     {"dropout", 2},
                                                                     {"cumsum", 1},
                                                                     {"cumprod", 1},
                                                                     {"softmax", 5},
                                                                     {"log_softmax", 5},
                                                                     {"_softmax", 5},
                                                                     {"_log_softmax", 5},
                                                                     {"layer_norm", 8},
                                                                     {"native_layer_norm", 8},
                                                                     {"group_norm", 8},
                                                                     {"instance_norm", 8},
                                                                     {"batch_norm", 5},
                                                                     {"rms_norm", 5},
                                                                     {"local_response_norm", 8},
                                                                     {"floor", 1},
                                                                     {"round", 1},
                                                                     {"remainder", 1},
                                                                     {"tril", 1},
                                                                     {"triu", 1},
                                                                     {"isnan", 1},
                                                                     {"isinf", 1},
                                                                     {"prelu", 2},
                                                                     {"glu", 5},
                                                                     {"softmin", 5},
                                                                     {"normalize", 4},
                                                                     {"softsign", 3},
                                                                     {"hardshrink", 1}};
  return table;
}

// FLOPs for each element of the first input.
const std::unordered_map<std::string_view, double>& per_input_element() {
  static const std::unordered_map<std::string_view, double> table = {{"sum", 1},
                                                                     {"mean", 1},
                                                                     {"prod", 1},
                                                                     {"max", 1},
                                                                     {"min", 1},
                                                                     {"amax", 1},
                                                                     {"amin", 1},
                                                                     {"argmax", 1},
                                                                     {"argmin", 1},
                                                                     {"norm", 2},
                                                                     {"linalg_vector_norm", 2},
                                                                     {"frobenius_norm", 2},
                                                                     {"logsumexp", 3},
                                                                     {"std", 4},
                                                                     {"var", 4},
                                                                     {"var_mean", 4},
                                                                     {"std_mean", 4},
                                                                     {"any", 1},
                                                                     {"all", 1},
                                                                     {"mse_loss", 3},
                                                                     {"l1_loss", 2},
                                                                     {"smooth_l1_loss", 4},
                                                                     {"huber_loss", 4},
                                                                     {"kl_div", 4},
                                                                     {"cross_entropy_loss", 6},
                                                                     {"nll_loss", 1},
                                                                     {"binary_cross_entropy", 6},
                                                                     {"cosine_similarity", 6},
                                                                     {"adaptive_avg_pool1d", 1},
                                                                     {"adaptive_avg_pool2d", 1},
                                                                     {"adaptive_avg_pool3d", 1},
                                                                     {"adaptive_max_pool1d", 1},
                                                                     {"adaptive_max_pool2d", 1},
                                                                     {"adaptive_max_pool3d", 1},
                                                                     {"triplet_margin_loss", 6},
                                                                     {"margin_ranking_loss", 3},
                                                                     {"count_nonzero", 1},
                                                                     {"trace", 1}};
  return table;
}

constexpr std::array kMovers = {
    std::string_view("clone"),     std::string_view("contiguous"),   std::string_view("copy"),
    std::string_view("to"),        std::string_view("_to_copy"),     std::string_view("reshape"),
    std::string_view("flatten"),   std::string_view("lift_fresh"),   std::string_view("detach"),
    std::string_view("alias"),     std::string_view("type_as"),      std::string_view("movedim"),
    std::string_view("unflatten"), std::string_view("float"),        std::string_view("cpu"),
    std::string_view("cuda"),      std::string_view("resolve_conj"), std::string_view("resolve_neg"),
};
constexpr std::array kNoFlops = {
    std::string_view("cat"),           std::string_view("concat"),
    std::string_view("stack"),         std::string_view("index_select"),
    std::string_view("gather"),        std::string_view("embedding"),
    std::string_view("pad"),           std::string_view("constant_pad_nd"),
    std::string_view("roll"),          std::string_view("flip"),
    std::string_view("repeat"),        std::string_view("repeat_interleave"),
    std::string_view("expand"),        std::string_view("arange"),
    std::string_view("zeros"),         std::string_view("ones"),
    std::string_view("full"),          std::string_view("empty"),
    std::string_view("zeros_like"),    std::string_view("ones_like"),
    std::string_view("full_like"),     std::string_view("empty_like"),
    std::string_view("scatter"),       std::string_view("index"),
    std::string_view("masked_select"), std::string_view("take_along_dim"),
    std::string_view("fill"),          std::string_view("zero"),
    std::string_view("pixel_shuffle"), std::string_view("unfold"),
    std::string_view("diag"),          std::string_view("one_hot"),
    std::string_view("eye"),           std::string_view("channel_shuffle"),
    std::string_view("tile"),          std::string_view("scalar_tensor"),
    std::string_view("split"),         std::string_view("chunk"),
    std::string_view("meshgrid"),
};

bool contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

double elements_of(const Shape& shape) {
  double count = 1;
  for (const std::int64_t size : shape) count *= static_cast<double>(size);
  return count;
}

std::string_view base_name(std::string_view op) {
  if (const auto colons = op.find("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  op = op.substr(0, op.find('.'));
  while (op.size() > 1 && op.back() == '_' && op[op.size() - 2] != '_') op.remove_suffix(1);
  return op;
}

bool only_moves_data(std::string_view op) { return contains(kMovers, base_name(op)); }

std::optional<double> flops_of(const ShapedCall& call) {
  const std::string_view name = base_name(call.op);
  if (name == "mm" || name == "matmul" || name == "bmm" || name == "mv" || name == "dot" || name == "linear" ||
      name == "inner" || name == "vdot") {
    return product(call, 0);
  }
  if (name == "addmm" || name == "baddbmm" || name == "addmv") return product(call, 1);
  if (name == "conv1d" || name == "conv2d" || name == "conv3d") return convolution(call, false);
  if (name.starts_with("conv_transpose")) return convolution(call, true);
  if (name == "scaled_dot_product_attention") return attention(call);
  if (name == "lstm" || name == "gru" || name == "rnn_tanh" || name == "rnn_relu") return recurrent(call);
  if (name.starts_with("max_pool") || name.starts_with("avg_pool")) return pooling(call);
  if (contains(kMovers, name) || contains(kNoFlops, name)) return 0.0;
  // max and min of two tensors work on elements, not along an axis.
  const bool of_two = (name == "max" || name == "min") && call.inputs.size() == 2;
  if (const auto found = per_input_element().find(name); found != per_input_element().end() && !of_two) {
    return call.inputs.empty() ? std::nullopt : std::optional<double>(found->second * elements_of(call.inputs[0]));
  }
  if (const auto found = per_output_element().find(of_two ? "maximum" : name); found != per_output_element().end()) {
    return call.outputs.empty() ? std::optional<double>(sum_of(call.inputs))
                                : std::optional<double>(found->second * elements_of(call.outputs[0]));
  }
  return std::nullopt;
}

}  // namespace kernel_audit::filters
