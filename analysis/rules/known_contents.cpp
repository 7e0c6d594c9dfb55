#include "analysis/rules/known_contents.h"

#include <algorithm>
#include <set>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::NodeId;
using facts::NodeKind;
using facts::NodeSet;
using facts::Statement;
using facts::StatementKind;

namespace {

std::optional<double> number_in(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_number()) return json.get<double>();
  if (!json.is_array() || json.empty()) return std::nullopt;
  const auto first = number_in(json.front());
  for (const Json& item : json) {
    if (number_in(item) != first) return std::nullopt;
  }
  return first;
}

// What a call fills memory with: zeros, full, fill_, memset.
std::optional<double> filled_with(const Model& model, const Statement& call) {
  const auto given = [&](std::size_t place) -> std::optional<double> {
    const Json* constant = place < call.args.size() ? constant_of(model, call.args[place]) : nullptr;
    return constant == nullptr ? std::nullopt : number_in(*constant);
  };
  const std::string name = last_part(call.callee);
  if (one_of(name, {"zeros", "zeros_like", "new_zeros", "zero_", "zero"})) return 0;
  if (one_of(name, {"ones", "ones_like", "new_ones"})) return 1;
  if (one_of(name, {"full", "full_like", "new_full"})) return given(1);
  if (one_of(name, {"fill_", "tensor", "scalar_tensor", "as_tensor"})) return given(0);
  if (one_of(name, {"cudaMemset", "cudaMemsetAsync", "cuMemsetD8", "cuMemsetD8Async", "cuMemsetD32"}))
    return given(1) == 0 ? given(1) : std::nullopt;
  return std::nullopt;
}

// The number that all of them are, by way of copies and of what an earlier call left.
std::optional<double> number_of(const Model& model, NodeSet todo) {
  std::optional<double> all;
  std::set<NodeId> seen;
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    const facts::Node& node = model.provenance().at(id);
    if (node.kind == NodeKind::kIdentity || node.kind == NodeKind::kMetadata || !seen.insert(id).second) continue;
    if ((node.kind == NodeKind::kCopy && node.kernel == kNone) || node.kind == NodeKind::kState) {
      if (node.slots.empty()) return std::nullopt;
      todo.insert(todo.end(), node.slots[0].begin(), node.slots[0].end());
      continue;
    }
    const Statement* call = node.kind == NodeKind::kConstant ? model.statement(node.where) : nullptr;
    const auto one =
        call != nullptr && call->kind == StatementKind::kCall ? filled_with(model, *call) : std::optional<double>();
    if (!one || (all && all != one)) return std::nullopt;
    all = one;
  }
  return all;
}

}  // namespace

std::optional<double> contents_in_launch(const Model& model, const facts::StatementRef& launch, std::size_t argument) {
  std::optional<double> all;
  for (std::size_t n = 0; n < model.provenance().size(); ++n) {
    const facts::Node& node = model.provenance().at(static_cast<NodeId>(n));
    if (node.kind != NodeKind::kLaunch || node.where != launch) continue;
    const auto here = argument < node.slots.size() ? number_of(model, node.slots[argument]) : std::optional<double>();
    if (!here || (all && all != here)) return std::nullopt;
    all = here;
  }
  return all;
}

bool set_to_number(const Model& model, const facts::StatementRef& allocation) {
  const Statement* made = model.statement(allocation);
  if (made == nullptr || made->result == kNone) return false;
  const KernelView& host = view_of(model, allocation.function);
  const auto leads_there = [&](Id value) {
    for (int hops = 0; hops < 8 && value != kNone; ++hops) {
      if (value == made->result) return true;
      const Statement* s = host.flow.made(value);
      if (s == nullptr) return false;
      if (s->kind == StatementKind::kLoad && s->location.base == kNone) {
        const auto& stores = host.flow.stores_to(s->location.storage);
        return std::any_of(stores.begin(), stores.end(),
                           [&](const Statement* store) { return store->value == made->result; });
      }
      value = s->receiver != kNone ? s->receiver : s->args.front();
    }
    return false;
  };
  for (const facts::Block& block : host.function.blocks) {
    for (const Statement& s : block.statements) {
      if (&s == made || s.kind != StatementKind::kCall || !filled_with(model, s)) continue;
      if (leads_there(s.receiver != kNone ? s.receiver : s.args.front())) return true;
    }
  }
  return false;
}

std::optional<double> unchanged_variable(const Model& model, Id storage) {
  const facts::Storage& variable = model.facts().storages[static_cast<std::size_t>(storage)];
  const facts::TypeKind type = variable.type.kind;
  if (variable.kind != facts::StorageKind::kGlobal ||
      (type != facts::TypeKind::kInt && type != facts::TypeKind::kFloat && type != facts::TypeKind::kBool))
    return std::nullopt;
  double number = 0;  // as memory of the device begins
  for (const facts::Function& function : model.facts().functions) {
    std::set<Id> loaded;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.location.storage == storage) {
          const Json* constant = s.kind == StatementKind::kStore ? constant_of(model, s.value) : nullptr;
          const auto first = constant == nullptr ? std::nullopt : number_in(*constant);
          if (s.kind == StatementKind::kStore && (!function.is_module_body || !first)) return std::nullopt;
          if (first) number = *first;
          if (s.kind != StatementKind::kStore && !function.is_device && !function.is_kernel) return std::nullopt;
          loaded.insert(s.result);
        }
        if (s.kind != StatementKind::kCall || (s.callee != "operator.addressof" && s.target == kNone)) continue;
        for (const Id arg : s.args) {
          if (loaded.contains(arg)) return std::nullopt;  // by reference it may be set
        }
      }
    }
  }
  return number;
}

}  // namespace kernel_audit::analysis::rules
