#include "analysis/rules/known_sizes.h"

#include <cmath>
#include <map>
#include <memory>

#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

bool allocates(const std::string& callee) {
  return one_of(last_part(callee), {"empty", "zeros", "ones", "full", "rand", "randn", "randint"});
}

using Shape = std::vector<double>;

// The numbers in a list, or in the arguments themselves.
std::optional<Shape> sizes_in(const KernelView& view, const std::vector<Id>& sizes) {
  Shape all;
  for (const Id size : sizes) {
    const auto& constant = view.model.value(size).constant;
    if (constant && constant->is_array()) {
      for (const Json& item : *constant) {
        if (!item.is_number()) return std::nullopt;
        all.push_back(item.get<double>());
      }
      continue;
    }
    const Statement* list = view.flow.made(size);
    if (list != nullptr && list->kind == StatementKind::kCall &&
        one_of(list->callee, {"builtins.list", "builtins.tuple", "c10::IntArrayRef::IntArrayRef"})) {
      const auto inner = sizes_in(view, list->args);
      if (!inner) return std::nullopt;
      all.insert(all.end(), inner->begin(), inner->end());
      continue;
    }
    const auto number = view.number(size);
    if (!number) return std::nullopt;
    all.push_back(*number);
  }
  return sizes.empty() ? std::nullopt : std::optional(all);
}

std::optional<double> product(const KernelView& view, const std::vector<Id>& sizes) {
  const auto numbers = sizes_in(view, sizes);
  if (!numbers) return std::nullopt;
  double all = 1;
  for (const double number : *numbers) all *= number;
  return all;
}

}  // namespace

std::optional<double> elements_behind(const KernelView& host, Id value) {
  for (int hops = 0; hops < 12 && value != kNone; ++hops) {
    const Statement* made = host.flow.made(value);
    if (made == nullptr) return std::nullopt;
    if (made->kind == StatementKind::kLoad) {
      if (made->location.element || made->location.storage == kNone) return std::nullopt;
      const auto& stores = host.flow.stores_to(made->location.storage);
      if (stores.size() != 1 || stores.front()->augmented) return std::nullopt;
      value = stores.front()->value;
      continue;
    }
    if (made->kind != StatementKind::kCall) return std::nullopt;
    if (made->callee.starts_with("at::") && allocates(made->callee) && !made->args.empty())
      return product(host, {made->args[0]});
    if (last_part(made->callee) != "data_ptr" && last_part(made->callee) != "mutable_data_ptr" &&
        made->callee != "operator.cast")
      return std::nullopt;
    value = made->receiver != kNone ? made->receiver : made->args.empty() ? kNone : made->args[0];
  }
  return std::nullopt;
}

namespace {

// The tensors in the list that `get_inputs` returns; empty where a size is not known.
std::vector<Shape> input_shapes(const Model& model) {
  for (const facts::Function& function : model.facts().functions) {
    if (function.name != "get_inputs" || function.blocks.empty() || function.class_id != kNone) continue;
    const KernelView view(model, function);
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kReturn || s.value == kNone) continue;
        const Statement* list = view.flow.made(s.value);
        if (list == nullptr || list->callee != "builtins.list") return {};
        std::vector<Shape> shapes;
        for (const Id item : list->args) {
          const Statement* made = nullptr;
          Id at = item;
          for (int hops = 0; hops < 6; ++hops) {
            made = view.flow.made(at);
            if (made == nullptr) break;
            if (made->kind == StatementKind::kLoad) {
              const auto& stores = view.flow.stores_to(made->location.storage);
              if (stores.size() != 1) break;
              at = stores.front()->value;
            } else if (made->receiver != kNone && !made->callee.starts_with("torch.rand")) {
              at = made->receiver;  // .cuda(), .contiguous()
            } else {
              break;
            }
          }
          const bool known = made != nullptr && made->kind == StatementKind::kCall && allocates(made->callee);
          shapes.push_back(known ? sizes_in(view, made->args).value_or(Shape{}) : Shape{});
        }
        return shapes;
      }
    }
  }
  return {};
}

// Evaluates values of several functions: a parameter is what the only call of its function gives.
class InputNumbers {
 public:
  explicit InputNumbers(const Model& model) : model_(model) {}

