// Shapes of tensors in host code, for HostNumbers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 60;

double product(const HostNumbers::Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
}

}  // namespace

std::optional<double> HostNumbers::elements(Id tensor, int frame) {
  const auto known = shape(tensor, frame);
  return known ? std::optional(product(*known)) : std::nullopt;
}

std::optional<double> HostNumbers::input_elements(std::size_t position) {
  const auto known = input(position);
  return known ? std::optional(product(*known)) : std::nullopt;
}

// Sizes as arguments: one by one, or in a list.
std::optional<HostNumbers::Shape> HostNumbers::sizes(const std::vector<Id>& args, int frame, int depth) {
  Shape found;
  for (const Id arg : args) {
    const Value value = of(arg, frame, depth + 1);
    if (value.list) {
      for (const Value& item : value.items) {
        if (!item.number) return std::nullopt;
        found.push_back(*item.number);
      }
    } else if (value.number) {
      found.push_back(*value.number);
    } else {
      return std::nullopt;
    }
  }
  return found;
}

// How often the only loop of get_inputs goes round.
std::optional<double> HostNumbers::only_range(int frame) {
  std::optional<double> count;
  for (const facts::Block& block : model_.function(inputs_).blocks) {
    for (const Statement& s : block.statements) {
      if (s.callee != "builtins.range") continue;
      if (count || s.args.size() != 1) return std::nullopt;
      count = number(s.args[0], frame);
      if (!count) return std::nullopt;
    }
  }
  return count;
}

// A tensor of the list that get_inputs returns.
std::optional<HostNumbers::Shape> HostNumbers::input(std::size_t position) {
  if (inputs_ == kNone) return std::nullopt;
  const int frame = add({inputs_, nullptr, nullptr, -1});
  const Id value = returned(inputs_, frame);
  if (value == kNone) return std::nullopt;
  std::vector<std::pair<Id, int>> parts{{value, frame}};  // in order
  std::vector<std::pair<Id, int>> items;
  while (!parts.empty()) {
    const auto [part, at] = parts.back();
    parts.pop_back();
    const Made made = origin(part, at);
    if (made.statement == nullptr) return std::nullopt;
    if (made.statement->callee == "operator.add" && made.statement->args.size() == 2) {
      parts.emplace_back(made.statement->args[1], made.frame);
      parts.emplace_back(made.statement->args[0], made.frame);
      continue;
    }
    if (made.statement->callee != "builtins.list" && made.statement->callee != "builtins.tuple") return std::nullopt;
    if (!made.statement->args.empty()) {
      for (const Id item : made.statement->args) items.emplace_back(item, made.frame);
      continue;
    }
    // A comprehension: all elements are made alike, and the last part of the list.
    Id element = kNone;
    for (const facts::Block& block : model_.function(inputs_).blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee != "builtins.list.append" || s.args.size() != 1 || s.receiver != made.statement->result) continue;
        if (element != kNone) return std::nullopt;
        element = s.args[0];
      }
    }
    const auto count = parts.empty() ? std::optional(static_cast<double>(position + 1)) : only_range(made.frame);
    if (element == kNone || !count || *count > 64) return std::nullopt;
    for (double more = 0; more < *count; ++more) items.emplace_back(element, made.frame);
  }
  return position < items.size() ? shape(items[position].first, items[position].second) : std::nullopt;
}

