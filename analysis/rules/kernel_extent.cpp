#include "analysis/rules/kernel_extent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 48;

}  // namespace

std::string axis_of(const facts::Model& model, const Statement& call) {
  Id axis = call.args.empty() ? kNone : call.args[0];
  for (const auto& [name, value] : call.keywords) {
    if (name == "axis") axis = value;
  }
  const Json* number = constant_of(model, axis);
  return number != nullptr && number->is_number_integer() ? std::to_string(number->get<int>()) : "?";
}

KernelExtent::KernelExtent(const KernelView& kernel, std::vector<double> grid, std::vector<double> block,
                           std::map<Id, double> numbers, Fields fields)
    : kernel_(kernel),
      grid_(std::move(grid)),
      threads_(std::move(block)),
      numbers_(std::move(numbers)),
      fields_(std::move(fields)) {
  const auto& blocks = kernel.function.blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Statement& s : blocks[b].statements) block_of_[&s] = static_cast<Id>(b);
  }
  for (NaturalLoop& each : natural_loops(kernel.function, kernel.graph)) {
    Loop loop{each.header, nullptr, std::move(each.blocks)};
    for (const Statement& s : blocks[static_cast<std::size_t>(loop.header)].statements) {
      if (s.callee == "builtins.next") loop.next = &s;
    }
    const auto known = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& other) {
      return other.next == loop.next && other.next != nullptr;
    });
    if (known != loops_.end()) {
      known->blocks.insert(loop.blocks.begin(), loop.blocks.end());
    } else {
      loops_.push_back(std::move(loop));
    }
  }
}

double KernelExtent::programs(const std::string& axis) {
  const std::size_t at = axis == "0" ? 0 : axis == "1" ? 1 : axis == "2" ? 2 : 3;
  return at < grid_.size() ? grid_[at] : 1;
}

std::optional<KernelExtent::Bounds> KernelExtent::bounds(Id id, int depth) {
  if (id == kNone || depth > kDeepest || ++steps_ > kMostSteps) return std::nullopt;
  const facts::Value& value = kernel_.model.value(id);
  if (value.constant) {
    if (!value.constant->is_number()) return std::nullopt;
    const double number = value.constant->get<double>();
    return Bounds{number, number};
  }
  if (const auto known = built_in(value.symbol)) return known;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return std::nullopt;
  if (s->kind == StatementKind::kLoad) {
    if (kernel_.flow.deref(*s)) return std::nullopt;
    if (const auto member = of_member(*s)) return member;
    if (s->location.storage == kNone)
      return s->location.base != kNone ? bounds(s->location.base, depth + 1) : std::nullopt;
    const auto& stores = kernel_.flow.stores_to(s->location.storage);
    if (stores.empty()) {
      const auto known = numbers_.find(s->location.storage);
      return known == numbers_.end() ? std::nullopt : std::optional(Bounds{known->second, known->second});
    }
    if (stores.size() == 1 && !stores[0]->augmented && !stores[0]->location.element)
      return bounds(stores[0]->value, depth + 1);
    if (!counting_.insert(s->location.storage).second) return std::nullopt;
    const Id held = held_by_numbers(*s);
    std::optional<Bounds> counted = held == kNone ? std::nullopt : bounds(held, depth + 1);
    for (const Loop& loop : loops_) {
      const auto of = counter(loop, s->location.storage);
      if (of) counted = Bounds{of->start.low, std::max(of->start.high, of->limit.high - 1 + of->step)};
    }
    counting_.erase(s->location.storage);
    return counted;
  }
  if (s->kind == StatementKind::kPhi && s->callee.empty()) return bounds_of_choice(*s, depth);
  return s->kind == StatementKind::kCall ? bounds_of_call(*s, depth) : std::nullopt;
}

