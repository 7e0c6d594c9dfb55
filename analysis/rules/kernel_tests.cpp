// Which of the values that an index takes the tests in front of an access let through, for KernelExtent.
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
constexpr double kMostPlaces = 65536;  // more are not asked one by one
constexpr int kMostAsked = 2'000'000;

double multiple_of_both(double a, double b) {
  return static_cast<double>(std::lcm(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
}

bool whole(double number) { return number == std::floor(number) && number >= 0 && number < 4503599627370496.0; }

std::optional<double> computed(const std::string& name, double left, double right, bool without_sign) {
  if (name == "add") return left + right;
  if (name == "sub") return without_sign && left < right ? std::nullopt : std::optional(left - right);
  if (name == "mul") return left * right;
  if (name == "lt") return left < right;
  if (name == "le") return left <= right;
  if (name == "gt") return left > right;
  if (name == "ge") return left >= right;
  if (name == "eq") return left == right;
  if (name == "ne") return left != right;
  if (one_of(name, {"min", "minimum"})) return std::min(left, right);
  if (one_of(name, {"max", "maximum"})) return std::max(left, right);
  if (!whole(left) || !whole(right)) return std::nullopt;
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  if (name == "and_" || name == "iand") return static_cast<double>(a & b);
  if (name == "or_") return static_cast<double>(a | b);
  if (name == "xor") return static_cast<double>(a ^ b);
  if (name == "rshift" && b < 64) return static_cast<double>(a >> b);
  if (name == "lshift" && b < 32) return std::ldexp(left, static_cast<int>(b));
  if (b == 0) return std::nullopt;
  if (name == "floordiv") return static_cast<double>(a / b);
  if (name == "mod") return static_cast<double>(a % b);
  if (name == "cdiv") return static_cast<double>(a / b + (a % b == 0 ? 0 : 1));
  return std::nullopt;
}

}  // namespace

// What a variable holds where it is read: the last store on the only way there, or the only one there is.
Id KernelExtent::held_at(const Statement& load) const {
  const auto& stores = kernel_.flow.stores_to(load.location.storage);
  const auto stores_it = [&](const Statement& s) {
    return s.kind == StatementKind::kStore && s.location.storage == load.location.storage && s.location.base == kNone &&
           !s.location.element;
  };
  const auto found = block_of_.find(&load);
  Id block = found == block_of_.end() ? kNone : found->second;
  const Statement* end = &load;
  for (int hops = 0; hops < kDeepest && block != kNone && stores.size() > 1; ++hops) {
    const auto& statements = kernel_.function.blocks[static_cast<std::size_t>(block)].statements;
    std::size_t at = end == nullptr ? statements.size() : static_cast<std::size_t>(end - statements.data());
    while (at-- > 0) {
      if (stores_it(statements[at])) return statements[at].value;
    }
    const auto before = kernel_.graph.predecessors(block);
    block = before.size() == 1 ? before.front() : kNone;
    end = nullptr;
  }
  return stores.size() == 1 && !stores[0]->augmented && !stores[0]->location.element ? stores[0]->value : kNone;
}

// Whether the numbers of the launch let anybody come to a block: nothing where they do not decide.
std::optional<bool> KernelExtent::runs_by_numbers(Id block) {
  const auto leaves_at = [&](Id decider, bool side) {
    for (const facts::Edge& edge : kernel_.function.blocks[static_cast<std::size_t>(decider)].successors) {
      const auto& statements = kernel_.function.blocks[static_cast<std::size_t>(edge.to)].statements;
      const bool there = edge.kind == (side ? facts::EdgeKind::kTrue : facts::EdgeKind::kFalse);
      if (there && !statements.empty() && statements.back().kind == StatementKind::kReturn) return true;
    }
    return false;
  };
  for (const Id decider : kernel_.graph.deciders(block)) {
    const auto side = kernel_.side(decider, block);
    const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
    const auto truth = side ? at(condition, 0, {"?"}) : std::nullopt;
    if (truth && (*truth != 0) != *side) return false;
    // Who leaves before it has no use for it.
    const bool leaves = side && kernel_.graph.dominates(decider, block) && leaves_at(decider, !*side);
    if (!truth && !leaves) return std::nullopt;
  }
  return true;
}

// What a variable holds by the stores that the numbers of the launch let run: the last of them.
Id KernelExtent::held_by_numbers(const Statement& load) {
  const auto in = block_of_.find(&load);
  Id held = kNone;
  if (in == block_of_.end()) return kNone;
  const auto& order = kernel_.graph.order();
  const auto at = [&](Id each) { return std::find(order.begin(), order.end(), each); };
  auto last = order.begin();
  for (const Statement* store : kernel_.flow.stores_to(load.location.storage)) {
    const auto block = block_of_.find(store);
    const bool plain = !store->augmented && !store->location.element && store->location.base == kNone;
    if (!plain || block == block_of_.end() || block->second == in->second ||
        std::any_of(loops_.begin(), loops_.end(),
                    [&](const Loop& each) { return each.blocks.contains(block->second); }))
      return kNone;
    const auto runs = runs_by_numbers(block->second);
    const auto place = at(block->second);
    if (!runs || place > at(in->second)) return kNone;
    if (!*runs || place < last) continue;
    held = store->value;
    last = place;
  }
  return held;
}

// The same number under another name or in another type.
Id KernelExtent::passed_on(const Statement& s) const {
  if (s.kind == StatementKind::kLoad) {
    if (kernel_.flow.deref(s)) return kNone;
    if (s.location.base != kNone) return s.location.element ? s.location.base : kNone;  // rows[:, None]
    return s.location.storage == kNone ? kNone : held_at(s);
  }
  if (s.callee == "operator.cast" && s.args.size() == 1) return s.args[0];
  return last_part(s.callee) == "to" ? s.receiver : kNone;
}

// The first value that was seen of the same index.
Id KernelExtent::named(Id index) {
  const auto known = std::find_if(named_.begin(), named_.end(), [&](Id each) { return same_index(each, index); });
  if (known != named_.end()) return *known;
  named_.push_back(index);
  return index;
}

std::optional<double> KernelExtent::fixed(Id value) {
  const auto [known, fresh] = fixed_.try_emplace(value);
  if (fresh) {
    const auto range = bounds(value);
    if (range && range->low == range->high) fixed_[value] = range->low;
  }
  return fixed_[value];
}

// The value in one place of an axis or index, where it depends on that alone.
std::optional<double> KernelExtent::at(Id id, double place, const Along& along, int depth) {
  if (depth > kDeepest || id == kNone || ++asked_ > kMostAsked) return std::nullopt;
  if (along.index != kNone && same_index(id, along.index)) return place;
  if (const std::string name = along.places == nullptr ? "" : place_name(id); !name.empty()) {
    const auto known = along.places->find(name);
    if (known != along.places->end()) return known->second;
  }
  if (const auto known = fixed(id)) return known;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return std::nullopt;
  if (const Id same = passed_on(*s); same != kNone) return at(same, place, along, depth + 1);
  if (s->callee == "triton.language.program_id")
    return axis_of(kernel_.model, *s) == along.axis ? std::optional(place) : std::nullopt;
  if (s->kind == StatementKind::kPhi) return joined(*s, place, along, depth);
  if (s->kind != StatementKind::kCall) return std::nullopt;
  if (s->callee == "operator.not_" && s->args.size() == 1) {
    const auto truth = at(s->args[0], place, along, depth + 1);
    return truth ? std::optional<double>(*truth == 0) : std::nullopt;
  }
  if (s->args.size() != 2 || s->target != kNone) return std::nullopt;
  const auto left = at(s->args[0], place, along, depth + 1), right = at(s->args[1], place, along, depth + 1);
  if (!left || !right) return std::nullopt;
  const bool without_sign = kernel_.model.value(s->result).type.name.starts_with("unsigned");
  return computed(last_part(s->callee), *left, *right, without_sign);
}

// a && b, a || b: one side may decide whatever the other is.
std::optional<double> KernelExtent::joined(const Statement& choice, double place, const Along& along, int depth) {
  if (choice.callee != "and" && choice.callee != "or") return std::nullopt;
  const bool decides = choice.callee == "or";
  bool known = true;
  for (const Id arg : choice.args) {
    const auto truth = at(arg, place, along, depth + 1);
    if (truth && (*truth != 0) == decides) return decides;
    known = known && truth.has_value();
  }
  return known ? std::optional<double>(!decides) : std::nullopt;
}

// A value that is computed of whole steps of an index, so many to a step.
std::optional<double> KernelExtent::steps_of(Id id, Id index, int depth) {
  if (id == kNone || depth > kDeepest) return std::nullopt;
  if (same_index(id, index) || fixed(id)) return 1;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return std::nullopt;
  if (const Id same = passed_on(*s); same != kNone) return steps_of(same, index, depth + 1);
  if (s->kind != StatementKind::kCall || s->args.size() != 2 || s->target != kNone) return std::nullopt;
  const auto left = steps_of(s->args[0], index, depth + 1);
  const std::string last = last_part(s->callee);
  const auto by = fixed(s->args[1]);
  if (!left) return std::nullopt;
  if (last == "floordiv") return by && *by >= 1 ? std::optional(*left * *by) : std::nullopt;
  if (last == "rshift") return by && *by >= 0 ? std::optional(*left * std::exp2(*by)) : std::nullopt;
  if (last != "add" && last != "sub" && last != "mul") return std::nullopt;
  const auto right = steps_of(s->args[1], index, depth + 1);
  return right ? std::optional(multiple_of_both(*left, *right)) : std::nullopt;
}

// After so many values of the index everything comes again: 0 where it never does. Nothing where something else takes
// part.
std::optional<double> KernelExtent::period(Id id, Id index, int depth) {
  if (id == kNone || depth > kDeepest) return std::nullopt;
  if (same_index(id, index)) return 0;
  if (fixed(id)) return 1;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return std::nullopt;
  if (const Id same = passed_on(*s); same != kNone) return period(same, index, depth + 1);
  const bool joins = s->kind == StatementKind::kPhi && one_of(s->callee, {"and", "or"});
  if ((!joins && !s->callee.starts_with("operator.")) || s->args.empty()) return std::nullopt;
  const auto by = s->args.size() == 2 ? fixed(s->args[1]) : std::nullopt;
  const std::string last = last_part(s->callee);
  const bool rest = last == "mod" && by && *by >= 1, bits = (last == "and_" || last == "iand") && by && whole(*by);
  const auto steps = rest || bits ? steps_of(s->args[0], index, depth + 1) : std::nullopt;
  if (steps) return std::min(*steps * (rest ? *by : std::exp2(std::ceil(std::log2(*by + 1)))), kMostPlaces + 1);
  double all = 1;
  for (const Id arg : s->args) {
    const auto one = period(arg, index, depth + 1);
    if (!one) return std::nullopt;
    all = all == 0 || *one == 0 ? 0 : std::min(multiple_of_both(all, *one), kMostPlaces + 1);
  }
  return all;
}

// Values that come together, as many as there are of each. What is computed of one index takes no more values than
// that.
double KernelExtent::product(const Atoms& atoms) const {
  double all = 1;
  std::map<std::string, double> of_index;
  for (const auto& [name, size] : atoms) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) {
      all *= size;
      continue;
    }
    const std::string index = name.substr(0, slash);
    if (atoms.contains(index)) continue;
    double& together = of_index.try_emplace(index, 1).first->second;
    together = std::min(together * size, places_.at(index));
  }
  for (const auto& [index, together] : of_index) all *= together;
  return all;
}

