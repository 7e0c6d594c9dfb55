// Calls of what a value may be: functions, classes, instances, packages.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/operations.h"

namespace kernel_audit::analysis::facts {
namespace {

// So many instances of one class, blocks of a deep model that are made in a loop, are entered together.
constexpr std::size_t kManyAlike = 4;

// Of several objects one is called, and which is not known: what an argument of forward is certainly written by, each
// of them writes.
class CertainWrites {
 public:
  using Writes = std::map<StatementRef, std::set<int>>;
  explicit CertainWrites(Writes& writes) : writes_(writes) {}
  void begin() { before_ = seen_ = writes_; }
  void one_called() {
    std::set<int> here;
    for (const auto& [where, position] : since(seen_)) here.insert(position);
    if (by_all_) std::erase_if(*by_all_, [&](int position) { return !here.contains(position); });
    if (!by_all_) by_all_ = std::move(here);
    seen_ = writes_;
  }
  void settle() {
    for (const auto& [where, position] : since(before_)) {
      if (by_all_ && !by_all_->contains(position)) writes_[where].erase(position);
    }
  }

 private:
  std::set<std::pair<StatementRef, int>> since(const Writes& earlier) const {
    std::set<std::pair<StatementRef, int>> added;
    for (const auto& [where, positions] : writes_) {
      const auto known = earlier.find(where);
      for (const int position : positions) {
        if (known == earlier.end() || !known->second.contains(position)) added.emplace(where, position);
      }
    }
    return added;
  }

