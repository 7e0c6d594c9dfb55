#include "analysis/rules/launch_reach.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

bool accesses(const Statement& s, bool store) {
  return s.callee == (store ? "triton.language.store" : "triton.language.load");
}

bool reduces(const Statement& s) {
  return one_of(s.callee, {"triton.language.sum", "triton.language.max", "triton.language.min", "triton.language.dot",
                           "triton.language.reduce", "triton.language.argmax", "triton.language.argmin",
                           "triton.language.associative_scan", "triton.language.cumsum"});
}

// Where what a load reads goes into a sum, a maximum, a product of matrices, or what a loop gathers: each time the
// conditions of tl.where under which it takes part.
std::vector<std::vector<Id>> gathered(const KernelView& kernel, const Statement& load) {
  std::vector<std::vector<Id>> found;
  const auto from_load = [&](Id value) { return kernel.flow.behind(value).values.contains(load.result); };
  for (const facts::Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const bool takes_all = reduces(s);
      const bool adds = s.kind == StatementKind::kStore && s.location.storage != kNone && s.value != kNone &&
                        (s.augmented || kernel.flow.behind(s.value).variables.contains(s.location.storage));
      if (!takes_all && !adds) continue;
      for (const Id part : takes_all ? s.args : facts::Operands{s.value}) {
        const auto behind = kernel.flow.behind(part);
        if (!behind.values.contains(load.result)) continue;
        std::vector<Id>& selected = found.emplace_back();
        for (const Id value : behind.values) {
          const Statement* choice = kernel.flow.made(value);
          if (choice == nullptr || choice->callee != "triton.language.where" || choice->args.size() != 3) continue;
          if (kernel.number(choice->args[2]) && from_load(choice->args[1]) && !from_load(choice->args[0]))
            selected.push_back(choice->args[0]);
        }
      }
    }
  }
  return found;
}

}  // namespace

Reached::Reached(const Model& model, const KernelView& kernel, Launched& launch)
    : model_(model),
      kernel_(kernel),
      extent_(kernel, launch.grid(), launch.block(), launch.numbers(), launch.fields()),
      native_(model.native(model.id_of(kernel.function))),
      numba_(decorated_by(kernel.function, "numba")) {}

Reached::Sum Reached::of(const facts::Parameter& parameter, double element_size, bool store) {
  Sum sum{0, nullptr};
  for (const facts::Block& block : kernel_.function.blocks) {
    std::vector<const Statement*> counted;  // x[i] * x[i] reads one element
    for (const Statement& s : block.statements) {
      if (!sum.elements) return sum;
      const bool again =
          std::any_of(counted.begin(), counted.end(), [&](const Statement* other) { return same_place(s, *other); });
      if (again) continue;
      const Here here = touched_by(s, parameter, element_size, store);
      if (!here.touches) continue;
      counted.push_back(&s);
      sum.elements = here.count ? std::optional(*sum.elements + *here.count) : std::nullopt;
      if (sum.first == nullptr) sum.first = &s;
    }
  }
  return sum;
}

std::optional<double> Reached::computed(const facts::Parameter& parameter, double element_size) {
  double sum = 0;
  bool numbers = false;
  for (const facts::Block& block : kernel_.function.blocks) {
    for (const Statement& s : block.statements) {
      const Here here = touched_by(s, parameter, element_size, true);
      if (!here.touches) continue;
      const bool call = s.kind == StatementKind::kCall;
      const Id value = !call ? s.value : s.args.size() > 1 && accesses(s, true) ? s.args[1] : kNone;
      if (value == kNone || !here.count) return std::nullopt;
      if (all_one_number(value)) {
        numbers = true;
        continue;
      }
      const auto threads = extent_.reach_of_threads(s), plain = extent_.reach_by_place(s, {});
      const auto reached = extent_.reach_by_place(s, chosen_by(value));
      if (!threads || !plain || !reached || *threads <= 0) return std::nullopt;
      numbers = numbers || *reached < *plain;
      sum += *reached * (*here.count / *threads);
    }
  }
  return numbers ? std::optional(sum) : std::nullopt;
}

std::pair<const Statement*, KernelExtent::Shortfall> Reached::shortfall(const facts::Parameter& parameter) {
  std::pair<const Statement*, KernelExtent::Shortfall> first{nullptr, {}};
  for (const facts::Block& block : kernel_.function.blocks) {
    for (const Statement& s : block.statements) {
      if (!touched_by(s, parameter, 0, true).touches) continue;
      const bool stores = s.kind == StatementKind::kStore || accesses(s, true);
      const auto here = stores ? extent_.falls_short(s) : std::nullopt;
      if (!here) return {nullptr, {}};
      if (first.first == nullptr) first = {&s, *here};
    }
  }
  return first;
}