// What a value takes that depends on the place of one block, thread or program alone, where those are fewer values than
// there are places.
bool KernelExtent::add_distinct(Id id, const std::vector<Cap>& caps, Atoms& atoms) {
  Id index = kNone;
  for (const Id value : kernel_.flow.behind(id).values) {
    const Statement* made = kernel_.flow.made(value);
    const bool program = made != nullptr && made->callee == "triton.language.program_id";
    const auto known = built_in(kernel_.model.value(value).symbol);
    if (!program && (!known || known->low == known->high)) continue;
    if (index != kNone && !same_index(index, value)) return false;
    index = value;
  }
  const auto range = index == kNone ? std::nullopt : bounds(index);
  if (!range || range->high >= kMostPlaces || !period(id, index)) return false;
  std::vector<const Cap*> asked;
  for (const Cap& cap : caps) {
    if (cap.test != nullptr && period(cap.test->result, index)) asked.push_back(&cap);
  }
  std::set<double> values;
  double places = 0;
  for (double place = 0; place <= range->high; ++place) {
    const bool stopped = std::any_of(asked.begin(), asked.end(), [&](const Cap* cap) {
      const auto truth = at(cap->test->result, place, {"", index});
      return truth && (*truth != 0) != cap->holds;
    });
    const auto value = stopped ? std::nullopt : at(id, place, {"", index});
    if (!stopped && !value) return false;
    if (value) values.insert(*value);
    places += value ? 1 : 0;
  }
  if (static_cast<double>(values.size()) >= range->high + 1) return false;
  const std::string name = "index " + std::to_string(named(index));
  places_[name] = places;
  atoms[name + "/" + std::to_string(named(id))] = static_cast<double>(values.size());
  return true;
}