std::optional<HostNumbers::Shape> HostNumbers::shape(Id tensor, int frame, int depth) {
  if (tensor == kNone || frame < 0 || depth > kDeepest || ++steps_ > kMostSteps) return std::nullopt;
  const Id entry = model_.facts().entry_function;
  const Made made = origin(tensor, frame, depth + 1);
  const auto of_parameter = [&](const Statement* load) -> std::optional<Shape> {
    if (frames_[static_cast<std::size_t>(made.statement != nullptr ? made.frame : frame)].function != entry ||
        entry == kNone)
      return std::nullopt;
    const auto& parameters = model_.function(entry).parameters;
    const std::size_t first = model_.facts().entry_class != kNone ? 1 : 0;
    for (std::size_t p = first; p < parameters.size(); ++p) {
      const bool is = load != nullptr ? parameters[p].storage == load->location.storage : parameters[p].value == tensor;
      if (is) return input(p - first);
    }
    return std::nullopt;
  };
  if (made.statement == nullptr) return of_parameter(nullptr);
  const Statement& s = *made.statement;
  if (s.kind == StatementKind::kLoad) {
    if (s.location.element) return shape_of_element(s, made.frame, depth);
    if (s.location.storage == kNone) return std::nullopt;
    const facts::Storage& place = model_.facts().storages[static_cast<std::size_t>(s.location.storage)];
    if (place.kind == facts::StorageKind::kLocal) return of_parameter(&s);
    if (s.location.base == kNone) return std::nullopt;
    if (place.name == "T" || place.name == "mT") {
      auto known = shape(s.location.base, made.frame, depth + 1);
      if (known && known->size() >= 2) std::swap((*known)[known->size() - 1], (*known)[known->size() - 2]);
      return known;
    }
    if (place.name == "data") return shape(s.location.base, made.frame, depth + 1);
    const Made module = origin(s.location.base, made.frame, depth + 1);
    if (module.statement == nullptr || !module.statement->callee.starts_with("torch.nn.")) return std::nullopt;
    return shape_of_weight(*module.statement, place.name, module.frame, depth + 1);
  }
  if (s.kind != StatementKind::kCall) return std::nullopt;
  if (s.receiver != kNone && one_of(last_part(s.callee), {"narrow", "slice", "select"}))
    return shape_of_part(tensor, frame, depth);
  return shape_of_call(s, made.frame, depth + 1);
}

std::optional<HostNumbers::Shape> HostNumbers::shape_of_weight(const Statement& module, const std::string& name,
                                                               int frame, int depth) {
  const std::string layer = last_part(module.callee);
  const auto size = [&](std::size_t i) {
    return i < module.args.size() ? of(module.args[i], frame, depth + 1).number : std::nullopt;
  };
  if (name != "weight" && name != "bias" && name != "running_mean" && name != "running_var") return std::nullopt;
  if (layer == "Linear") {
    const auto in = size(0), out = size(1);
    if (!in || !out) return std::nullopt;
    return name == "weight" ? Shape{*out, *in} : Shape{*out};
  }
  if (layer.starts_with("BatchNorm") && size(0)) return Shape{*size(0)};
  if (layer == "GroupNorm" && size(1)) return Shape{*size(1)};
  if ((layer == "LayerNorm" || layer == "RMSNorm") && !module.args.empty())
    return sizes({module.args[0]}, frame, depth);
  return std::nullopt;
}

