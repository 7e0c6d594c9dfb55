#include "analysis/rules/kernel_copies.h"

#include <algorithm>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

bool is_parameter(const KernelView& kernel, Id pointer) {
  const Statement* load = kernel.flow.made(pointer);
  const auto& parameters = kernel.function.parameters;
  return load != nullptr && load->kind == StatementKind::kLoad &&
         std::any_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
           return each.storage == load->location.storage && kernel.flow.stores_to(each.storage).empty();
         });
}

// y + row + column, x + row + column
bool same_address(const KernelView& kernel, Id to, Id from) {
  const Statement *left = kernel.flow.made(to), *right = kernel.flow.made(from);
  const auto sum = [](const Statement* s) {
    return s != nullptr && s->callee == "operator.add" && s->args.size() == 2;
  };
  if (!sum(left) || !sum(right) || !kernel.flow.same(left->args[1], right->args[1])) return false;
  return (is_parameter(kernel, left->args[0]) && is_parameter(kernel, right->args[0])) ||
         same_address(kernel, left->args[0], right->args[0]);
}

bool same_place(const KernelView& kernel, const Statement& store, const Statement& load) {
  if (store.kind == StatementKind::kCall)
    return load.callee == "triton.language.load" && !load.args.empty() && !store.args.empty() &&
           same_address(kernel, store.args[0], load.args[0]);
  return load.kind == StatementKind::kLoad && kernel.flow.deref(load) && is_parameter(kernel, store.location.base) &&
         is_parameter(kernel, load.location.base) && kernel.flow.same(store.location.key, load.location.key);
}

Id address_of(const KernelView& kernel, const Statement& s, const char* call) {
  if (s.callee == call && !s.args.empty()) return s.args[0];
  return s.location.base != kNone && kernel.flow.deref(s) ? s.location.base : kNone;
}

}  // namespace

bool stores_beside(const KernelView& kernel, Id to, Id from) {
  bool any = false;
  for (const facts::Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const Id stored = s.kind == StatementKind::kLoad ? kNone : address_of(kernel, s, "triton.language.store");
      if (stored == kNone || kernel.root(stored) != to) continue;
      const bool beside =
          std::any_of(kernel.function.blocks.begin(), kernel.function.blocks.end(), [&](const auto& at) {
            return std::any_of(at.statements.begin(), at.statements.end(), [&](const Statement& load) {
              const Id read =
                  load.kind == StatementKind::kStore ? kNone : address_of(kernel, load, "triton.language.load");
              return read != kNone && kernel.root(read) == from && same_place(kernel, s, load);
            });
          });
      if (!beside) return false;
      any = true;
    }
  }
  return any;
}

KernelCopies::KernelCopies(const KernelView& kernel, const LaunchRanges& ranges)
    : kernel_(kernel), ranges_(ranges), variables_(kernel) {
  const std::vector<bool> reached = ranges.reached();
  for (std::size_t b = 0; b < reached.size(); ++b) {
    if (reached[b]) blocks_.push_back(&kernel.function.blocks[b]);
  }
}

std::optional<KernelCopies::Stored> KernelCopies::stored(const Statement& s) const {
  if (s.callee == "triton.language.store" && s.args.size() > 1) return Stored{s.args[0], s.args[1]};
  if (s.kind == StatementKind::kStore && kernel_.flow.deref(s) && !s.augmented) return Stored{s.location.base, s.value};
  return std::nullopt;
}

bool KernelCopies::same_places() const {
  bool any = false;
  for (const facts::Block* block : blocks_) {
    for (const Statement& s : block->statements) {
      if ((s.kind == StatementKind::kCall && s.target != kNone) || s.callee == "asm") return false;
      if (!writes_global(kernel_.model, kernel_.function, s)) continue;
      if (!copied(s)) return false;
      any = true;
    }
  }
  return any;
}

std::set<Id> KernelCopies::moved_into(Id parameter) const {
  std::set<Id> sources;
  for (const facts::Block* block : blocks_) {
    for (const Statement& s : block->statements) {
      const auto store = stored(s);
      const bool other = s.kind == StatementKind::kCall && !store && !s.callee.starts_with("operator.") &&
                         std::any_of(s.args.begin(), s.args.end(),
                                     [&](Id arg) { return arg != kNone && kernel_.root(arg) == parameter; });
      if (other) return {};
      if (!store || kernel_.root(store->address) != parameter) continue;
      const Statement* load = unchanged(store->value);
      const Id from = load == nullptr ? kNone : read_through(*load);
      if (from == kNone) return {};
      sources.insert(kernel_.root(from));
    }
  }
  return sources;
}

