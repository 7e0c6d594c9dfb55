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
  const Id id = model.id_of(kernel);
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

KernelValue KernelValues::handed(int frame, std::size_t parameter) const {
  const Frame& entered = frames_[static_cast<std::size_t>(frame)];
  if (entered.call == nullptr) return {};
  Id given = entered.call->args[parameter];
  for (const auto& [name, value] : entered.call->keywords) {
    if (name == entered.function->parameters[parameter].name) given = value;
  }
  return {given, entered.around};
}

std::vector<KernelValue> KernelValues::passed_on(KernelValue at) {
  std::vector<KernelValue> from;
  const Frame frame = frames_[static_cast<std::size_t>(at.frame)];
  const auto& parameters = frame.function->parameters;
  const Statement* s = frame.flow->made(at.value);
  if (s == nullptr || (s->kind == StatementKind::kLoad && s->location.storage != kNone)) {
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (s == nullptr ? parameters[p].value == at.value : parameters[p].storage == s->location.storage)
        from.push_back(handed(at.frame, p));
    }
  }
  if (s != nullptr && s->kind == StatementKind::kLoad && s->location.storage != kNone) {
    for (const Statement* store : frame.flow->stores_to(s->location.storage)) from.push_back({store->value, at.frame});
  }
  const int inner = s == nullptr || s->target == kNone ? -1 : enter(at.frame, *s);
  if (inner < 0) return from;
  for (const facts::Block& block : model_.function(s->target).blocks) {
    for (const Statement& each : block.statements) {
      if (each.kind == StatementKind::kReturn) from.push_back({each.value, inner});
    }
  }
  return from;
}

void KernelValues::walk(KernelValue from, const std::function<bool(const Statement&, KernelValue)>& enter_statement) {
  std::set<KernelValue> seen;
  std::set<std::pair<Id, int>> variables;
  std::vector<KernelValue> todo{from};
  const auto pass_on = [&](KernelValue at) {
    const std::vector<KernelValue> more = passed_on(at);
    todo.insert(todo.end(), more.begin(), more.end());
  };
  while (!todo.empty()) {
    const KernelValue at = todo.back();
    todo.pop_back();
    if (at.value == kNone || !seen.insert(at).second) continue;
    const Statement* s = made(at);
    if (s == nullptr) {
      pass_on(at);
      continue;
    }
    if (!enter_statement(*s, at)) continue;
    if (s->kind == StatementKind::kLoad) {
      if (s->location.base != kNone) todo.push_back({s->location.base, at.frame});
      if (s->location.storage != kNone && variables.insert({s->location.storage, at.frame}).second) pass_on(at);
      continue;
    }
    if (s->target != kNone && enter(at.frame, *s) >= 0) {
      pass_on(at);
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