  std::optional<double> number(Id function, Id value, int depth = 0) {
    if (value == kNone || depth > kDeepest) return std::nullopt;
    const auto& constant = model_.value(value).constant;
    if (constant) return constant->is_number() ? std::optional(constant->get<double>()) : std::nullopt;
    const KernelView& view = view_of(function);
    const Statement* s = view.flow.made(value);
    if (s == nullptr) return std::nullopt;
    if (s->kind == StatementKind::kLoad) {
      const auto from = source(function, *s);
      return from ? number(from->first, from->second, depth + 1) : std::nullopt;
    }
    if (s->kind != StatementKind::kCall) return std::nullopt;
    if (s->callee == "operator.cast" && s->args.size() == 1) return number(function, s->args[0], depth + 1);
    if (s->callee == "at::Tensor::size" && s->args.size() == 1) {
      const auto of = shape(function, s->receiver, depth + 1);
      auto axis = number(function, s->args[0], depth + 1);
      if (!of || !axis) return std::nullopt;
      if (*axis < 0) *axis += static_cast<double>(of->size());
      if (*axis < 0 || *axis >= static_cast<double>(of->size())) return std::nullopt;
      return (*of)[static_cast<std::size_t>(*axis)];
    }
    if (s->callee == "at::Tensor::numel") {
      const auto of = shape(function, s->receiver, depth + 1);
      if (!of) return std::nullopt;
      double all = 1;
      for (const double size : *of) all *= size;
      return all;
    }
    if (s->args.size() != 2) return std::nullopt;
    const auto left = number(function, s->args[0], depth + 1), right = number(function, s->args[1], depth + 1);
    if (!left || !right) return std::nullopt;
    if (s->callee == "operator.add") return *left + *right;
    if (s->callee == "operator.sub") return *left - *right;
    if (s->callee == "operator.mul") return *left * *right;
    if (s->callee == "operator.floordiv" && *right != 0) return std::trunc(*left / *right);
    if (s->callee == "operator.mod" && *right != 0) return std::fmod(*left, *right);
    if (s->callee == "operator.rshift" && *right >= 0) return std::floor(*left / std::exp2(*right));
    if (s->callee == "operator.lshift" && *right >= 0) return *left * std::exp2(*right);
    return std::nullopt;
  }

 private:
  static constexpr int kDeepest = 32;

  const KernelView& view_of(Id function) {
    auto& view = views_[function];
    if (view == nullptr) view = std::make_unique<KernelView>(model_, model_.function(function));
    return *view;
  }

  // Where the content of a variable comes from: its only store, or what the only caller gives for a parameter.
  std::optional<std::pair<Id, Id>> source(Id id, const Statement& load) {
    const Id storage = load.location.storage;
    if (storage == kNone || load.location.element || load.location.base != kNone) return std::nullopt;
    const facts::Function& function = model_.function(id);
    const auto& stores = view_of(id).flow.stores_to(storage);
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
      if (function.parameters[p].storage != storage) continue;
      if (!stores.empty()) return std::nullopt;
      const auto call = only_call(id);
      if (!call || call->second->star_args) return std::nullopt;
      if (p < call->second->args.size()) return std::pair{call->first, call->second->args[p]};
      for (const auto& [name, given] : call->second->keywords) {
        if (name == function.parameters[p].name) return std::pair{call->first, given};
      }
      const Id standing = function.parameters[p].default_value;
      return standing == kNone ? std::nullopt : std::optional(std::pair{call->first, standing});
    }
    if (!PlainVariables(view_of(id)).plain(storage)) return std::nullopt;
    return std::pair{id, stores.front()->value};
  }

  std::optional<std::pair<Id, const Statement*>> only_call(Id target) {
    std::optional<std::pair<Id, const Statement*>> found;
    for (std::size_t f = 0; f < model_.facts().functions.size(); ++f) {
      for (const facts::Block& block : model_.facts().functions[f].blocks) {
        for (const Statement& s : block.statements) {
          if (s.target != target || s.kind != StatementKind::kCall) continue;
          if (found) return std::nullopt;
          found = {static_cast<Id>(f), &s};
        }
      }
    }
    return found;
  }

  std::optional<Shape> shape(Id id, Id value, int depth) {
    if (value == kNone || depth > kDeepest) return std::nullopt;
    const Statement* s = view_of(id).flow.made(value);
    if (s == nullptr) return std::nullopt;
    if (s->kind == StatementKind::kLoad) {
      const facts::Function& function = model_.function(id);
      if (id == model_.facts().entry_function) {
        const std::size_t self = model_.facts().entry_class != kNone ? 1 : 0;
        for (std::size_t p = self; p < function.parameters.size(); ++p) {
          if (function.parameters[p].storage != s->location.storage || s->location.element) continue;
          if (!view_of(id).flow.stores_to(s->location.storage).empty()) return std::nullopt;
          const std::vector<Shape> shapes = input_shapes(model_);
          return p - self < shapes.size() && !shapes[p - self].empty() ? std::optional(shapes[p - self]) : std::nullopt;
        }
      }
      const auto from = source(id, *s);
      return from ? shape(from->first, from->second, depth + 1) : std::nullopt;
    }
    const bool same = s->kind == StatementKind::kCall &&
                      one_of(last_part(s->callee), {"contiguous", "detach", "cuda", "float", "half", "clone"});
    return same && s->receiver != kNone ? shape(id, s->receiver, depth + 1) : std::nullopt;
  }

  const Model& model_;
  std::map<Id, std::unique_ptr<KernelView>> views_;
};

}  // namespace

std::optional<double> number_with_inputs(const Model& model, Id function, Id value) {
  return InputNumbers(model).number(function, value);
}

std::vector<double> input_elements(const Model& model) {
  std::vector<double> elements;
  for (const Shape& shape : input_shapes(model)) {
    double all = shape.empty() ? 0 : 1;
    for (const double size : shape) all *= size;
    elements.push_back(all);
  }
  return elements;
}

}  // namespace kernel_audit::analysis::rules
