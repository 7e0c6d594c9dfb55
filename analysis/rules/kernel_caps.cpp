// What masks and branches let through to an access, for KernelExtent.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 48;

// rows[:, None] takes the same values as rows.
Id without_axes(const KernelView& kernel, Id value) {
  for (int hops = 0; hops < 4; ++hops) {
    const Statement* s = kernel.flow.made(value);
    if (s == nullptr || s->kind != StatementKind::kLoad || !s->location.element || s->location.base == kNone) break;
    value = s->location.base;
  }
  return value;
}

}  // namespace

bool KernelExtent::same_index(Id a, Id b) const {
  return kernel_.flow.same(without_axes(kernel_, a), without_axes(kernel_, b));
}

// All values that an index takes are this far apart from each other, or a multiple of it.
double KernelExtent::stride(Id value, int depth) {
  const auto known = bounds(value);
  if (known && known->low == known->high) return 0;  // the same everywhere
  const Statement* s = kernel_.flow.made(value);
  if (s == nullptr || depth > kDeepest || ++steps_ > kMostSteps) return 1;
  if (s->kind == StatementKind::kLoad) {
    if (s->location.base != kNone) return stride(s->location.base, depth + 1);
    const auto& stores = kernel_.flow.stores_to(s->location.storage);
    return stores.size() == 1 && !stores[0]->augmented ? stride(stores[0]->value, depth + 1) : 1;
  }
  const bool sum = s->callee == "operator.add" || s->callee == "operator.sub";
  if (s->kind != StatementKind::kCall || s->args.size() != 2 || (!sum && s->callee != "operator.mul")) return 1;
  const double left = stride(s->args[0], depth + 1), right = stride(s->args[1], depth + 1);
  if (sum) return static_cast<double>(std::gcd(static_cast<std::int64_t>(left), static_cast<std::int64_t>(right)));
  const auto number = [&](Id arg) {
    const auto range = bounds(arg);
    return range && range->low == range->high && range->low >= 1 ? range->low : 1;
  };
  return left == 0 ? right * number(s->args[0]) : right == 0 ? left * number(s->args[1]) : 1;
}

Id KernelExtent::mask_of(const Statement& access) {
  return argument(access, access.callee == "triton.language.store" ? 2 : 1, "mask");
}

// Whether it is a number in the source, and no test.
bool KernelExtent::bounds_known(Id value) const {
  const auto& constant = kernel_.model.value(value).constant;
  return constant && constant->is_number();
}

// The tests that a mask is made of, where all of them have to hold.
void KernelExtent::take_tests(Id mask, Tests& tests, int depth) const {
  if (mask == kNone || depth > kDeepest) return;
  const Statement* s = kernel_.flow.made(mask);
  if (s == nullptr) return;
  if (s->kind == StatementKind::kLoad) return take_tests(passed_on(*s), tests, depth + 1);
  const bool both = s->callee == "operator.and_" || s->callee == "operator.iand";
  const bool bits = both && s->args.size() == 2 && bounds_known(s->args[1]);
  if (bits) {
    tests.emplace_back(s, true);
    return;
  }
  if (both || s->callee == "operator.mul" || (s->kind == StatementKind::kPhi && s->callee == "and")) {
    for (const Id arg : s->args) take_tests(arg, tests, depth + 1);
    return;
  }
  tests.emplace_back(s, true);
}

// In CUDA what decides about an access is a mask: the side on which it lies.
void KernelExtent::take_tests_of_deciders(Id block, Tests& tests) const {
  for (const Id decider : kernel_.graph.deciders(block)) {
    const auto side = kernel_.side(decider, block);
    const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
    const Statement* test = condition == kNone ? nullptr : kernel_.flow.made(condition);
    if (!side || test == nullptr) continue;
    if (*side) {
      take_tests(condition, tests);
    } else if (test->kind == StatementKind::kPhi && test->callee == "or") {
      for (const Id arg : test->args) {
        if (const Statement* part = kernel_.flow.made(arg); part != nullptr) tests.emplace_back(part, false);
      }
    } else {
      tests.emplace_back(test, false);
    }
  }
}

std::vector<KernelExtent::Cap> KernelExtent::caps_of(const Tests& tests) {
  std::vector<Cap> caps;
  for (const auto& [test, holds] : tests) {
    if (test->result != kNone) caps.push_back({kNone, 0, 0, test, holds});
    add_cap(*test, holds, caps);
  }
  return caps;
}

// `index < limit`, whichever way round it is written.
std::optional<KernelExtent::Order> KernelExtent::order(const Statement& test, bool holds) {
  static const std::map<std::string, std::string> opposite{{"lt", "ge"}, {"ge", "lt"}, {"gt", "le"}, {"le", "gt"}};
  if (test.kind != StatementKind::kCall || test.args.size() != 2 || !test.callee.starts_with("operator."))
    return std::nullopt;
  const auto other = opposite.find(last_part(test.callee));
  if (other == opposite.end()) return std::nullopt;
  const std::string name = holds ? other->first : other->second;
  const bool less = name == "lt" || name == "le";
  return Order{test.args[less ? 0 : 1], test.args[less ? 1 : 0], name == "lt" || name == "gt"};
}

// The index takes no more values than that.
void KernelExtent::add_cap(const Statement& test, bool holds, std::vector<Cap>& caps) {
  const auto [index, limit, strict] = order(test, holds).value_or(Order{});
  const auto most = bounds(limit), least = bounds(index);
  if (!most || (least && least->low < 0)) return;
  const double below = std::max(0.0, strict ? std::ceil(most->high) : std::floor(most->high) + 1);
  caps.push_back({index, std::ceil(below / stride(index)), below});
}

std::optional<KernelExtent::Shortfall> KernelExtent::falls_short(const Statement& access) {
  const auto block = block_of_.find(&access);
  const bool call = access.kind == StatementKind::kCall;
  if (block == block_of_.end() || (call && access.args.empty())) return std::nullopt;
  Tests tests;
  take_tests_of_deciders(block->second, tests);
  if (call) take_tests(mask_of(access), tests);
  DeviceFlow::Behind address = kernel_.flow.behind(call ? access.args[0] : access.location.base);
  if (!call) {
    DeviceFlow::Behind key = kernel_.flow.behind(access.location.key);
    address.values.merge(key.values);
    address.variables.merge(key.variables);
  }
  std::map<std::pair<std::set<Id>, double>, double> reached_of;  // by the variables of the bound, and its number
  for (const auto& [test, holds] : tests) {
    const auto found = order(*test, holds);
    if (!found) continue;
    const auto reached = bounds(found->index), limit = bounds(found->limit);
    if (!reached || !limit || limit->low != limit->high) continue;
    const double below = found->strict ? limit->low : limit->low + 1;
    // Of the launch, and of where the access is: what lanes do in turns is another matter.
    const auto asked = kernel_.flow.behind(found->limit).variables;
    const bool of_launch = std::any_of(asked.begin(), asked.end(), [&](Id each) { return numbers_.contains(each); });
    const bool placed = std::any_of(address.values.begin(), address.values.end(),
                                    [&](Id value) { return same_index(value, found->index); });
    if (!of_launch || !placed) continue;
    // A whole block that starts past the bound may leave before its threads are asked one by one.
    double& most = reached_of[{asked, below}];
    // What takes several elements at each index leaves none out between them.
    most = std::max(most, reached->high + std::max(stride(found->index), 1.0));
  }
  for (const auto& [bound, most] : reached_of) {
    if (most < bound.second) return Shortfall{most, bound.second};
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::rules