// Threads of the launch that come to a statement.
std::optional<double> KernelExtent::threads_at(const Statement& access) {
  const auto block = block_of_.find(&access);
  if (block == block_of_.end()) return std::nullopt;
  Tests tests;
  take_tests_of_deciders(block->second, tests);
  const std::vector<Cap> caps = caps_of(tests);
  std::map<std::string, Id> asked;  // places that the tests ask for
  for (const auto& [test, holds] : tests) {
    for (const Id value : kernel_.flow.behind(test->result).values)
      asked.emplace(kernel_.model.value(value).symbol, value);
  }
  double all = 1;
  for (const char* name : {"blockIdx", "threadIdx"}) {
    for (const char axis : {'x', 'y', 'z'}) {
      const std::string symbol = std::string(name) + "." + axis;
      const auto range = built_in(symbol);
      const auto value = asked.find(symbol);
      const auto most = value == asked.end() ? std::nullopt : most_of(value->second, caps);
      const double places = range ? range->high + 1 : 1;
      all *= most ? std::min(places, most->first) : places;
    }
  }
  Atoms loops;
  if (!loops_around(access, loops)) return std::nullopt;
  for (const auto& [loop, turns] : loops) all *= turns;
  return all;
}

// Whether it is a part of a size: n / 2, n >> 1.
bool KernelExtent::is_quotient(Id value) const {
  const Statement* s = kernel_.flow.made(value);
  for (int hops = 0; hops < 8 && s != nullptr; ++hops) {
    const Id same = passed_on(*s);
    if (same == kNone) break;
    s = kernel_.flow.made(same);
  }
  return s != nullptr && s->args.size() == 2 && one_of(last_part(s->callee), {"floordiv", "rshift"}) &&
         kernel_.number(s->args[1]);
}