// a < b ? a : b, by the numbers of the launch where they decide.
std::optional<KernelExtent::Bounds> KernelExtent::bounds_of_choice(const Statement& phi, int depth) {
  if (phi.args.size() != 2) return std::nullopt;
  const auto first = bounds(phi.args[0], depth + 1), second = bounds(phi.args[1], depth + 1);
  if (!first || !second) return std::nullopt;
  const std::vector<Id> conditions = kernel_.choosing(phi);
  const Statement* test = conditions.empty() ? nullptr : kernel_.flow.made(conditions.front());
  const bool one = std::all_of(conditions.begin(), conditions.end(), [&](Id each) { return each == conditions[0]; });
  const bool equality = test != nullptr && one && one_of(test->callee, {"operator.eq", "operator.ne"});
  if (const auto truth = equality ? at(test->result, 0, {"?"}) : std::nullopt) return *truth != 0 ? first : second;
  if (const auto ordered = test == nullptr || !one ? std::nullopt : order(*test, true)) {
    const auto index = bounds(ordered->index, depth + 1), limit = bounds(ordered->limit, depth + 1);
    if (index && limit) {
      const double most = ordered->strict ? limit->low - 1 : limit->low;
      if (index->high <= most) return first;
      if (index->low > (ordered->strict ? limit->high - 1 : limit->high)) return second;
    }
  }
  return Bounds{std::min(first->low, second->low), std::max(first->high, second->high)};
}

std::optional<KernelExtent::Bounds> KernelExtent::built_in(const std::string& symbol) const {
  constexpr double kWarp = 32;
  if (symbol == "warpSize") return Bounds{kWarp, kWarp};
  const std::size_t dot = symbol.rfind('.');
  if (dot == std::string::npos || dot + 2 != symbol.size()) return std::nullopt;
  const std::string_view prefix = "numba.cuda.";
  const std::size_t from = symbol.starts_with(prefix) ? prefix.size() : 0;
  const std::string name = symbol.substr(from, dot - from);
  const bool thread = name == "threadIdx", block = name == "blockIdx";
  if (!thread && !block && name != "blockDim" && name != "gridDim") return std::nullopt;
  const std::vector<double>& sizes = thread || name == "blockDim" ? threads_ : grid_;
  const auto axis = static_cast<std::size_t>(symbol.back() - 'x');
  const double size = axis < sizes.size() ? sizes[axis] : 1;
  return thread || block ? Bounds{0, size - 1} : Bounds{size, size};
}

// All threads of a launch along the first axis, as Numba counts them.
double KernelExtent::all_threads() const {
  return (grid_.empty() ? 1 : grid_[0]) * (threads_.empty() ? 1 : threads_[0]);
}

// d.depth of a structure that the kernel is handed.
std::optional<KernelExtent::Bounds> KernelExtent::of_member(const Statement& load) const {
  const Statement* object = load.location.base == kNone ? nullptr : kernel_.flow.made(load.location.base);
  if (fields_.empty() || load.location.storage == kNone || object == nullptr || object->kind != StatementKind::kLoad)
    return std::nullopt;
  const std::string& name = kernel_.model.facts().storages[static_cast<std::size_t>(load.location.storage)].name;
  const auto known = fields_.find({object->location.storage, name});
  return known == fields_.end() ? std::nullopt : std::optional(Bounds{known->second, known->second});
}

// `for (i = start; i < limit; i += step)`.
std::optional<KernelExtent::Counter> KernelExtent::counter(const Loop& loop, Id variable) {
  const Id condition = kernel_.function.blocks[static_cast<std::size_t>(loop.header)].condition;
  const Statement* test = condition == kNone ? nullptr : kernel_.flow.made(condition);
  if (test == nullptr || test->args.size() != 2) return std::nullopt;
  const bool strict = test->callee == "operator.lt", equal = test->callee == "operator.le";
  if (!strict && !equal) return std::nullopt;
  const auto [left, ahead] = tested(*test);
  if (left == nullptr || left->location.storage != variable) return std::nullopt;
  const auto& stores = kernel_.flow.stores_to(variable);
  if (stores.size() != 2) return std::nullopt;
  const Statement* moved = stores[0]->augmented ? stores[0] : stores[1];
  const Statement* first = stores[0]->augmented ? stores[1] : stores[0];
  const auto block = block_of_.find(moved);
  const Statement* sum = kernel_.flow.made(moved->value);
  if (!moved->augmented || first->augmented || block == block_of_.end() || !loop.blocks.contains(block->second) ||
      sum == nullptr || sum->callee != "operator.iadd" || sum->args.size() != 2)
    return std::nullopt;
  const auto start = bounds(first->value), limit = bounds(test->args[1]), step = bounds(sum->args[1]);
  if (!start || !limit || !step || step->low <= 0) return std::nullopt;
  return Counter{*start, {limit->low - ahead, limit->high - ahead + (equal ? 1 : 0)}, step->low};
}