  Writes& writes_;
  Writes before_, seen_;
  std::optional<std::set<int>> by_all_;
};

}  // namespace

Abstract Interpreter::call_object(const Abstract& callee, std::vector<Abstract>& args, const Keywords& keywords,
                                  const CallSite& site) {
  Abstract all_results, result;
  Ways ways;
  // Instances, by class, of which one is called and whose own __call__ or forward is all that runs.
  std::map<Id, ObjectSet> alike;
  for (const ObjectId id : callee.objects) {
    const Id klass = object(id).class_id;
    if (callee.objects.size() < kManyAlike || object(id).kind != ObjectKind::kInstance) continue;
    if (find_method(klass, "__call__") == kNone) {
      Abstract replaced = read_field(id, key_of("forward"));
      join(replaced, instance_attribute(klass, "forward"));
      if (find_method(klass, "forward") == kNone || !replaced.objects.empty() || has_hooks(id)) continue;
    }
    alike[klass].push_back(id);
  }
  // One of several is called: each starts where this call starts. A loop of C++ over several calls all, in turn.
  const bool several = callee.objects.size() > 1;
  const bool in_turn = several && site.where.block != kNone && in_native(site.where.function) &&
                       turns(site.where.function, site.where.block);
  const bool of_parts = several && !in_turn &&
                        std::all_of(callee.objects.begin(), callee.objects.end(),
                                    [&](ObjectId id) { return object(id).kind == ObjectKind::kInstance; });
  CertainWrites certain(argument_writes);
  if (of_parts) certain.begin();
  const State before = several && !in_turn ? state_ : State{};
  std::optional<State> after;
  bool comes_back = false;
  const auto ended = [&] {
    if (of_parts) certain.one_called();
    if (std::exchange(call_raised_, false)) return;
    comes_back = true;
    if (after) {
      join_state(*after, state_);
    } else {
      after = std::move(state_);
    }
  };
  for (const ObjectId id : callee.objects) {
    if (id != callee.objects.front() && !in_turn) {
      ended();
      state_ = before;
    }
    if (in_turn) call_raised_ = false;  // the last says
    const Object target = object(id);
    switch (target.kind) {
      case ObjectKind::kFunction: {
        if (target.function == kNone) break;
        std::vector<Abstract> all = target.bound;
        all.insert(all.end(), args.begin(), args.end());
        const Function& function = facts_.functions[static_cast<std::size_t>(target.function)];
        if (target.bound.empty()) bind_missing_receiver(target.function, all);
        if (function.is_kernel) {
          join(result, apply_unknown(function.qualified_name, all, keywords, site));
        } else {
          join(result, invoke(target.function, std::move(all), keywords, site));
        }
        break;
      }
      case ObjectKind::kClass:
        join(result, construct(target.class_id, args, keywords, site));
        break;
      case ObjectKind::kModule: {
        std::vector<Abstract> passed = args;
        if (has_hooks(id)) run_pre_hooks(id, passed, site);
        Abstract output = call_module(id, passed, site);
        join(result, has_hooks(id) ? run_hooks(id, passed, output, site) : output);
        break;
      }
      case ObjectKind::kInstance: {
        if (auto bound = call_bound_method(id, "__call__", args, keywords, site)) {
          join(result, *bound);
          break;
        }
        const Id own_call = find_method(target.class_id, "__call__");
        const Id forward = own_call != kNone ? own_call : find_method(target.class_id, "forward");
        const ObjectSet& together = alike[target.class_id];
        if (together.size() >= kManyAlike && std::binary_search(together.begin(), together.end(), id)) {
          if (id != together.front()) break;  // entered with the first
          std::vector<Abstract> all = args;
          all.insert(all.begin(), Abstract{})->objects = together;
          join(result, invoke(forward, std::move(all), keywords, site));
          break;
        }
        Abstract replaced;
        if (own_call == kNone) {
          replaced = read_field(id, key_of("forward"));
          join(replaced, instance_attribute(target.class_id, "forward"));
        }
        if (!replaced.objects.empty()) {
          join(result, call_object(replaced, args, keywords, site));
        } else if (forward != kNone) {
          const bool hooked = own_call == kNone && has_hooks(id);
          std::vector<Abstract> passed = args;
          if (hooked) run_pre_hooks(id, passed, site);
          std::vector<Abstract> all = passed;
          all.insert(all.begin(), of_object(id));
          Abstract output = invoke(forward, std::move(all), keywords, site);
          join(result, hooked ? run_hooks(id, passed, output, site) : output);
        } else if (in_native(site.where.function)) {
          const Id call_operator = find_method(target.class_id, "operator()");
          this_object_ = of_object(id);
          join(result, call_operator == kNone ? apply_unknown("an object that is no function", args, keywords, site)
                                              : invoke(call_operator, args, keywords, site));
        } else if (auto inherited = call_inherited(id, args, site)) {
          join(result, *inherited);
        } else {
          std::vector<Abstract> operands = args;
          join(result, apply_unknown(
                           "an instance of " + facts_.classes[static_cast<std::size_t>(target.class_id)].qualified_name,
                           operands, keywords, site));
        }
        break;
      }
      case ObjectKind::kSymbol:
        if (!target.bound.empty()) {
          join(result, call_bound_symbol(id, args, keywords, site));
          break;
        }
        if (const Id bound = binding(target.symbol); bound != kNone) {
          join(result, invoke(bound, args, keywords, site));
          break;
        }
        if (const Id bound = bound_class(target.symbol); bound != kNone) {
          join(result, construct_bound(bound, args, keywords, site));
          break;
        }
        join(result, apply(classify(target.symbol), target.symbol, nullptr, args, keywords, site));
        break;
      case ObjectKind::kExtension:
        merge_into(result.objects, {id});
        break;
      default: {
        std::vector<Abstract> operands = args;
        join(result, apply_unknown("a value that is not known to be a function", operands, keywords, site));
      }
    }
    if (several && !in_turn && !call_raised_) add_way(ways, result);
    join(all_results, std::exchange(result, {}));
  }
  if (several && !in_turn) {
    ended();
    if (after) state_ = std::move(*after);
    settle(ways);
    if (of_parts) certain.settle();
    call_raised_ = !comes_back;
  }
  if (callee.objects.empty()) {
    if (only_null(callee)) return open_value({});  // raises: nothing comes of it
    std::vector<Abstract> operands = args;
    return apply_unknown("a value that is not known", operands, keywords, site);
  }
  return all_results;
}

}  // namespace kernel_audit::analysis::facts
