// Which branches host code takes with the numbers that HostNumbers knows.
#include <algorithm>
#include <cmath>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

std::optional<std::pair<double, double>> HostNumbers::range_of(const Statement& next, int frame) {
  if (nested_ > kMostNested) return std::nullopt;
  const Nested nested(nested_);
  const Made iter = origin(next.args.empty() ? kNone : next.args[0], frame);
  if (iter.statement == nullptr || iter.statement->callee != "builtins.iter" || iter.statement->args.empty())
    return std::nullopt;
  const Made range = origin(iter.statement->args[0], iter.frame);
  if (range.statement == nullptr || range.statement->star_args) return std::nullopt;
  if (range.statement->callee == "builtins.list") {
    const Value list = of(range.statement->result, range.frame);
    return list.list && list.items.empty() ? std::optional(std::pair{0.0, 0.0}) : std::nullopt;
  }
  if (range.statement->callee != "builtins.range") return std::nullopt;
  std::vector<double> bounds;
  for (const Id arg : range.statement->args) {
    const auto known = of(arg, range.frame).number;
    if (!known) return std::nullopt;
    bounds.push_back(*known);
  }
  if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
  return bounds.size() == 2 ? std::optional(std::pair{bounds[0], bounds[1]}) : std::nullopt;
}

bool HostNumbers::kept_from(Id block, int frame) {
  if (nested_ > kMostNested || frame < 0 || block == kNone) return false;
  const auto [question, fresh] = asked_.emplace(block, frame, entered_);
  if (!fresh) return false;
  const bool kept = kept_by_decider(block, frame);
  asked_.erase(question);
  return kept;
}

bool HostNumbers::kept_by_decider(Id block, int frame) {
  const Nested nested(nested_);
  const Id function = frames_[static_cast<std::size_t>(frame)].function;
  const facts::FlowGraph& flow = model_.run().flow(function);
  const auto& blocks = model_.function(function).blocks;
  for (const Id decider : flow.deciders(block)) {
    for (const facts::Edge& edge : blocks[static_cast<std::size_t>(decider)].successors) {
      const bool yes = edge.kind == facts::EdgeKind::kTrue, no = edge.kind == facts::EdgeKind::kFalse;
      if ((!yes && !no) || flow.predecessors(edge.to).size() != 1 || !flow.dominates(edge.to, block)) continue;
      const auto way = decides(function, decider, frame);
      if (way && *way == no) return true;
    }
  }
  return false;
}

bool HostNumbers::runs_in(Id function, int frame) const {
  return frame >= 0 && frames_[static_cast<std::size_t>(frame)].function == function;
}

// The operand of `a if test else b` that the numbers choose, kNone when they do not.
Id HostNumbers::chosen(const Statement& phi, const facts::StatementRef& where, int frame) {
  if (!phi.callee.empty() || phi.args.size() != 2 || !runs_in(where.function, frame)) return kNone;
  const facts::FlowGraph& flow = model_.run().flow(where.function);
  const auto& blocks = model_.function(where.function).blocks;
  for (const Id before : flow.predecessors(where.block)) {
    if (!kept_from(before, frame)) continue;
    for (const Id decider : flow.deciders(before)) {
      for (const facts::Edge& edge : blocks[static_cast<std::size_t>(decider)].successors) {
        if (!flow.dominates(edge.to, before) || flow.dominates(edge.to, where.block)) continue;
        if (edge.kind == facts::EdgeKind::kTrue) return phi.args[1];
        if (edge.kind == facts::EdgeKind::kFalse) return phi.args[0];
      }
    }
  }
  return kNone;
}

Id HostNumbers::returned(Id function, int frame) {
  std::vector<std::pair<Id, Id>> ways;  // block, value
  const auto& blocks = model_.function(function).blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Statement& s : blocks[b].statements) {
      if (s.kind == StatementKind::kReturn && s.value != kNone) ways.emplace_back(static_cast<Id>(b), s.value);
    }
  }
  if (ways.size() > 1) std::erase_if(ways, [&](const auto& way) { return kept_from(way.first, frame); });
  return ways.size() == 1 ? ways.front().second : kNone;
}

