#include "analysis/rules/kernel_code.h"

#include <algorithm>
#include <cmath>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

std::vector<DeviceFunction> launched_code_of_both(const Model& model) {
  std::vector<DeviceFunction> found = launched_code(model);
  std::set<Id> seen;
  for (const DeviceFunction& code : found) seen.insert(code.function);
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Id kernel = model.kernel_of(where);
    if (kernel != kNone && seen.insert(kernel).second) found.push_back({kernel, where});
  }
  return found;
}

bool decorated_by(const facts::Function& function, const std::string& package) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [&](const std::string& name) { return name.starts_with(package + "."); });
}

KernelView::KernelView(const Model& m, const Function& f)
    : model(m), function(f), graph(m.run().flow(m.id_of(f))), flow(m, f) {}

const KernelView& view_of(const Model& model, Id function) {
  struct Views {
    std::map<Id, std::unique_ptr<KernelView>> known;
  };
  std::unique_ptr<KernelView>& view = model.kept<Views>().known[function];
  if (!view) view = std::make_unique<KernelView>(model, model.function(function));
  return *view;
}

Id KernelView::root(Id pointer) const {
  const auto [it, fresh] = roots_.try_emplace(pointer, kNone);
  if (fresh) it->second = pointer_root(model, function, pointer);
  return it->second;
}

namespace {

bool is_shared(const Model& model, Id storage) {
  return storage != kNone &&
         model.facts().storages[static_cast<std::size_t>(storage)].kind == StorageKind::kBlockShared;
}

// Only pointers are worth following.
bool may_point(const Model& model, Id value) {
  if (value == kNone) return false;
  const auto kind = model.value(value).type.kind;
  return kind == facts::TypeKind::kPointer || kind == facts::TypeKind::kUnknown || kind == facts::TypeKind::kOther ||
         kind == facts::TypeKind::kString;
}

}  // namespace

Id KernelView::shared_target(const Statement& s, int depth) const {
  constexpr int kDeepest = 16;  // members within members
  if (depth > kDeepest || (s.kind != StatementKind::kLoad && s.kind != StatementKind::kStore)) return kNone;
  const Id storage = s.location.storage;
  // A load of a whole array or of a row of it is the array as a pointer; a load of a shared variable is a read of it.
  const bool row =
      s.kind == StatementKind::kLoad && s.result != kNone && model.value(s.result).type.name.ends_with(']');
  const bool whole_array = row || (s.kind == StatementKind::kLoad && !s.location.element && may_point(model, s.result));
  if (is_shared(model, storage)) return whole_array ? kNone : storage;
  if (flow.deref(s) && !row) {
    const Id target = root(s.location.base);
    return is_shared(model, target) ? target : kNone;
  }
  const Statement* object = flow.made(s.location.base);  // a member of an element
  return object != nullptr && object->kind == StatementKind::kLoad ? shared_target(*object, depth + 1) : kNone;
}

std::vector<Id> KernelView::shared_operands(const Statement& s) const {
  std::vector<Id> arrays;
  if (s.kind != StatementKind::kCall) return arrays;
  std::vector<Id> operands = s.args;
  operands.push_back(s.receiver);
  for (const Id operand : operands) {
    if (!may_point(model, operand)) continue;
    const Id target = root(operand);
    if (is_shared(model, target)) arrays.push_back(target);
  }
  return arrays;
}

bool KernelView::is_barrier(const Statement& s) const {
  if (s.kind != StatementKind::kCall) return false;
  const std::string last = last_part(s.callee);
  if (last.starts_with("__syncthreads") || last == "sync" || last == "arrive_and_wait" || last == "debug_barrier")
    return true;
  for (const PtxInstruction& instruction : ptx_of(model, s)) {
    if (instruction.opcode == "bar" || instruction.opcode == "barrier" || instruction.opcode == "mbarrier") return true;
  }
  return false;
}

bool KernelView::uses(Id value, const std::string& symbol) const { return uses_symbol(model, flow, value, symbol); }

