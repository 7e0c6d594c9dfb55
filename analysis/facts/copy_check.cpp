#include "analysis/facts/copy_check.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/facts/operations.h"

namespace kernel_audit::analysis::facts {
namespace {

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// What a kernel's body does to memory, as far as "it only copies" needs it.
class CopyCheck {
 public:
  CopyCheck(const Facts& facts, const Function& function) : facts_(facts), function_(function) {
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.result != kNone) made_[s.result] = &s;
        if (s.kind == StatementKind::kStore && s.location.storage != kNone && !s.location.element)
          stores_[s.location.storage].push_back(&s);
      }
    }
  }

  bool run() {
    bool any = false;
    for (const Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kLaunch) return false;
        if (s.kind == StatementKind::kCall) {
          if (s.target != kNone ? !without_effect(s.target) : !pure(s) && !makes_structure(s)) return false;
        }
        if (s.callee == "triton.language.store") {
          if (!stores_what_it_loaded(s)) return false;
          any = true;
        }
        if (s.kind != StatementKind::kStore) continue;
        // A member of a vector is changed: what is stored later is not what was loaded.
        if (s.location.base != kNone && !memory(s.location)) return false;
        if (!memory(s.location)) continue;
        const Statement* source = loaded_from(s.value);
        // An own class says itself which place an index means.
        if (source == nullptr || !plain(s.location.base) || !plain(source->location.base)) return false;
        if (s.augmented || !same_offset(s, *source)) return false;
        any = true;
      }
    }
    return any;
  }

 private:
  bool memory(const Location& at) const {
    if (at.storage == kNone) return at.element;
    const StorageKind kind = facts_.storages[static_cast<std::size_t>(at.storage)].kind;
    return kind == StorageKind::kDeref || at.element;
  }
  bool plain(Id base) const {
    return base == kNone || facts_.values[static_cast<std::size_t>(base)].type.kind != TypeKind::kOther;
  }
  static bool pure(const Statement& s) {
    return starts_with(s.callee, "operator.") || classify(s.callee).kind == OperationKind::kScalar;
  }
  bool makes_structure(const Statement& s) const {
    return s.callee_value != kNone && facts_.values[static_cast<std::size_t>(s.callee_value)].class_id != kNone;
  }
  const Function& function_at(Id id) const { return facts_.functions[static_cast<std::size_t>(id)]; }
  // Whether a helper only says something of what it is handed.
  bool without_effect(Id helper) const {
    const auto& blocks = function_at(helper).blocks;
    return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
      return std::all_of(block.statements.begin(), block.statements.end(), [&](const Statement& s) {
        if (s.kind == StatementKind::kStore) return s.location.base == kNone && !memory(s.location);
        return s.kind != StatementKind::kLaunch && (s.kind != StatementKind::kCall || (s.target == kNone && pure(s)));
      });
    });
  }
  // What all returns of a helper give, as `says` finds it of each; nothing where they differ.
  template <typename Says>
  auto returned(Id helper, const Says& says) const -> decltype(says(Id{})) {
    decltype(says(Id{})) all{};
    bool first = true;
    for (const Block& block : function_at(helper).blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kReturn) continue;
        const auto here = says(s.value);
        if (!first && here != all) return {};
        all = here;
        first = false;
      }
    }
    return all;
  }
  bool is_number(Id value, double number) const {
    const std::optional<Json>* constant =
        value == kNone ? nullptr : &facts_.values[static_cast<std::size_t>(value)].constant;
    return constant != nullptr && *constant && (*constant)->is_number() && (*constant)->get<double>() == number;
  }
  const Statement* call_of(Id value) const {
    const auto found = made_.find(value);
    return found == made_.end() || found->second->kind != StatementKind::kCall ? nullptr : found->second;
  }
  // Whether a value is zero, whatever is read.
  bool vanishes(Id value, int depth = 0) const {
    if (is_number(value, 0)) return true;
    const Statement* call = depth > 6 ? nullptr : call_of(value);
    if (call == nullptr) return false;
    if (call->target != kNone) {
      return without_effect(call->target) && returned(call->target, [&](Id result) { return is_number(result, 0); });
    }
    const auto each = [&](Id arg) { return vanishes(arg, depth + 1); };
    if (call->callee == "operator.mul") return std::any_of(call->args.begin(), call->args.end(), each);
    return call->callee == "operator.cast" && std::all_of(call->args.begin(), call->args.end(), each);
  }
  // The one operand that a call gives back as it is: of a sum with nothing, a product with one, a helper that returns
  // what it is handed.
  Id passed_on(const Statement& call) const {
    if (call.target != kNone) {
      const auto& parameters = function_at(call.target).parameters;
      const Id place =
          returned(call.target, [&](Id result) { return Place{parameter_behind(call.target, result)}; }).at;
      const bool known = place != kNone && place < std::ssize(call.args) && place < std::ssize(parameters);
      return known && without_effect(call.target) ? call.args[static_cast<std::size_t>(place)] : kNone;
    }
    if (call.args.size() != 2) return kNone;
    const Id left = call.args[0], right = call.args[1];
    if ((call.callee == "operator.add" || call.callee == "operator.sub") && vanishes(right)) return left;
    if (call.callee == "operator.add" && vanishes(left)) return right;
    if ((call.callee == "operator.mul" || call.callee == "operator.truediv") && is_number(right, 1)) return left;
    return call.callee == "operator.mul" && is_number(left, 1) ? right : kNone;
  }
  struct Place {
    Id at = kNone;
    bool operator==(const Place&) const = default;
  };
  // Which parameter of a helper its result is, when nothing stores to that.
  Id parameter_behind(Id helper, Id result) const {
    const Function& function = function_at(helper);
    Id storage = kNone;
    bool stored = false;
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.result == result && s.kind == StatementKind::kLoad && !memory(s.location) && s.location.base == kNone)
          storage = s.location.storage;
      }
    }
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements)
        stored = stored || (s.kind == StatementKind::kStore && s.location.storage == storage);
    }
    for (std::size_t p = 0; storage != kNone && !stored && p < function.parameters.size(); ++p) {
      if (function.parameters[p].storage == storage) return static_cast<Id>(p);
    }
    return kNone;
  }
  // The load of memory that a value is, possibly by way of one local variable.
  const Statement* loaded_from(Id value) const {
    for (int hops = 0; hops < 6; ++hops) {
      const auto found = made_.find(value);
      if (found == made_.end()) return nullptr;
      const bool cached_load = starts_with(found->second->callee, "__ldg") || found->second->callee == "__ldcs" ||
                               found->second->callee == "operator.addressof";  // __ldg(&x[i])
      if (found->second->kind == StatementKind::kCall && cached_load && found->second->args.size() == 1) {
        value = found->second->args[0];
        continue;
      }
      if (const Id same = found->second->kind == StatementKind::kCall ? passed_on(*found->second) : kNone;
          same != kNone) {
        value = same;
        continue;
      }
      if (found->second->kind != StatementKind::kLoad) return nullptr;
      const Location& at = found->second->location;
      if (memory(at)) {
        return facts_.storages[static_cast<std::size_t>(at.storage)].kind == StorageKind::kDeref ? found->second
                                                                                                 : nullptr;
      }
      const auto stored = stores_.find(at.storage);
      if (stored == stores_.end() || stored->second.size() != 1) return nullptr;
      value = stored->second.front()->value;
    }
    return nullptr;
  }
  // What is added to the start of a buffer, in elements: `(x + row * n)[i]` is moved by both.
  void terms(Id value, std::vector<Id>& found, bool pointer, int depth = 0) const {
    const auto at = made_.find(value);
    const Statement* s = at == made_.end() || depth > 12 ? nullptr : at->second;
    if (s != nullptr && s->kind == StatementKind::kCall && s->callee == "operator.add" && s->args.size() == 2) {
      for (const Id arg : s->args) terms(arg, found, pointer && points(arg), depth + 1);
      return;
    }
    if (pointer && s != nullptr && s->kind == StatementKind::kLoad && !memory(s->location)) {
      const auto stored = stores_.find(s->location.storage);
      if (stored != stores_.end() && stored->second.size() == 1)
        terms(stored->second.front()->value, found, true, depth + 1);
      return;  // else the buffer itself
    }
    if (!pointer && value != kNone) found.push_back(value);
  }
  bool points(Id value) const {
    return value != kNone && facts_.values[static_cast<std::size_t>(value)].type.kind == TypeKind::kPointer;
  }
  bool same_offset(const Statement& store, const Statement& load) const {
    if (same(store.location.key, load.location.key, 0) && !moved(store) && !moved(load)) return true;
    const auto type = [&](Id value) {
      return value == kNone ? "" : facts_.values[static_cast<std::size_t>(value)].type.name;
    };
    if (type(store.value) != type(load.result)) return false;
    std::vector<Id> to, from;
    terms(store.location.base, to, true);
    terms(store.location.key, to, false);
    terms(load.location.base, from, true);
    terms(load.location.key, from, false);
    return to.size() == from.size() && std::all_of(to.begin(), to.end(), [&](Id each) {
             return std::any_of(from.begin(), from.end(), [&](Id other) { return same(each, other, 0); });
           });
  }
  bool moved(const Statement& access) const {
    std::vector<Id> found;
    terms(access.location.base, found, true);
    return !found.empty();
  }
  // tl.store(to + i, tl.load(from + i))
  bool stores_what_it_loaded(const Statement& store) const {
    if (store.args.size() < 2) return false;
    const Statement* source = called(store.args[1]);
    if (source == nullptr || source->callee != "triton.language.load" || source->args.empty()) return false;
    const Statement* to = called(store.args[0]);
    const Statement* from = called(source->args[0]);
    return to != nullptr && from != nullptr && to->callee == "operator.add" && from->callee == "operator.add" &&
           to->args.size() == 2 && from->args.size() == 2 && parameter(to->args[0]) && parameter(from->args[0]) &&
           same(to->args[1], from->args[1], 0);
  }
  bool parameter(Id value) const {
    const auto found = made_.find(value);
    if (found == made_.end() || found->second->kind != StatementKind::kLoad) return false;
    const Id storage = found->second->location.storage;
    return storage != kNone && !stores_.contains(storage) &&
           std::any_of(function_.parameters.begin(), function_.parameters.end(),
                       [&](const Parameter& each) { return each.storage == storage; });
  }
  // The call that made a value, by way of local variables with one store.
  const Statement* called(Id value) const {
    for (int hops = 0; hops < 4; ++hops) {
      const auto found = made_.find(value);
      if (found == made_.end()) return nullptr;
      if (found->second->kind == StatementKind::kCall) return found->second;
      const auto stored = stores_.find(found->second->location.storage);
      if (found->second->kind != StatementKind::kLoad || stored == stores_.end() || stored->second.size() != 1)
        return nullptr;
      value = stored->second.front()->value;
    }
    return nullptr;
  }
  // Whether two index values are the same expression.
  bool same(Id a, Id b, int depth) const {
    if (a == b) return true;
    if (a == kNone || b == kNone || depth > 12) return false;
    const Value& left = facts_.values[static_cast<std::size_t>(a)];
    const Value& right = facts_.values[static_cast<std::size_t>(b)];
    if (left.constant || right.constant) return left.constant == right.constant;
    if (!left.symbol.empty() || !right.symbol.empty()) return left.symbol == right.symbol;
    const auto x = made_.find(a), y = made_.find(b);
    if (x == made_.end() || y == made_.end() || x->second->kind != y->second->kind) return false;
    if (x->second->kind == StatementKind::kLoad) {
      const Location &from = x->second->location, &to = y->second->location;
      return !memory(from) && !memory(to) && from.storage == to.storage && from.base == to.base;
    }
    if (x->second->callee != y->second->callee || x->second->args.size() != y->second->args.size()) return false;
    for (std::size_t i = 0; i < x->second->args.size(); ++i) {
      if (!same(x->second->args[i], y->second->args[i], depth + 1)) return false;
    }
    return true;
  }

  const Facts& facts_;
  const Function& function_;
  std::map<Id, const Statement*> made_;
  std::map<Id, std::vector<const Statement*>> stores_;
};

}  // namespace

bool only_copies(const Facts& facts, const Function& function) {
  return function.is_kernel && CopyCheck(facts, function).run();
}

}  // namespace kernel_audit::analysis::facts
