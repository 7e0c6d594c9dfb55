// Which pointer parameters a kernel may write or read: a flow-insensitive closure over its body, in
// CUDA and in Triton. A parameter that reaches code that is not known counts as both.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {
namespace {

using Mask = std::set<std::size_t>;

bool merge(Mask& into, const Mask& from) {
  const std::size_t before = into.size();
  into.insert(from.begin(), from.end());
  return into.size() != before;
}

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

const Interpreter::KernelAccess& Interpreter::kernel_access(Id function_id) {
  const auto known = accesses_.find(function_id);
  if (known != accesses_.end()) return known->second;
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  KernelAccess& access = accesses_[function_id];  // stays "unknown" for the recursion through itself
  const std::size_t count = function.parameters.size();
  access.read.assign(count, true);
  access.written.assign(count, true);
  for (std::size_t i = 0; i < count; ++i) access.written[i] = !function.parameters[i].is_const_pointer;
  if (function.blocks.empty()) {
    access.known = std::any_of(function.parameters.begin(), function.parameters.end(),
                               [](const Parameter& p) { return p.is_const_pointer; });
    return access;
  }
  std::map<Id, Mask> by_value, by_storage;
  for (std::size_t i = 0; i < count; ++i) {
    if (function.parameters[i].value != kNone) by_value[function.parameters[i].value].insert(i);
    if (function.parameters[i].storage != kNone) by_storage[function.parameters[i].storage].insert(i);
  }
  Mask written, read;
  bool unresolved_store = false;
  bool changed = true;
  for (int round = 0; changed && round < 50; ++round) {
    changed = false;
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        const Location& at = s.location;
        const bool deref =
            at.storage != kNone && facts_.storages[static_cast<std::size_t>(at.storage)].kind == StorageKind::kDeref;
        Mask address;
        if (at.base != kNone) merge(address, by_value[at.base]);
        if (at.storage != kNone && !deref) merge(address, by_storage[at.storage]);
        if (s.kind == StatementKind::kLoad) {
          if (deref || at.element) merge(read, address);
          if (s.result != kNone) changed = merge(by_value[s.result], address) || changed;
        } else if (s.kind == StatementKind::kStore) {
          if (deref || at.element) {
            merge(written, address);
            if (s.augmented) merge(read, address);
            if (deref && address.empty()) unresolved_store = true;
          } else if (at.storage != kNone && s.value != kNone) {
            changed = merge(by_storage[at.storage], by_value[s.value]) || changed;
          }
        } else {
          Mask all;
          std::vector<Id> operands = s.args;
          if (s.receiver != kNone) operands.push_back(s.receiver);
          for (const auto& keyword : s.keywords) operands.push_back(keyword.second);
          for (const Id operand : operands) {
            if (operand != kNone) merge(all, by_value[operand]);
          }
          if (s.result != kNone) changed = merge(by_value[s.result], all) || changed;
          if (s.kind != StatementKind::kCall && s.kind != StatementKind::kLaunch) continue;
          const Mask first = operands.empty() || operands[0] == kNone ? Mask{} : by_value[operands[0]];
          const std::string& callee = s.callee;
          const OperationKind kind = classify(callee).kind;
          if (callee == "triton.language.store") {
            merge(written, first);
            if (first.empty()) unresolved_store = true;
          } else if (callee == "triton.language.load") {
            merge(read, first);
          } else if (starts_with(callee, "triton.language.atomic") || starts_with(callee, "atomic") ||
                     callee.find("::atomic") != std::string::npos) {
            merge(written, first);
            merge(read, first);
          } else if (starts_with(callee, "operator.") || kind == OperationKind::kScalar ||
                     kind == OperationKind::kView) {
            continue;
          } else if (s.target != kNone) {
            const KernelAccess inner = kernel_access(s.target);
            for (std::size_t i = 0; i < s.args.size(); ++i) {
              if (s.args[i] == kNone) continue;
              if (i >= inner.written.size() || inner.written[i]) merge(written, by_value[s.args[i]]);
              if (i >= inner.read.size() || inner.read[i]) merge(read, by_value[s.args[i]]);
            }
          } else {
            merge(written, all);
            merge(read, all);
          }
        }
      }
    }
  }
  KernelAccess& result = accesses_[function_id];
  result.known = true;
  // A kernel that stores through something unresolved, or nowhere at all, may write all it can.
  const bool precise = !unresolved_store || !written.empty();
  for (std::size_t i = 0; i < count; ++i) {
    result.read[i] = read.contains(i) || !precise;
    result.written[i] = (written.contains(i) || (!precise)) && !function.parameters[i].is_const_pointer;
  }
  // Scalars are read by being used.
  for (std::size_t i = 0; i < count; ++i) {
    const TypeKind type = function.parameters[i].type.kind;
    if (type != TypeKind::kPointer && type != TypeKind::kUnknown && type != TypeKind::kTensor) result.read[i] = true;
  }
  return result;
}

}  // namespace kernel_audit::analysis::facts
