#include "analysis/rules/known_sizes.h"

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

// Product of the numbers in a list, or in the arguments themselves.
std::optional<double> product(const KernelView& view, const std::vector<Id>& sizes) {
  double all = 1;
  for (const Id size : sizes) {
    const auto& constant = view.model.facts().values[static_cast<std::size_t>(size)].constant;
    if (constant && constant->is_array()) {
      for (const Json& item : *constant) {
        if (!item.is_number()) return std::nullopt;
        all *= item.get<double>();
      }
      continue;
    }
    const Statement* list = view.flow.made(size);
    if (list != nullptr && list->kind == StatementKind::kCall &&
        one_of(list->callee, {"builtins.list", "builtins.tuple", "c10::IntArrayRef::IntArrayRef"})) {
      const auto inner = product(view, list->args);
      if (!inner) return std::nullopt;
      all *= *inner;
      continue;
    }
    const auto number = view.number(size);
    if (!number) return std::nullopt;
    all *= *number;
  }
  return sizes.empty() ? std::nullopt : std::optional(all);
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

std::vector<double> input_elements(const Model& model) {
  for (const facts::Function& function : model.facts().functions) {
    if (function.name != "get_inputs" || function.blocks.empty() || function.class_id != kNone) continue;
    const KernelView view(model, function);
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kReturn || s.value == kNone) continue;
        const Statement* list = view.flow.made(s.value);
        if (list == nullptr || list->callee != "builtins.list") return {};
        std::vector<double> elements;
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
          const auto count = known ? product(view, made->args) : std::nullopt;
          elements.push_back(count.value_or(0));
        }
        return elements;
      }
    }
  }
  return {};
}

}  // namespace kernel_audit::analysis::rules