std::optional<bool> Reached::reads(const Statement& s, const facts::Parameter& parameter) const {
  if (s.kind == StatementKind::kLoad) return native_ && kernel_.flow.deref(s) && points(s.location.base, parameter);
  if (s.kind != StatementKind::kCall || s.callee.starts_with("operator.")) return false;
  const auto given = [&](Id arg) {
    return arg != kNone && (native_ ? handed(arg, parameter) : points(arg, parameter));
  };
  if (std::none_of(s.args.begin(), s.args.end(), given)) return false;
  if (native_) return s.callee.starts_with("__ld") && s.target == kNone ? std::optional(true) : std::nullopt;
  if (accesses(s, false) && given(s.args.front())) return true;
  const bool computes = s.target == kNone && s.callee.find("atomic") == std::string::npos &&
                        s.callee.find("descriptor") == std::string::npos && last_part(s.callee) != "make_block_ptr";
  return computes ? std::optional(false) : std::nullopt;
}

std::optional<double> Reached::addressed(const facts::Parameter& parameter, double element_size) {
  double sum = 0;
  std::vector<const Statement*> counted;
  for (const facts::Block& block : kernel_.function.blocks) {
    for (const Statement& s : block.statements) {
      const auto read = numba_ ? std::nullopt : reads(s, parameter);
      if (!read) return std::nullopt;
      const bool again =
          std::any_of(counted.begin(), counted.end(), [&](const Statement* other) { return same_place(s, *other); });
      if (!*read || again) continue;
      counted.push_back(&s);
      const double size = s.result == kNone ? 0 : size_of(model_.value(s.result).type.name);
      const auto count = extent_.reach_of_address(s);
      if (!count || (native_ && (size == 0 || element_size == 0))) return std::nullopt;
      sum += *count * (native_ ? std::max(size / element_size, 1.0) : 1.0);
    }
  }
  return sum;
}

bool Reached::same_place(const Statement& a, const Statement& b) const {
  if (a.kind != b.kind || a.callee != b.callee) return false;
  if (a.kind == StatementKind::kCall) {
    const std::size_t place = a.callee == "triton.language.store" ? 2 : 1;
    const Id mask = argument(a, place, "mask"), other = argument(b, place, "mask");
    return !a.args.empty() && !b.args.empty() && kernel_.flow.same(a.args[0], b.args[0]) &&
           (mask == other || kernel_.flow.same(mask, other));
  }
  return kernel_.flow.same(a.location.base, b.location.base) && kernel_.flow.same(a.location.key, b.location.key);
}

bool Reached::all_one_number(Id value) const {
  const Statement* made = kernel_.flow.made(value);
  if (made == nullptr || !made->callee.starts_with("triton.language.")) return kernel_.number(value).has_value();
  const std::string last = last_part(made->callee);
  return last == "zeros" || last == "zeros_like" || (last == "full" && kernel_.number(argument(*made, 1, "value")));
}

KernelExtent::Tests Reached::chosen_by(Id value) const {
  const Statement* choice = kernel_.flow.made(value);
  if (choice != nullptr && choice->kind == StatementKind::kLoad && choice->location.base == kNone) {
    const auto& stores = kernel_.flow.stores_to(choice->location.storage);
    choice = stores.size() == 1 ? kernel_.flow.made(stores.front()->value) : nullptr;
  }
  if (choice == nullptr) return {};
  const bool where = choice->callee == "triton.language.where" && choice->args.size() == 3;
  const bool phi = choice->kind == StatementKind::kPhi && choice->callee.empty() && choice->args.size() == 2;
  if (!where && !phi) return {};
  const std::vector<Id> conditions = where ? std::vector<Id>{choice->args[0]} : kernel_.choosing(*choice);
  const bool first = all_one_number(choice->args[where ? 1 : 0]);
  const bool second = all_one_number(choice->args[where ? 2 : 1]);
  const bool one = std::all_of(conditions.begin(), conditions.end(), [&](Id each) { return each == conditions[0]; });
  const Statement* test = conditions.empty() ? nullptr : kernel_.flow.made(conditions.front());
  if (first == second || !one || test == nullptr) return {};
  return {{test, second}};
}

bool Reached::points(Id value, const facts::Parameter& parameter) const {
  return value != kNone && kernel_.root(value) == parameter.storage;
}

bool Reached::in_blocks(Id pointer, const facts::Parameter& parameter) const {
  const auto behind = kernel_.flow.behind(pointer);
  return std::any_of(behind.values.begin(), behind.values.end(), [&](Id value) {
    const Statement* made = kernel_.flow.made(value);
    return made != nullptr && made->callee == "triton.language.make_block_ptr" && !made->args.empty() &&
           points(made->args[0], parameter);
  });
}