// Whether a test compares what only the place of a block or thread tells with a number that no parameter takes part in,
// or an index with a part of a size.
bool KernelExtent::by_place(const Statement& test, int depth) {
  if (depth > kDeepest || test.args.empty() || test.target != kNone) return false;
  if (test.callee == "operator.not_" || (test.kind == StatementKind::kPhi && one_of(test.callee, {"and", "or"}))) {
    return std::all_of(test.args.begin(), test.args.end(), [&](Id arg) {
      const Statement* part = kernel_.flow.made(arg);
      return part != nullptr && by_place(*part, depth + 1);
    });
  }
  if (test.args.size() != 2 || (!fixed(test.args[0]) && !fixed(test.args[1]))) return false;
  const auto behind = kernel_.flow.behind(test.result);
  const auto is = [&](Id value, bool range) {
    const Statement* made = kernel_.flow.made(value);
    return made != nullptr && (range ? made->callee == "triton.language.arange" : kernel_.flow.deref(*made));
  };
  const auto any = [&](bool range) {
    return std::any_of(behind.values.begin(), behind.values.end(), [&](Id value) { return is(value, range); });
  };
  if (any(false)) return false;
  if (is_quotient(test.args[fixed(test.args[0]) ? 0 : 1])) return true;
  const auto& parameters = kernel_.function.parameters;
  return !any(true) && std::none_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
    return behind.variables.contains(each.storage);
  });
}