std::optional<HostNumbers::Shape> HostNumbers::shape_of_call(const Statement& s, int frame, int depth) {
  if (s.target != kNone) {
    if (nested_ > kMostNested) return std::nullopt;
    const Nested nested(nested_);
    const int inside = add({s.target, &s, nullptr, frame});
    return shape(returned(s.target, inside), inside, depth + 1);
  }
  const std::string last = last_part(s.callee);
  const auto receiver = [&] { return shape(s.receiver, frame, depth + 1); };
  if (one_of(last, {"empty", "zeros", "ones", "rand", "randn"}) && s.receiver == kNone) {
    std::vector<Id> args = s.args;
    if (s.callee.starts_with("at::") && args.size() > 1) args.resize(1);
    for (const auto& [name, value] : s.keywords) {
      if (name == "size") args = {value};
    }
    return sizes(args, frame, depth);
  }
  if (one_of(last, {"new_empty", "new_zeros"})) return sizes(s.args, frame, depth);
  if (last == "arange" && s.receiver == kNone && !s.args.empty() && s.args.size() <= 3) {
    std::vector<double> given;
    for (const Id arg : s.args) {
      const auto one = of(arg, frame, depth + 1).number;
      if (!one) return std::nullopt;
      given.push_back(*one);
    }
    const double from = given.size() > 1 ? given[0] : 0, to = given.size() > 1 ? given[1] : given[0];
    const double step = given.size() > 2 ? given[2] : 1;
    return step == 0 ? std::nullopt : std::optional(Shape{std::max(std::ceil((to - from) / step), 0.0)});
  }
  if ((last == "full" || last == "randint") && s.receiver == kNone) {
    for (const Id arg : s.args) {
      if (of(arg, frame, depth + 1).list) return sizes({arg}, frame, depth);
    }
    return std::nullopt;
  }
  const bool strided =
      one_of(last, {"empty_strided", "_empty_strided_cuda", "empty_strided_cuda", "new_empty_strided"});
  if (strided && !s.args.empty()) return sizes({s.args[0]}, frame, depth);
  if (one_of(last, {"empty_like", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "Parameter"}) &&
      !s.args.empty())
    return shape(s.args[0], frame, depth + 1);
  const bool same = one_of(s.callee, {"operator.cast", "operator.addressof", "numba.cuda.as_cuda_array", "cupy.asarray",
                                      "cupy.from_dlpack"});
  if (same && s.args.size() == 1) return shape(s.args[0], frame, depth + 1);
  if (const auto known = shape_of_repeat(s, last, frame, depth)) return known;
  if (s.receiver == kNone) {
    const bool elementwise = s.callee.starts_with("operator.") && s.args.size() == 2;
    if (!elementwise) return std::nullopt;
    const auto left = shape(s.args[0], frame, depth + 1), right = shape(s.args[1], frame, depth + 1);
    if (left && right) return *left == *right ? left : std::nullopt;
    const auto number = [&](Id arg) { return of(arg, frame, depth + 1).number.has_value(); };
    return left && number(s.args[1]) ? left : right && number(s.args[0]) ? right : std::nullopt;
  }
  if (one_of(last, {"contiguous", "to", "float", "half", "bfloat16", "double", "int", "detach", "clone", "cuda", "type",
                    "requires_grad_", "data_ptr", "mutable_data_ptr", "abs", "neg", "sigmoid", "cpu"}))
    return receiver();
  if (one_of(last, {"view", "reshape"})) {
    auto asked = sizes(s.args, frame, depth);
    const auto before = receiver();
    if (!asked) return std::nullopt;
    const auto open = std::find(asked->begin(), asked->end(), -1.0);
    if (open == asked->end()) return asked;
    if (!before) return std::nullopt;
    const double rest = -product(*asked);
    if (rest <= 0) return std::nullopt;
    *open = product(*before) / rest;
    return asked;
  }
  if (last == "t" || last == "transpose" || last == "swapaxes") {
    auto known = receiver();
    const auto axes = last == "t" ? std::optional(Shape{0, 1}) : sizes(s.args, frame, depth);
    if (!known || !axes || axes->size() != 2) return std::nullopt;
    const auto at = [&](double axis) {
      return static_cast<std::size_t>(axis < 0 ? axis + static_cast<double>(known->size()) : axis);
    };
    if (at((*axes)[0]) >= known->size() || at((*axes)[1]) >= known->size()) return std::nullopt;
    std::swap((*known)[at((*axes)[0])], (*known)[at((*axes)[1])]);
    return known;
  }
  if (last == "unsqueeze" && s.args.size() == 1) {
    auto known = receiver();
    const auto axis = of(s.args[0], frame, depth + 1).number;
    if (!known || !axis) return std::nullopt;
    const double at = *axis < 0 ? *axis + static_cast<double>(known->size()) + 1 : *axis;
    if (at < 0 || at > static_cast<double>(known->size())) return std::nullopt;
    known->insert(known->begin() + static_cast<std::ptrdiff_t>(at), 1.0);
    return known;
  }
  if (last == "flatten" && s.args.empty()) {
    const auto known = receiver();
    return known ? std::optional(Shape{product(*known)}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::rules