Reached::Here Reached::touched_by(const Statement& s, const facts::Parameter& parameter, double element_size,
                                  bool store) {
  if (numba_) return in_numba(s, parameter, store);
  return native_ ? in_cuda(s, parameter, element_size, store) : in_triton(s, parameter, store);
}

Reached::Here Reached::in_numba(const Statement& s, const facts::Parameter& parameter, bool store) {
  const auto given = [&](Id arg) { return arg != kNone && points(arg, parameter); };
  if (s.kind == StatementKind::kCall)
    return {!s.callee.starts_with("operator.") && std::any_of(s.args.begin(), s.args.end(), given), std::nullopt};
  if (s.kind != (store ? StatementKind::kStore : StatementKind::kLoad) || !s.location.element ||
      !given(s.location.base) || (!store && !taken_in(s)))
    return {};
  return {true, extent_.reach_of_threads(s)};
}

Reached::Here Reached::in_triton(const Statement& s, const facts::Parameter& parameter, bool store) {
  if (s.kind != StatementKind::kCall || s.args.empty() || s.callee.starts_with("operator.")) return {};
  const bool block = in_blocks(s.args[0], parameter);
  if (!block && std::none_of(s.args.begin(), s.args.end(), [&](Id arg) { return points(arg, parameter); })) return {};
  if (!accesses(s, store)) {
    const bool other = s.target != kNone || s.callee.find("atomic") != std::string::npos ||
                       s.callee.find("descriptor") != std::string::npos;
    return {other, std::nullopt};
  }
  if (!block && !points(s.args[0], parameter)) return {};
  const auto uses = store ? std::vector<std::vector<Id>>{{}} : gathered(kernel_, s);
  if (uses.empty()) return {taken_in(s), std::nullopt};
  Here here{true, 0};
  for (const std::vector<Id>& selected : uses) {
    const auto one = extent_.reach(s, selected);
    here.count = here.count && one ? std::optional(std::max(*here.count, *one)) : std::nullopt;
  }
  return here;
}

Reached::Here Reached::in_cuda(const Statement& s, const facts::Parameter& parameter, double element_size, bool store) {
  const bool access = (s.kind == StatementKind::kLoad || s.kind == StatementKind::kStore) && kernel_.flow.deref(s);
  if (access) {
    if ((s.kind == StatementKind::kStore) != store || !points(s.location.base, parameter)) return {};
    if (!store && !taken_in(s)) return {};
    const Id value = store ? s.value : s.result;
    const double size = value == kNone ? 0 : size_of(model_.value(value).type.name);
    const auto count = extent_.reach_of_threads(s);
    if (!count || size == 0 || element_size == 0) return {true, std::nullopt};
    // What is stored is converted to what the pointer holds.
    const double vector = std::max(size / element_size, 1.0);
    return {true, *count * vector};
  }
  if (s.kind != StatementKind::kCall || (s.callee.starts_with("operator.") && s.callee != "operator.addressof"))
    return {};
  if (std::none_of(s.args.begin(), s.args.end(), [&](Id arg) { return handed(arg, parameter); })) return {};
  if (s.callee == "operator.addressof") return {};
  if (!store && s.callee.starts_with("__ld") && s.result != kNone) {
    if (!taken_in(s)) return {};
    const double size = size_of(model_.value(s.result).type.name);
    const auto count = extent_.reach_of_threads(s);
    if (!count || size == 0 || element_size == 0) return {true, std::nullopt};
    return {true, *count * std::max(size / element_size, 1.0)};
  }
  const auto each = store ? stored_by(s, parameter, element_size) : std::nullopt;
  const auto calls = each ? extent_.threads_at(s) : std::nullopt;
  return {true, calls ? std::optional(*calls * *each) : std::nullopt};
}

std::optional<double> Reached::stored_by(const Statement& call, const facts::Parameter& parameter,
                                         double element_size) const {
  if (call.target == kNone || element_size == 0) return std::nullopt;
  const facts::Function& called = model_.function(call.target);
  const auto& access = model_.access(call.target);
  if (called.blocks.empty() || !access.known || !access.precise || !blocks_in_loops(model_, call.target).empty())
    return std::nullopt;
  const KernelView& inside = view_of(model_, call.target);
  double stored = 0;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (!handed(call.args[i], parameter) || i >= access.written.size() || !access.written[i]) continue;
    for (const facts::Block& block : called.blocks) {
      for (const Statement& s : block.statements) {
        const bool stores_by_call =
            s.kind == StatementKind::kCall && !s.callee.starts_with("operator.") &&
            (s.target != kNone || s.callee == "asm" || std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
               return arg != kNone && model_.value(arg).type.kind == facts::TypeKind::kPointer;
             }));
        if (stores_by_call) return std::nullopt;
        if (s.kind != StatementKind::kStore || !inside.flow.deref(s)) continue;
        const double size = s.value == kNone ? 0 : size_of(model_.value(s.value).type.name);
        if (size == 0) return std::nullopt;
        stored += std::max(size / element_size, 1.0);
      }
    }
  }
  return stored > 0 ? std::optional(stored) : std::nullopt;
}