std::optional<double> KernelExtent::reach_by_place(const Statement& access, const Tests& chosen) {
  const auto block = block_of_.find(&access);
  if (block == block_of_.end() || (access.kind == StatementKind::kCall && access.args.empty())) return std::nullopt;
  Tests tests = chosen;
  take_tests_of_deciders(block->second, tests);
  std::erase_if(tests, [&](const auto& each) { return !by_place(*each.first); });
  return count_behind(access, tests);
}

// How many of the values below `below` the tests on the index alone let through.
std::optional<double> KernelExtent::left_by(const std::vector<Cap>& caps, Id index, double below) {
  double window = below <= kMostPlaces ? below : 1;
  std::vector<const Cap*> asked;
  for (const Cap& cap : caps) {
    const auto one = cap.test == nullptr ? std::nullopt : period(cap.test->result, index);
    if (!one) continue;
    const double joint = below <= kMostPlaces ? window : *one == 0 ? 0 : multiple_of_both(window, *one);
    if (joint <= 0 || joint > kMostPlaces) continue;
    window = joint;
    asked.push_back(&cap);
  }
  if (asked.empty()) return std::nullopt;
  const double times = std::floor(below / window), rest = below - times * window;
  double hits = 0, of_rest = 0;
  for (double place = 0; place < window; ++place) {
    const bool stopped = std::any_of(asked.begin(), asked.end(), [&](const Cap* cap) {
      const auto truth = at(cap->test->result, place, {"", index});
      return truth && (*truth != 0) != cap->holds;
    });
    if (stopped) continue;
    ++hits;
    of_rest += place < rest ? 1 : 0;
  }
  return times * hits + of_rest;
}

// The most values that an index takes behind what is asked of it, and what is asked of the rest.
std::optional<std::pair<double, std::vector<KernelExtent::Cap>>> KernelExtent::most_of(Id index,
                                                                                       const std::vector<Cap>& caps) {
  const Cap* least = nullptr;
  std::vector<Cap> others;
  bool asked = false;
  for (const Cap& cap : caps) {
    if (cap.test == nullptr && same_index(index, cap.value)) {
      if (least == nullptr || cap.count < least->count) least = &cap;
    } else if (cap.test != nullptr && period(cap.test->result, index)) {
      asked = true;
    } else {
      others.push_back(cap);
    }
  }
  if (least == nullptr && !asked) return std::nullopt;
  const auto range = bounds(index);
  double below = range && range->low >= 0 ? range->high + 1 : 0;
  if (least != nullptr) below = std::min(below, least->below);
  const auto left = below > 0 && asked ? left_by(caps, index, below) : std::nullopt;
  if (least == nullptr && !left) return std::nullopt;
  double most = least != nullptr ? least->count : *left;
  if (left) most = std::min(most, *left);
  return std::pair(most, std::move(others));
}

}  // namespace kernel_audit::analysis::rules
