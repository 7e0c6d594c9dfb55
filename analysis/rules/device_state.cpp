#include "analysis/rules/device_state.h"

#include <algorithm>
#include <set>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

// One function's uses of the variables of the device.
class Uses {
 public:
  Uses(const Model& model, const Function& function) : view(model, function) {
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee != "operator.addressof") continue;
        for (const Id argument : s.args) addressed_.insert(argument);
      }
    }
  }

  bool global(Id storage) const {
    return storage != kNone &&
           view.model.facts().storages[static_cast<std::size_t>(storage)].kind == StorageKind::kGlobal;
  }

  // The variable whose value a load takes; kNone where only its place is taken.
  Id read(const Statement& s) const {
    const bool takes = s.kind == StatementKind::kLoad && !s.location.element && !addressed_.contains(s.result);
    return takes && global(s.location.storage) ? s.location.storage : kNone;
  }

  // The variable that a statement of block `at` changes, and whether it moves it on rather than back.
  std::pair<Id, bool> changes(const Statement& s, Id at) const {
    if (s.kind == StatementKind::kStore && global(s.location.storage)) {
      if (s.location.element) return {s.location.storage, false};
      const Json* constant = constant_of(view.model, s.value);
      if (constant != nullptr)
        return {s.location.storage, *constant != Json(0) && *constant != Json(false) && !by_data(at)};
      const Statement* made = view.flow.made(s.value);
      const bool counts = made != nullptr && (made->callee == "operator.iadd" || made->callee == "operator.add") &&
                          view.flow.behind(s.value).variables.contains(s.location.storage);
      return {s.location.storage, counts};
    }
    if (s.kind != StatementKind::kCall || s.args.empty() || !s.callee.starts_with("atomic")) return {kNone, false};
    const Id target = view.root(s.args[0]);
    return {global(target) ? target : kNone, s.callee.starts_with("atomicAdd")};
  }

  KernelView view;

 private:
  // Whether memory that the kernel was given decides that a block runs.
  bool by_data(Id at) const {
    DeviceFlow flow(view.model, view.function);
    for (std::size_t b = 0; b < view.function.blocks.size(); ++b) {
      const Id condition = view.function.blocks[b].condition;
      if (condition != kNone && view.side(static_cast<Id>(b), at) && !flow.memory_behind(condition).empty())
        return true;
    }
    return false;
  }

  std::set<Id> addressed_;
};

// Whether anything that can run from a block on writes memory, the variable itself aside.
bool writes_from(const Uses& uses, Id start, Id variable) {
  std::set<Id> seen;
  std::vector<Id> todo{start};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (!seen.insert(at).second) continue;
    const facts::Block& block = uses.view.function.blocks[static_cast<std::size_t>(at)];
    for (const Statement& s : block.statements) {
      if (uses.changes(s, at).first == variable) continue;
      // What a function is called for is not looked at here: it may write.
      if (s.target != kNone || writes_global(uses.view.model, uses.view.function, s)) return true;
    }
    for (const facts::Edge& edge : block.successors) todo.push_back(edge.to);
  }
  return false;
}

}  // namespace

std::vector<DeviceGate> device_gates(const Model& model) {
  const std::vector<DeviceFunction> launched = launched_code(model);
  std::set<Id> device, other;  // functions; variables that something sets back or that the host names
  std::map<Id, const Statement*> moved;
  for (const DeviceFunction& code : launched) {
    device.insert(code.function);
    const Uses uses(model, model.function(code.function));
    for (std::size_t b = 0; b < uses.view.function.blocks.size(); ++b) {
      for (const Statement& s : uses.view.function.blocks[b].statements) {
        const auto [variable, on] = uses.changes(s, static_cast<Id>(b));
        if (variable == kNone) continue;
        if (on) moved.try_emplace(variable, &s);
        if (!on) other.insert(variable);
      }
    }
  }
  if (moved.empty()) return {};
  for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
    const Function& function = model.facts().functions[f];
    if (device.contains(static_cast<Id>(f)) || function.is_module_body) continue;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) other.insert(s.location.storage);
    }
  }
  std::vector<DeviceGate> gates;
  for (const DeviceFunction& code : launched) {
    const Function& function = model.function(code.function);
    if (!function.is_kernel) continue;
    const Uses uses(model, function);
    const auto gate = [&]() -> std::optional<DeviceGate> {
      for (const facts::Block& block : function.blocks) {
        if (block.condition == kNone || block.successors.size() != 2) continue;
        for (const Id value : uses.view.flow.behind(block.condition).values) {
          const Statement* read = uses.view.flow.made(value);
          const Id variable = read == nullptr ? kNone : uses.read(*read);
          const auto change = moved.find(variable);
          if (change == moved.end() || other.contains(variable)) continue;
          if (writes_from(uses, block.successors[0].to, variable) ==
              writes_from(uses, block.successors[1].to, variable))
            continue;
          const std::string& name = model.facts().storages[static_cast<std::size_t>(variable)].name;
          return DeviceGate{code, read, change->second, name};
        }
      }
      return std::nullopt;
    }();
    if (gate) gates.push_back(*gate);
  }
  return gates;
}

}  // namespace kernel_audit::analysis::rules
