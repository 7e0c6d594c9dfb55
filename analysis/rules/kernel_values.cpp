#include "analysis/rules/kernel_values.h"

#include <algorithm>

#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {
constexpr int kDeepestCall = 6;
}

KernelValues::KernelValues(const Model& model, const Function& kernel) : model_(model) {
  const Id id = static_cast<Id>(&kernel - model.facts().functions.data());
  frames_.push_back({&kernel, &flow_of(id), nullptr, -1});
}

const DeviceFlow& KernelValues::flow_of(Id function) {
  auto& flow = flows_[function];
  if (flow == nullptr) flow = std::make_unique<DeviceFlow>(model_, model_.function(function));
  return *flow;
}

int KernelValues::enter(int frame, const Statement& call) {
  const auto [known, fresh] = entered_.try_emplace({frame, &call}, -1);
  if (!fresh) return known->second;
  int depth = 0;
  for (int at = frame; at >= 0; at = frames_[static_cast<std::size_t>(at)].around) ++depth;
  const Function& callee = model_.function(call.target);
  if (depth > kDeepestCall || callee.blocks.empty()) return -1;
  frames_.push_back({&callee, &flow_of(call.target), &call, frame});
  return known->second = static_cast<int>(frames_.size()) - 1;
}

const Statement* KernelValues::made(KernelValue value) const {
  return frames_[static_cast<std::size_t>(value.frame)].flow->made(value.value);
}

bool KernelValues::reads_memory(const Statement& s, int frame) const {
  if (s.kind == StatementKind::kLoad) return frames_[static_cast<std::size_t>(frame)].flow->deref(s);
  return s.callee == "triton.language.load" || s.callee.starts_with("__ld") ||
         s.callee.starts_with("triton.language.atomic");
}

Id KernelValues::kernel_parameter(const Statement& load, KernelValue value) const {
  if (value.frame != 0 || load.kind != StatementKind::kLoad || load.location.element) return kNone;
  const Function& kernel = *frames_.front().function;
  const bool parameter =
      std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                  [&](const facts::Parameter& each) { return each.storage == load.location.storage; });
  return parameter && frames_.front().flow->stores_to(load.location.storage).empty() ? load.location.storage : kNone;
}

void KernelValues::walk(KernelValue from, const std::function<bool(const Statement&, KernelValue)>& enter_statement) {
  std::set<KernelValue> seen;
  std::set<std::pair<Id, int>> variables;
  std::vector<KernelValue> todo{from};
  while (!todo.empty()) {
    const KernelValue at = todo.back();
    todo.pop_back();
    if (at.value == kNone || !seen.insert(at).second) continue;
    const Frame frame = frames_[static_cast<std::size_t>(at.frame)];
    const auto handed = [&](std::size_t parameter) {  // by the call that entered this function
      if (frame.call == nullptr) return;
      Id given = parameter < frame.call->args.size() ? frame.call->args[parameter] : kNone;
      for (const auto& [name, value] : frame.call->keywords) {
        if (name == frame.function->parameters[parameter].name) given = value;
      }
      todo.push_back({given, frame.around});
    };
    const auto& parameters = frame.function->parameters;
    const Statement* s = frame.flow->made(at.value);
    if (s == nullptr) {
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].value == at.value) handed(p);
      }
      continue;
    }
    if (!enter_statement(*s, at)) continue;
    if (s->kind == StatementKind::kLoad) {
      if (s->location.base != kNone) todo.push_back({s->location.base, at.frame});
      const Id storage = s->location.storage;
      if (storage == kNone || !variables.insert({storage, at.frame}).second) continue;
      for (const Statement* store : frame.flow->stores_to(storage)) todo.push_back({store->value, at.frame});
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].storage == storage) handed(p);
      }
      continue;
    }
    const int inner = s->target == kNone ? -1 : enter(at.frame, *s);
    if (inner >= 0) {
      for (const facts::Block& block : model_.function(s->target).blocks) {
        for (const Statement& each : block.statements) {
          if (each.kind == StatementKind::kReturn) todo.push_back({each.value, inner});
        }
      }
      continue;
    }
    for (const Id arg : s->args) todo.push_back({arg, at.frame});
    todo.push_back({s->receiver, at.frame});
  }
}

bool KernelValues::any(KernelValue from, const std::function<bool(const Statement&)>& wanted) {
  bool found = false;
  walk(from, [&](const Statement& s, KernelValue) {
    found = found || wanted(s);
    return !found;
  });
  return found;
}

bool KernelValues::from_memory(KernelValue from) {
  bool found = false;
  walk(from, [&](const Statement& s, KernelValue at) {
    found = found || reads_memory(s, at.frame);
    return !found;
  });
  return found;
}

}  // namespace kernel_audit::analysis::rules