// The variable that a loop's condition compares, and how far ahead of it: `c + BLOCK <= columns`.
std::pair<const Statement*, double> KernelExtent::tested(const Statement& test) {
  double ahead = 0;
  const Statement* left = test.args.empty() ? nullptr : kernel_.flow.made(test.args[0]);
  for (int hops = 0; hops < 4 && left != nullptr && left->kind == StatementKind::kCall; ++hops) {
    if (left->callee == "operator.cast" && left->args.size() == 1) {
      left = kernel_.flow.made(left->args[0]);
      continue;
    }
    const auto more = left->callee == "operator.add" && left->args.size() == 2 ? bounds(left->args[1]) : std::nullopt;
    if (!more || more->low != more->high) return {nullptr, 0};
    ahead += more->low;
    left = kernel_.flow.made(left->args[0]);
  }
  return {left != nullptr && left->kind == StatementKind::kLoad ? left : nullptr, ahead};
}

std::optional<double> KernelExtent::turns(const Loop& loop) {
  if (loop.next != nullptr) return trips(*loop.next);
  const Id condition = kernel_.function.blocks[static_cast<std::size_t>(loop.header)].condition;
  const Statement* test = condition == kNone ? nullptr : kernel_.flow.made(condition);
  const Statement* left = test == nullptr ? nullptr : tested(*test).first;
  if (left == nullptr) return std::nullopt;
  const auto of = counter(loop, left->location.storage);
  if (!of) return std::nullopt;
  return std::max(0.0, std::ceil((of->limit.high - of->start.low) / of->step));
}

// cuda.grid(1), cuda.gridsize(1)
bool KernelExtent::one_line(const Statement& s) const {
  const Json* axes = s.args.size() == 1 ? constant_of(kernel_.model, s.args[0]) : nullptr;
  return one_of(s.callee, {"numba.cuda.grid", "numba.cuda.gridsize"}) && axes != nullptr && *axes == Json(1);
}

