#include "analysis/rules/absorbed_sizes.h"

#include <algorithm>
#include <set>

#include "analysis/rules/conditions.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

class Identities {
 public:
  Identities(const Model& model, Id function)
      : model_(model), id_(function), function_(model.function(function)), flow_(model, function_) {}

  // The size that makes no difference to what a call gives.
  Id absorbed(const Statement& s) const {
    if (s.kind != StatementKind::kCall || s.args.size() != 2) return kNone;
    const std::string op = last_part(s.callee);
    const char* inner = op == "or_"    ? "and_"
                        : op == "and_" ? "or_"
                        : op == "min"  ? "max"
                        : op == "max"  ? "min"
                                       : nullptr;
    if (inner != nullptr) {
      for (const std::size_t kept : {0U, 1U}) {
        if (const Id size = beside(s.args[kept], s.args[1 - kept], inner); size != kNone) return size;
      }
      return kNone;
    }
    const bool cancels = one_of(s.callee, {"operator.sub", "operator.xor"}) && same(s.args[0], s.args[1]);
    return cancels && is_size(s.args[0]) ? s.args[0] : kNone;
  }

 private:
  // Of A | (size & A).
  Id beside(Id kept, Id other, const std::string& inner) const {
    const Statement* call = flow_.made(settled(other));
    if (call == nullptr || call->kind != StatementKind::kCall || last_part(call->callee) != inner ||
        call->args.size() != 2 || varies(kept))
      return kNone;
    for (const std::size_t i : {0U, 1U}) {
      if (same(call->args[i], kept) && varies(call->args[1 - i])) return call->args[1 - i];
    }
    return kNone;
  }

  // By way of a variable that is set once.
  Id settled(Id value) const {
    const Statement* load = flow_.made(value);
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element || load->location.base != kNone)
      return value;
    const auto& stores = flow_.stores_to(load->location.storage);
    return stores.size() == 1 && !stores.front()->augmented && !stores.front()->location.element ? stores.front()->value
                                                                                                 : value;
  }

  bool same(Id a, Id b, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (depth > kDeepest) return false;
    if (flow_.same(a, b)) return true;
    const Statement *x = flow_.made(a), *y = flow_.made(b);
    return x != nullptr && y != nullptr && x->kind == StatementKind::kLoad && y->kind == StatementKind::kLoad &&
           x->location.storage == y->location.storage && x->location.element == y->location.element &&
           x->location.base != kNone && same(x->location.base, y->location.base, depth + 1) &&
           (!x->location.element || same(x->location.key, y->location.key, depth + 1));
  }

  bool varies(Id value) const { return varies(slice_of(model_, id_, value)); }
  bool varies(const Slice& slice) const {
    const std::size_t first = function_.class_id != kNone && !model_.native(id_) ? 1 : 0;
    for (std::size_t p = first; p < function_.parameters.size(); ++p) {
      if (slice.storages.contains(function_.parameters[p].storage)) return true;
    }
    return asks_size(slice);
  }

  // A number, and of a size alone: of tensors the difference is one of zeros.
  bool is_size(Id value) const {
    const facts::TypeKind kind = model_.value(value).type.kind;
    return kind != facts::TypeKind::kTensor && kind != facts::TypeKind::kFloat &&
           asks_size(slice_of(model_, id_, value));
  }

  const Model& model_;
  Id id_;
  const facts::Function& function_;
  DeviceFlow flow_;
};

}  // namespace

std::vector<AbsorbedSize> absorbed_sizes(const Model& model) {
  std::set<Id> running;
  for (const DeviceFunction& code : launched_code_of_both(model)) running.insert(code.function);
  std::vector<AbsorbedSize> found;
  for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
    const Id id = static_cast<Id>(f);
    const facts::Function& function = model.facts().functions[f];
    if (function.is_module_body || (!running.contains(id) && !model.reached(id, facts::Phase::kForward))) continue;
    const Identities identities(model, id);
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      for (std::size_t s = 0; s < function.blocks[b].statements.size(); ++s) {
        const Id size = identities.absorbed(function.blocks[b].statements[s]);
        if (size != kNone) found.push_back({{id, static_cast<Id>(b), static_cast<Id>(s)}, size});
      }
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