std::vector<std::string> KernelView::names_behind(Id value) const {
  std::vector<std::string> names;
  for (const Id id : flow.behind(value).values) {
    const std::string& symbol = model.value(id).symbol;
    if (!symbol.empty()) names.push_back(symbol);
    const Statement* made = flow.made(id);
    if (made != nullptr && !made->callee.empty()) names.push_back(made->callee);
  }
  return names;
}

std::vector<double> KernelView::numbers_behind(Id value) const {
  std::vector<double> numbers;
  for (const Id id : flow.behind(value).values) {
    const auto& constant = model.value(id).constant;
    if (constant && constant->is_number()) numbers.push_back(constant->get<double>());
  }
  return numbers;
}

std::optional<double> KernelView::number(Id id, int depth) const {
  if (id == kNone || depth > 24) return std::nullopt;
  const auto& constant = model.value(id).constant;
  if (constant) return constant->is_number() ? std::optional(constant->get<double>()) : std::nullopt;
  const Statement* s = flow.made(id);
  if (s == nullptr) return std::nullopt;
  if (s->kind == StatementKind::kLoad) {
    if (flow.deref(*s) || s->location.element || s->location.storage == kNone) return std::nullopt;
    const auto& stores = flow.stores_to(s->location.storage);
    if (stores.size() != 1 || stores.front()->augmented) return std::nullopt;
    return number(stores.front()->value, depth + 1);
  }
  if (s->kind != StatementKind::kCall) return std::nullopt;
  if (s->callee == "operator.cast" && s->args.size() == 1) return number(s->args[0], depth + 1);
  if (s->callee == "dim3::dim3" && !s->args.empty()) {
    double product = 1;
    for (const Id arg : s->args) {
      const auto factor = number(arg, depth + 1);
      if (!factor) return std::nullopt;
      product *= *factor;
    }
    return product;
  }
  if (s->args.size() != 2) return std::nullopt;
  const auto left = number(s->args[0], depth + 1), right = number(s->args[1], depth + 1);
  if (!left || !right) return std::nullopt;
  if (s->callee == "operator.mul") return *left * *right;
  if (s->callee == "operator.add") return *left + *right;
  if (s->callee == "operator.sub") return *left - *right;
  if (s->callee == "operator.floordiv" && *right != 0) return std::trunc(*left / *right);
  return std::nullopt;
}

std::vector<Id> KernelView::choosing(const Statement& phi) const {
  std::vector<Id> conditions;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const auto& statements = function.blocks[b].statements;
    if (statements.empty() || &phi < &statements.front() || &phi > &statements.back()) continue;
    const auto& around = graph.deciders(static_cast<Id>(b));
    for (const Id before : graph.predecessors(static_cast<Id>(b))) {
      for (const Id decider : graph.deciders(before)) {
        if (std::find(around.begin(), around.end(), decider) == around.end())
          conditions.push_back(function.blocks[static_cast<std::size_t>(decider)].condition);
      }
    }
  }
  return conditions;
}

std::optional<bool> KernelView::side(Id decider, Id block) const {
  for (const facts::Edge& edge : function.blocks[static_cast<std::size_t>(decider)].successors) {
    if (edge.kind != facts::EdgeKind::kTrue && edge.kind != facts::EdgeKind::kFalse) continue;
    if (graph.predecessors(edge.to).size() == 1 && graph.dominates(edge.to, block))
      return edge.kind == facts::EdgeKind::kTrue;
  }
  return std::nullopt;
}

std::vector<Finding> one_in_each(const RuleInfo& info, const Model& model, const Policy& policy,
                                 const std::vector<DeviceFunction>& launched,
                                 const std::function<KernelPlace(KernelView&)>& look) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched) {
    KernelView kernel(model, model.function(code.function));
    const KernelPlace place = look(kernel);
    if (place.at != nullptr) findings.push_back(finding_in_launched(info, model, policy, code, *place.at, place.says));
  }
  return findings;
}

std::optional<double> threads_of(const KernelView& host, const facts::Launch& launch) {
  const auto grid = host.number(launch.grid), block = host.number(launch.block);
  if (!grid || !block) return std::nullopt;
  return *grid * *block;
}

}  // namespace kernel_audit::analysis::rules
