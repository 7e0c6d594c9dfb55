#include "analysis/rules/host_steps.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr double kMost = 0.9;  // a step or two at an end may be another matter

// What one function of Python does with its variables.
class Steps {
 public:
  Steps(const Model& model, Id function) : model_(model), function_(function) {
    for (const facts::Block& block : model.function(function).blocks) {
      for (const Statement& s : block.statements) take(s);
    }
  }

  void find(HostNumbers& host, std::vector<SkippedSteps>& found) {
    for (const facts::Parameter& input : model_.function(function_).parameters) {
      const auto uses = elements_.find(input.storage);
      if (uses == elements_.end() || others_.contains(input.storage) || stored_.contains(input.storage)) continue;
      const auto [counter, axis] = taken_by(*uses->second.front());
      const bool alike = std::all_of(uses->second.begin(), uses->second.end(),
                                     [&](const Statement* use) { return taken_by(*use) == std::pair(counter, axis); });
      const auto loop = counters_.find(counter);
      if (!alike || loop == counters_.end() || loop->second == nullptr) continue;
      const int frame = host.frame_by_caller(function_);
      const auto range = host.range_of(*loop->second, frame);
      const auto shape = host.shape(uses->second.front()->location.base, frame);
      if (!range || !shape || axis >= shape->size()) continue;
      const double turns = range->second - range->first, steps = (*shape)[axis];
      if (turns > 0 && turns < kMost * steps) found.push_back({loop->second->span, input.name, turns, steps});
    }
  }

 private:
  const Statement* made(Id value) const { return maker(model_, function_, value); }
  Id variable(Id value) const {
    const Statement* load = value == kNone ? nullptr : made(value);
    const bool plain = load != nullptr && load->kind == StatementKind::kLoad && !load->location.element &&
                       load->location.base == kNone;
    return plain ? load->location.storage : kNone;
  }

  void take(const Statement& s) {
    if (s.kind == StatementKind::kStore && !s.location.element && s.location.base == kNone) {
      const Statement* value = s.value == kNone ? nullptr : made(s.value);
      const bool next = value != nullptr && value->callee == "builtins.next";
      const auto [known, fresh] = counters_.try_emplace(s.location.storage, next ? value : nullptr);
      if (!fresh) known->second = nullptr;
      stored_.insert(s.location.storage);
      others_.insert(variable(s.value));
    }
    if (s.kind == StatementKind::kLoad && s.location.base != kNone) {
      const Id of = variable(s.location.base);
      if (s.location.element) {
        elements_[of].push_back(&s);
      } else if (!is_size(s.location.storage)) {
        others_.insert(of);
      }
    }
    if (s.kind == StatementKind::kReturn) others_.insert(variable(s.value));
    if (s.kind != StatementKind::kCall && s.kind != StatementKind::kLaunch && s.kind != StatementKind::kPhi) return;
    if (one_of(last_part(s.callee), {"size", "dim", "numel", "len", "is_contiguous"})) return;
    others_.insert(variable(s.receiver));
    for (const Id arg : s.args) others_.insert(variable(arg));
    for (const auto& [name, arg] : s.keywords) others_.insert(variable(arg));
  }
  bool is_size(Id storage) const {
    return storage != kNone && one_of(model_.facts().storages[static_cast<std::size_t>(storage)].name,
                                      {"shape", "dtype", "device", "ndim", "is_cuda"});
  }
  // The variable that x[t] or x[:, t] goes by, and along which axis.
  std::pair<Id, std::size_t> taken_by(const Statement& element) const {
    const Id key = element.location.key;
    const Statement* several = key == kNone ? nullptr : made(key);
    if (several == nullptr || several->callee != "builtins.tuple") return {variable(key), 0};
    for (std::size_t axis = 0; axis < several->args.size(); ++axis) {
      if (const Id by = variable(several->args[axis]); by != kNone) return {by, axis};
    }
    return {kNone, 0};
  }

  const Model& model_;
  Id function_;
  std::map<Id, const Statement*> counters_;  // by variable: the next number of a loop that it is, if nothing else
  std::map<Id, std::vector<const Statement*>> elements_;
  std::set<Id> others_, stored_;
};

}  // namespace

std::vector<SkippedSteps> skipped_steps(const Model& model) {
  std::vector<SkippedSteps> found;
  HostNumbers host(model);
  const Id entry = model.facts().entry_function;
  if (!host.knows_inputs() || entry == kNone || model.native(entry)) return found;
  Steps(model, entry).find(host, found);
  return found;
}

}  // namespace kernel_audit::analysis::rules