bool Reached::handed(Id arg, const facts::Parameter& parameter) const {
  if (arg == kNone) return false;
  const auto kind = model_.value(arg).type.kind;
  const Statement* made = kernel_.flow.made(arg);
  const bool element = made != nullptr && made->kind == StatementKind::kLoad && kernel_.flow.deref(*made);
  const bool pointer = kind == facts::TypeKind::kPointer || kind == facts::TypeKind::kString ||
                       (kind == facts::TypeKind::kUnknown && !element);
  return pointer && points(arg, parameter);
}

bool Reached::taken_in(const Statement& load) const {
  std::set<Id> values{load.result}, variables;
  bool grew = true;
  while (grew) {
    grew = false;
    for (const facts::Block& block : kernel_.function.blocks) {
      if (values.contains(block.condition) && keeps_what_is_found(block)) return true;
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kStore) {
          if (!values.contains(s.value)) continue;
          if (kernel_.shared_target(s) != kNone || gathers(s)) return true;
          const Id into = kernel_.flow.deref(s) ? kernel_.root(s.location.base) : s.location.storage;
          const bool own = !kernel_.flow.deref(s) || local(s.location.base);
          if (own && into != kNone) grew = variables.insert(into).second || grew;
          continue;
        }
        if (s.result == kNone || values.contains(s.result)) continue;
        const auto comes = [&](Id value) { return value != kNone && values.contains(value); };
        bool derived = comes(s.receiver) || std::any_of(s.args.begin(), s.args.end(), comes);
        if (s.kind == StatementKind::kLoad) {
          const Id from = kernel_.flow.deref(s) ? kernel_.root(s.location.base) : s.location.storage;
          derived = comes(s.location.base) || variables.contains(from);
        }
        if (!derived) continue;
        if (reduces(s)) return true;
        grew = values.insert(s.result).second || grew;
      }
    }
  }
  return false;
}

bool Reached::keeps_what_is_found(const facts::Block& decider) const {
  const Id deciding = static_cast<Id>(&decider - kernel_.function.blocks.data());
  const auto& variables = kernel_.flow.behind(decider.condition).variables;
  for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
    const auto deciders = kernel_.graph.deciders(static_cast<Id>(b));
    if (std::find(deciders.begin(), deciders.end(), deciding) == deciders.end()) continue;
    for (const Statement& s : kernel_.function.blocks[b].statements) {
      if (s.callee.starts_with("atomic")) return true;
      if (s.kind != StatementKind::kStore) continue;
      if (s.augmented || kernel_.shared_target(s) != kNone) return true;
      if (kernel_.flow.deref(s) || s.location.storage == kNone) continue;
      if (variables.contains(s.location.storage) || outlasts_loop(s, deciding)) return true;
    }
  }
  return false;
}

bool Reached::outlasts_loop(const Statement& store, Id block) const {
  const auto loops = natural_loops(kernel_.function, kernel_.graph);
  const auto& others = kernel_.flow.stores_to(store.location.storage);
  return std::any_of(loops.begin(), loops.end(), [&](const NaturalLoop& loop) {
    if (!loop.blocks.contains(block)) return false;
    return std::any_of(others.begin(), others.end(), [&](const Statement* other) {
      return std::none_of(loop.blocks.begin(), loop.blocks.end(), [&](Id inside) {
        const auto& statements = kernel_.function.blocks[static_cast<std::size_t>(inside)].statements;
        return !statements.empty() && other >= &statements.front() && other <= &statements.back();
      });
    });
  });
}

bool Reached::gathers(const Statement& store) const {
  if (store.augmented) return true;
  const Id storage = store.location.storage;
  return storage != kNone && !kernel_.flow.deref(store) && kernel_.flow.behind(store.value).variables.contains(storage);
}

bool Reached::local(Id pointer) const {
  const Id root = kernel_.root(pointer);
  return root != kNone && std::none_of(kernel_.function.parameters.begin(), kernel_.function.parameters.end(),
                                       [&](const facts::Parameter& each) { return each.storage == root; });
}

}  // namespace kernel_audit::analysis::rules