std::optional<KernelExtent::Bounds> KernelExtent::bounds_of_call(const Statement& s, int depth) {
  const std::string last = last_part(s.callee);
  if (s.callee == "triton.language.program_id") return Bounds{0, programs(axis_of(kernel_.model, s)) - 1};
  if (s.callee == "triton.language.num_programs") {
    const double count = programs(axis_of(kernel_.model, s));
    return Bounds{count, count};
  }
  if (s.callee == "builtins.next") return of_loop(s, depth + 1);
  if (one_line(s))
    return s.callee == "numba.cuda.grid" ? Bounds{0, all_threads() - 1} : Bounds{all_threads(), all_threads()};
  if (last == "to" && s.receiver != kNone) return bounds(s.receiver, depth + 1);
  std::vector<Bounds> args;
  for (const Id arg : s.args) {
    const auto one = bounds(arg, depth + 1);
    // The smaller of two is not above the one that is known, and not below zero where both are sizes.
    if (!one) return std::nullopt;
    args.push_back(*one);
  }
  if (s.target != kNone) return returned_by(s, args);
  if (last == "arange" && args.size() == 2) return Bounds{args[0].low, args[1].high - 1};
  if (one_of(last, {"cast", "max_contiguous", "multiple_of"}) && !args.empty()) return args[0];
  if (last == "neg" && args.size() == 1) return Bounds{-args[0].high, -args[0].low};
  if (args.size() != 2) return std::nullopt;
  const auto [a, b] = std::pair(args[0], args[1]);
  if (last == "add") return Bounds{a.low + b.low, a.high + b.high};
  if (last == "sub") return Bounds{a.low - b.high, a.high - b.low};
  if (last == "mul") {
    const std::array<double, 4> corners{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
    return Bounds{*low, *high};
  }
  if (one_of(last, {"min", "minimum"})) return Bounds{std::min(a.low, b.low), std::min(a.high, b.high)};
  if (one_of(last, {"max", "maximum"})) return Bounds{std::max(a.low, b.low), std::max(a.high, b.high)};
  if (b.low != b.high || b.low <= 0) return std::nullopt;
  if (last == "floordiv") return Bounds{std::floor(a.low / b.low), std::floor(a.high / b.low)};
  if (last == "cdiv") return Bounds{std::ceil(a.low / b.low), std::ceil(a.high / b.low)};
  if (last == "mod" && a.low >= 0) return Bounds{0, std::min(a.high, b.low - 1)};
  return std::nullopt;
}

// Of a function that does nothing but to return a number that it computes.
std::optional<KernelExtent::Bounds> KernelExtent::returned_by(const Statement& call, const std::vector<Bounds>& args) {
  const facts::Function& function = kernel_.model.function(call.target);
  if (function.blocks.size() != 1 || function.blocks[0].statements.empty() || call.receiver != kNone ||
      args.size() > function.parameters.size() || calls_ >= 4)
    return std::nullopt;
  const Statement& last = function.blocks[0].statements.back();
  std::map<Id, double> numbers;
  for (std::size_t p = 0; p < args.size(); ++p) {
    if (args[p].low != args[p].high) return std::nullopt;
    numbers[function.parameters[p].storage] = args[p].low;
  }
  if (last.kind != StatementKind::kReturn) return std::nullopt;
  const KernelView& called = view_of(kernel_.model, call.target);
  KernelExtent inside(called, grid_, threads_, std::move(numbers));
  inside.calls_ = calls_ + 1;
  return inside.bounds(last.value);
}

std::optional<KernelExtent::Span> KernelExtent::span_of_range(const Statement& next, int depth) {
  const Statement* iter = next.args.empty() ? nullptr : kernel_.flow.made(next.args[0]);
  const Statement* range = iter == nullptr || iter->args.empty() ? nullptr : kernel_.flow.made(iter->args[0]);
  if (range == nullptr || !one_of(last_part(range->callee), {"range", "static_range"}) || range->args.empty())
    return std::nullopt;
  const auto end = bounds(range->args[range->args.size() > 1 ? 1 : 0], depth + 1);
  const auto start = range->args.size() > 1 ? bounds(range->args[0], depth + 1) : std::optional(Bounds{0, 0});
  if (!start || !end) return std::nullopt;
  return Span{*start, *end, range->args.size() > 2 ? range->args[2] : kNone};
}

// The counter of a loop over range(…).
std::optional<KernelExtent::Bounds> KernelExtent::of_loop(const Statement& next, int depth) {
  const auto span = span_of_range(next, depth);
  if (!span) return std::nullopt;
  return Bounds{span->start.low, std::max(span->start.low, span->end.high - 1)};
}

std::optional<double> KernelExtent::trips(const Statement& next, int depth) {
  const auto span = span_of_range(next, depth);
  if (!span) return std::nullopt;
  const auto step = span->step == kNone ? std::optional(Bounds{1, 1}) : bounds(span->step, depth + 1);
  if (!step || step->low != step->high || step->low <= 0) return std::nullopt;
  return std::max(0.0, std::ceil((span->end.high - span->start.low) / step->low));
}

bool KernelExtent::loops_around(const Statement& store, Atoms& atoms) {
  const auto block = block_of_.find(&store);
  if (block == block_of_.end()) return false;
  for (const Loop& loop : loops_) {
    if (!loop.blocks.contains(block->second)) continue;
    const auto count = turns(loop);
    if (!count) return false;
    // What is moved on has one value more than the loop has turns, which the last access does not use.
    atoms["loop " + std::to_string(loop.next != nullptr ? loop.next->result : -loop.header - 1)] = *count;
  }
  return true;
}

// Elements of a block by its shape.
std::optional<double> KernelExtent::block_size(Id shape) {
  const auto& folded = kernel_.model.value(shape).constant;
  double size = 1;
  if (folded && folded->is_array()) {
    for (const Json& axis : *folded) size *= axis.is_number() ? axis.get<double>() : 0;
    return size >= 1 ? std::optional(size) : std::nullopt;
  }
  const Statement* axes = kernel_.flow.made(shape);
  if (axes == nullptr || axes->callee != "builtins.tuple") return std::nullopt;
  for (const Id axis : axes->args) {
    const auto known = bounds(axis);
    if (!known) return std::nullopt;
    size *= known->high;
  }
  return size;
}

bool KernelExtent::collect(Id id, Atoms& atoms, const std::vector<Cap>& caps, std::set<Id>& variables, int depth) {
  if (id == kNone) return true;
  if (depth > kDeepest || ++steps_ > kMostSteps) return false;
  const facts::Value& value = kernel_.model.value(id);
  if (value.constant) return true;
  if (const auto most = most_of(id, caps)) {
    Atoms inside;
    std::set<Id> seen;
    if (!collect(id, inside, most->second, seen, depth + 1)) return false;
    atoms["index " + std::to_string(named(id))] = std::min(product(inside), most->first);
    return true;
  }
  if (const auto known = built_in(value.symbol)) {
    if (known->low != known->high) atoms[value.symbol] = known->high + 1;
    return true;
  }
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return true;  // a parameter
  if (s->kind == StatementKind::kLoad) {
    if (kernel_.flow.deref(*s)) return false;  // where it is depends on what memory holds
    if (s->location.base != kNone && !collect(s->location.base, atoms, caps, variables, depth + 1)) return false;
    const Id storage = s->location.storage;
    if (storage == kNone || s->location.base != kNone || !variables.insert(storage).second) return true;
    const auto& stores = kernel_.flow.stores_to(storage);
    std::size_t starts = 0;
    for (const Statement* store : stores) {
      if (!collect(store->value, atoms, caps, variables, depth + 1)) return false;
      const bool moves = store->augmented || kernel_.flow.behind(store->value).variables.contains(storage);
      if (!moves) ++starts;
      if (moves && !loops_around(*store, atoms)) return false;
    }
    if (starts > 1) atoms["ways " + std::to_string(storage)] = static_cast<double>(starts);
    return true;
  }
  if (s->kind != StatementKind::kCall) return false;
  const std::string last = last_part(s->callee);
  const std::string key = std::to_string(s->result);
  if (s->callee == "triton.language.program_id") {
    const std::string axis = axis_of(kernel_.model, *s);
    const auto part = taking_part_.find(axis);
    atoms["program " + axis] = part == taking_part_.end() ? programs(axis) : part->second;
    return axis != "?";
  }
  if (s->callee == "triton.language.num_programs" || s->callee == "numba.cuda.gridsize") return true;
  if (one_line(*s)) {
    atoms["line"] = all_threads();
    return true;
  }
  if (last == "arange") {
    const auto range = bounds_of_call(*s, 0);
    if (range) atoms["range " + key] = range->high - range->low + 1;
    return range.has_value();
  }
  if (s->callee == "builtins.next") {
    const auto turns = trips(*s);
    if (!turns) return false;
    atoms["loop " + key] = *turns;
    // It may start at the program's own number, and go on by another.
    const Statement* iter = kernel_.flow.made(s->args[0]);
    const Statement* range = iter == nullptr ? nullptr : kernel_.flow.made(iter->args[0]);
    for (std::size_t i = 0; i < range->args.size(); ++i) {
      const bool end = range->args.size() == 1 || i == 1;
      if (!end && !collect(range->args[i], atoms, caps, variables, depth + 1)) return false;
    }
    return true;
  }
  if (s->callee == "triton.language.make_block_ptr" && s->args.size() >= 5) {
    const auto size = block_size(s->args[4]);
    if (!size) return false;
    atoms["block " + key] = *size;
    return collect(s->args[0], atoms, caps, variables, depth + 1) &&
           collect(s->args[3], atoms, caps, variables, depth + 1);
  }
  if (s->callee == "triton.language.advance" && !s->args.empty())
    return collect(s->args[0], atoms, caps, variables, depth + 1);
  const bool arithmetic =
      s->callee.starts_with("operator.") || s->callee == "builtins.tuple" ||
      one_of(last, {"to", "cast", "min", "max", "minimum", "maximum", "cdiv", "multiple_of", "max_contiguous",
                    "expand_dims", "__mul24", "umin", "umax", "broadcast_to", "int64", "int32", "where"});
  if (!arithmetic || s->target != kNone) return false;
  if (one_of(last, {"and_", "floordiv", "mod", "rshift"})) {
    if (add_distinct(id, caps, atoms)) return true;
  }
  if (s->receiver != kNone && !collect(s->receiver, atoms, caps, variables, depth + 1)) return false;
  return std::all_of(s->args.begin(), s->args.end(),
                     [&](Id arg) { return collect(arg, atoms, caps, variables, depth + 1); });
}

std::optional<double> KernelExtent::count(Id value, const std::vector<Cap>& caps, const Tests& tests) {
  Atoms atoms;
  std::set<Id> variables;
  if (!collect(value, atoms, caps, variables)) return std::nullopt;
  return product(atoms) * share_of_rests(tests, atoms);
}

std::optional<double> KernelExtent::reach_of_threads(const Statement& access) {
  const auto block = block_of_.find(&access);
  if (block == block_of_.end()) return std::nullopt;
  Tests tests;
  take_tests_of_deciders(block->second, tests);
  const auto counted = count_behind(access, tests);
  return counted ? counted : threads_at(access);  // wherever each of them goes
}

std::optional<double> KernelExtent::reach_of_address(const Statement& access) {
  taking_part_.clear();
  return count_behind(access, {});
}

std::optional<double> KernelExtent::count_behind(const Statement& access, const Tests& tests) {
  const std::vector<Cap> caps = caps_of(tests);
  const auto count_with = [&](const std::vector<Cap>& with) -> std::optional<double> {
    Atoms atoms;
    std::set<Id> variables;
    const bool call = access.kind == StatementKind::kCall;
    if (!collect(call ? access.args[0] : access.location.base, atoms, with, variables)) return std::nullopt;
    if (!call && access.location.key != kNone && !collect(access.location.key, atoms, with, variables))
      return std::nullopt;
    return product(atoms) * (with.empty() ? 1 : share_of_rests(tests, atoms));
  };
  const auto plain = count_with({});
  if (caps.empty() || !plain) return plain;
  const auto capped = count_with(caps);
  return capped ? std::min(*plain, *capped) : *plain;
}

std::optional<double> KernelExtent::reach(const Statement& access, const std::vector<Id>& selected) {
  if (access.args.empty()) return std::nullopt;
  constexpr double kMostPrograms = 65536;
  taking_part_.clear();
  const auto block = block_of_.find(&access);
  for (const Id decider : block == block_of_.end() ? std::vector<Id>{} : kernel_.graph.deciders(block->second)) {
    const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
    const auto side = kernel_.side(decider, block->second);
    for (std::size_t axis = 0; side && axis < grid_.size(); ++axis) {
      const std::string name = std::to_string(axis);
      double some = 0;
      bool known = grid_[axis] <= kMostPrograms;
      for (double program = 0; known && program < grid_[axis]; ++program) {
        const auto truth = at(condition, program, {name, kNone});
        known = truth.has_value();
        if (known && (*truth != 0) == *side) ++some;
      }
      if (!known) continue;
      const auto [before, fresh] = taking_part_.try_emplace(name, some);
      if (!fresh) before->second = std::min(before->second, some);
      break;
    }
  }
  Tests tests;
  take_tests(mask_of(access), tests);
  for (const Id condition : selected) take_tests(condition, tests);
  const std::vector<Cap> caps = caps_of(tests);
  const auto plain = count(access.args[0], {});
  if (block != block_of_.end()) take_tests_of_deciders(block->second, tests);
  if (tests.empty() || !plain) return plain;
  const auto capped = count(access.args[0], caps, tests);
  return capped ? std::min(*plain, *capped) : *plain;
}

}  // namespace kernel_audit::analysis::rules