// The containers that a value may be, by way of variables, attributes, parameters and containers of containers. Each
// value goes with how many times an element is taken on the way from it to what has grown.
void HostNumbers::note_grown(Id value, const facts::StatementRef& where, std::set<Id>& seen) {
  constexpr int kDeepest = 3;
  std::vector<std::pair<Id, int>> todo;
  std::set<std::pair<Id, int>> met, variables;
  const auto add = [&](Id each, int depth) {
    if (each != kNone && met.emplace(each, depth).second) todo.emplace_back(each, depth);
  };
  const auto add_given = [&](const facts::Parameter& parameter, std::size_t p, const Statement& call, int depth) {
    for (const std::size_t at : {p, p - 1}) {  // a receiver goes before them
      if (at < call.args.size()) add(call.args[at], depth);
    }
    for (const auto& [name, given] : call.keywords) {
      if (name == parameter.name) add(given, depth);
    }
  };
  const auto add_held = [&](const Place& load, int depth) {
    const Id storage = load.statement->location.storage;
    if (!variables.emplace(storage, depth).second) return;
    if (const auto held = stores_.find(storage); held != stores_.end()) {
      for (const Place& store : held->second) add(store.statement->value, depth);
    }
    const auto& parameters = model_.function(load.where.function).parameters;
    const auto callers = callers_.find(load.where.function);
    for (std::size_t p = 0; callers != callers_.end() && p < parameters.size(); ++p) {
      if (parameters[p].storage != storage) continue;
      for (const Place& call : callers->second) add_given(parameters[p], p, *call.statement, depth);
    }
  };
  const auto add_made = [&](Id made, const Statement& call, int depth) {
    const bool holds = depth > 0 && model_.value(made).type.kind != facts::TypeKind::kTensor;
    for (const Id item : holds ? call.args : facts::Operands{}) add(item, depth - 1);
    if (call.target == kNone) return;
    for (const facts::Block& block : model_.function(call.target).blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kReturn) add(s.value, depth);
      }
    }
  };
  add(value, 0);
  while (!todo.empty()) {
    const auto [at, depth] = todo.back();
    todo.pop_back();
    if (seen.insert(at).second) grown_[at].push_back(where);
    const Place made = made_at(at);
    if (made.statement == nullptr) continue;
    if (made.statement->kind == StatementKind::kPhi) {
      for (const Id arg : made.statement->args) add(arg, depth);
    } else if (made.statement->kind == StatementKind::kCall) {
      add_made(at, *made.statement, depth);
    } else if (made.statement->kind == StatementKind::kLoad) {
      if (made.statement->location.element)  // one of those that it holds
        add(made.statement->location.base, std::min(depth + 1, kDeepest));
      else
        add_held(made, depth);
    }
  }
}

// What is appended to or put into containers, and what functions of packages are handed.
void HostNumbers::note_growth() {
  const auto note = [&](Id container, const facts::StatementRef& where) {
    std::set<Id> seen;
    note_grown(container, where, seen);
  };
  const auto& functions = model_.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (functions[f].is_kernel || functions[f].is_device || model_.native(static_cast<Id>(f))) continue;
    for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
      const auto& statements = functions[f].blocks[b].statements;
      for (std::size_t i = 0; i < statements.size(); ++i) {
        const Statement& s = statements[i];
        const facts::StatementRef where{static_cast<Id>(f), static_cast<Id>(b), static_cast<Id>(i)};
        if (s.kind == StatementKind::kStore && s.location.element) note(s.location.base, where);
        const auto grows_it = [](const std::string& name) {
          return one_of(name, {"append", "extend", "insert", "add", "update", "pop", "remove", "clear", "setdefault",
                               "__setitem__", "popitem", "__iadd__", "__imul__"});
        };
        const bool method = s.kind == StatementKind::kLoad && s.location.base != kNone && s.location.storage != kNone;
        if (method && grows_it(model_.facts().storages[static_cast<std::size_t>(s.location.storage)].name))
          note(s.location.base, where);  // called under another name
        if (s.kind != StatementKind::kCall) continue;
        const std::string last = last_part(s.callee);
        const bool grows = s.receiver != kNone && grows_it(last);
        const bool by_class = s.receiver == kNone && s.target == kNone && grows_it(last) &&
                              !s.callee.starts_with("operator.");  // list.append(a, b)
        if ((by_class || one_of(s.callee, {"operator.iadd", "operator.imul", "operator.ior"})) && !s.args.empty())
          note(s.args[0], where);
        const bool in_place = s.receiver != kNone && last.ends_with('_') && !last.ends_with("__");  // fill_, copy_
        if (grows || in_place) note(s.receiver, where);
        if (s.target != kNone || s.receiver != kNone ||
            starts_with_any(s.callee, {"builtins.", "operator.", "math.", "torch.", "triton.", "contextlib."}))
          continue;
        for (const Id arg : s.args) note(arg, where);  // heapq.heappush(list, …)
      }
    }
  }
}

bool HostNumbers::grown(const Statement& container) {
  const auto places = grown_.find(container.result);
  return places != grown_.end() && std::any_of(places->second.begin(), places->second.end(),
                                               [&](const auto& where) { return !never_reached(where); });
}

// By the only way of calls that leads there.
bool HostNumbers::never_reached(const facts::StatementRef& where) {
  Id function = where.function, block = where.block;
  for (int at = frame_by_caller(function), hops = 0; at >= 0 && hops < kMostNested; ++hops) {
    if (kept_from(block, at)) return true;
    const auto callers = callers_.find(function);
    if (callers == callers_.end() || callers->second.size() != 1) return false;
    function = callers->second.front().where.function;
    block = callers->second.front().where.block;
    at = frames_[static_cast<std::size_t>(at)].around;
  }
  return false;
}

}  // namespace kernel_audit::analysis::rules