Id KernelCopies::read_through(const Statement& load) const {
  if (load.kind == StatementKind::kLoad && kernel_.flow.deref(load)) return load.location.base;
  const bool reads = load.callee == "triton.language.load" || load.callee.starts_with("__ldg");
  return reads && !load.args.empty() ? load.args[0] : kNone;
}

bool KernelCopies::copied(const Statement& s) const {
  const auto store = stored(s);
  const Statement* load = store ? unchanged(store->value) : nullptr;
  if (load == nullptr) return false;
  const Id from = read_through(*load);
  return from != kNone && same_place(kernel_, s, *load) && kernel_.root(store->address) != kernel_.root(from);
}

// The store that gives a variable its value, when no other one, nor to a member of it, is run.
const Statement* KernelCopies::only_store(Id variable) const {
  if (variables_.changed(variable)) return nullptr;
  const Statement* only = nullptr;
  for (const facts::Block* block : blocks_) {
    for (const Statement& s : block->statements) {
      if (s.kind != StatementKind::kStore) continue;
      const Statement* object = kernel_.flow.made(s.location.base);
      const bool member =
          object != nullptr && object->kind == StatementKind::kLoad && object->location.storage == variable;
      if (!member && s.location.storage != variable) continue;
      if (member || only != nullptr || s.location.element) return nullptr;
      only = &s;
    }
  }
  return only;
}

// The store that fills a shared array, where it puts the value at the place that is read.
const Statement* KernelCopies::only_store_into(const Statement& load) const {
  const Id array = kernel_.shared_target(load);
  const Statement* only = nullptr;
  for (const facts::Block* block : array == kNone ? std::vector<const facts::Block*>{} : blocks_) {
    for (const Statement& s : block->statements) {
      const std::vector<Id> handed = kernel_.shared_operands(s);
      if (!s.callee.starts_with("operator.") && std::find(handed.begin(), handed.end(), array) != handed.end())
        return nullptr;
      if (s.kind != StatementKind::kStore || kernel_.shared_target(s) != array) continue;
      if (only != nullptr || s.augmented || !kernel_.flow.same(s.location.key, load.location.key)) return nullptr;
      only = &s;
    }
  }
  return only;
}

// The operand that a call gives back as it is: plus zero, times one.
Id KernelCopies::passed_on(const Statement& made) const {
  const std::string last = last_part(made.callee);
  const auto is = [&](std::size_t i, double number) {
    const Range range = ranges_.of(made.args[i]);
    return range.point() && range.low == number;
  };
  const std::size_t count = made.args.size();
  const double neutral = one_of(last, {"mul", "imul"}) ? 1 : 0;
  if (count == 2 && one_of(last, {"add", "iadd", "mul", "imul", "xor", "or_"})) {
    if (is(0, neutral)) return made.args[1];
    return is(1, neutral) ? made.args[0] : kNone;
  }
  if (count == 3 && one_of(last, {"fmaf", "fma", "__fmaf_rn"}) && is(2, 0)) {
    if (is(0, 1)) return made.args[1];
    return is(1, 1) ? made.args[0] : kNone;
  }
  const bool bits = one_of(last, {"__float_as_uint", "__float_as_int", "__uint_as_float", "__int_as_float"});
  return bits && count == 1 ? made.args[0] : kNone;
}

// What reads the value, which nothing that runs makes anything of on the way.
const Statement* KernelCopies::unchanged(Id value) const {
  for (int hops = 0; hops < 16; ++hops) {
    const Statement* made = kernel_.flow.made(value);
    if (made == nullptr) return nullptr;
    if (made->kind == StatementKind::kLoad && kernel_.shared_target(*made) != kNone) {
      const Statement* only = only_store_into(*made);
      if (only == nullptr) return nullptr;
      value = only->value;
      continue;
    }
    if (made->kind == StatementKind::kLoad && !kernel_.flow.deref(*made)) {
      const Statement* only = made->location.base == kNone ? only_store(made->location.storage) : nullptr;
      if (only == nullptr) return nullptr;
      value = only->value;
      continue;
    }
    const Id operand = made->kind == StatementKind::kCall ? passed_on(*made) : kNone;
    if (operand == kNone) return made;
    value = operand;
  }
  return nullptr;
}

}  // namespace kernel_audit::analysis::rules
