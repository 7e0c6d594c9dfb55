// Follows a function block by block, as far as its conditions are known.
#include "analysis/facts/interpreter_rehearsal.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {
namespace {

constexpr std::size_t kMostTurns = 64;  // of one loop
constexpr std::size_t kMostWays = 16;   // in one invocation, where ways do not meet

}  // namespace

bool Interpreter::Rehearsal::follows(const Interpreter& run, const Frame& frame) {
  const auto& blocks = frame.function->blocks;
  return run.phase_ != Phase::kImport && frame.generator < 0 && !frame.function->is_generator && blocks.size() < 1000 &&
         std::none_of(
             blocks.begin(), blocks.end(),
             [](const Block& block) { return block.in_try != kNone || block.handler_of != kNone; });
}

void Interpreter::Rehearsal::walk(Interpreter& run, Frame& frame) {
  std::vector<Way> ways(1);
  ways.front().state = std::move(*frame.entry_states[0]);
  std::size_t begun = 1;
  frame.queue.clear();
  frame.in_order = true;
  while (!ways.empty() && !run.exhausted_) {
    Way way = std::move(ways.back());
    ways.pop_back();
    frame.forks = begun < kMostWays;
    std::vector<Way> next = go_on(run, frame, std::move(way));
    begun += next.empty() ? 0 : next.size() - 1;
    for (Way& each : next) ways.push_back(std::move(each));
  }
}

// Nothing is left of what other ways brought to any block.
void Interpreter::Rehearsal::clear_ways(Frame& frame) {
  for (auto& entry : frame.entry_states) entry.reset();
  for (auto& back : frame.back_states) back.reset();
  std::fill(frame.visits.begin(), frame.visits.end(), 0);
  frame.phi_ways.clear();
  frame.phi_taken.clear();
  frame.queue.clear();
}

// Runs the block that a way stands at; gives where it goes on.
std::vector<Interpreter::Rehearsal::Way> Interpreter::Rehearsal::go_on(Interpreter& run, Frame& frame, Way way) {
  const FlowGraph& flow = run.flow(frame.id);
  const bool again = way.from != kNone && flow.dominates(way.at, way.from);
  std::size_t& turn = way.turns[way.at];
  turn = again ? turn + 1 : 0;
  if (turn > kMostTurns) return follow_all(run, frame, std::move(way), {});
  begin_turn(run, frame, way);
  // What came to this block by its Phis stays; what it hands on is its own.
  const auto of_other = [&](const auto& noted) { return noted.first.first != way.at; };
  std::erase_if(frame.phi_ways, of_other);
  std::erase_if(frame.phi_taken, of_other);
  for (auto& entry : frame.entry_states) entry.reset();
  for (auto& back : frame.back_states) back.reset();
  const State before = way.state;
  run.run_block_from(frame, way.at, std::move(way.state), {}, false);
  frame.queue.clear();
  std::vector<Id> next;
  for (const Edge& edge : frame.function->blocks[static_cast<std::size_t>(way.at)].successors) {
    const bool reached = frame.entry_states[static_cast<std::size_t>(edge.to)].has_value();
    if (reached && !raising(run, frame.id).contains(edge.to) &&
        std::find(next.begin(), next.end(), edge.to) == next.end())
      next.push_back(edge.to);
  }
  if (next.empty()) return {};
  if (next.size() > 1) {
    way.state = before;
    return follow_all(run, frame, std::move(way), next);
  }
  way.from = way.at;
  way.at = next.front();
  way.state = std::move(*frame.entry_states[static_cast<std::size_t>(way.at)]);
  std::vector<Way> only;
  only.push_back(std::move(way));
  return only;
}

// A block that goes several ways, or a loop of which nobody knows how often it turns: all ways are followed to where
// they meet. Those that do not meet are followed one by one.
std::vector<Interpreter::Rehearsal::Way> Interpreter::Rehearsal::follow_all(Interpreter& run, Frame& frame, Way way,
                                                                            const std::vector<Id>& next) {
  const Id stop = meeting(run, frame.id, way.at);
  const bool loop = next.empty() || frame.loops.contains(way.at);
  std::vector<Way> ways;
  if (!loop && stop == kNone && frame.forks) {
    for (const Id to : next) {
      Way each{to, way.at, std::move(*frame.entry_states[static_cast<std::size_t>(to)]), way.turns};
      ways.push_back(std::move(each));
    }
    return ways;
  }
  std::vector<std::optional<State>> entries(frame.entry_states.size());
  if (loop) {
    entries[static_cast<std::size_t>(way.at)] = std::move(way.state);
  } else {
    for (const Id to : next) {
      auto& entry = frame.entry_states[static_cast<std::size_t>(to)];
      entries[static_cast<std::size_t>(to)] = std::move(entry);
    }
  }
  auto noted = frame.phi_ways;
  auto taken = frame.phi_taken;
  clear_ways(frame);
  if (!loop) {
    frame.phi_ways = std::move(noted);
    frame.phi_taken = std::move(taken);
  }
  bool turns = loop;
  std::set<Id> seen{stop};
  std::vector<Id> todo;
  for (std::size_t b = 0; b < entries.size(); ++b) {
    if (!entries[b]) continue;
    frame.entry_states[b] = std::move(entries[b]);
    todo.push_back(static_cast<Id>(b));
    if (static_cast<Id>(b) != stop) frame.queue.insert(frame.position[b]);
  }
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (!seen.insert(at).second) continue;
    const Block& block = frame.function->blocks[static_cast<std::size_t>(at)];
    if (step_of(block) != nullptr) frame.values.erase(block.condition);
    for (const Edge& edge : block.successors) {
      turns = turns || (edge.to != stop && frame.position[static_cast<std::size_t>(edge.to)] <=
                                               frame.position[static_cast<std::size_t>(at)]);
      todo.push_back(edge.to);
    }
  }
  frame.step = nullptr;
  frame.stop = stop;
  frame.in_order = !turns;
  run.run_frame(frame);
  frame.in_order = true;
  frame.stop = kNone;
  if (stop == kNone || !frame.entry_states[static_cast<std::size_t>(stop)]) return ways;
  way.from = way.at;
  way.at = stop;
  way.state = std::move(*frame.entry_states[static_cast<std::size_t>(stop)]);
  ways.push_back(std::move(way));
  return ways;
}

// What a `for` gives at this turn, and whether there is one.
void Interpreter::Rehearsal::begin_turn(Interpreter& run, Frame& frame, Way& way) {
  const Block& block = frame.function->blocks[static_cast<std::size_t>(way.at)];
  const Statement* step = run.in_native(frame.id) ? nullptr : step_of(block);
  frame.step = nullptr;
  if (step == nullptr || block.condition == kNone) return;
  const std::size_t turn = way.turns[way.at];
  run.state_ = way.state;
  const Id index = static_cast<Id>(step - block.statements.data());
  // A turn before may have changed what the loop goes over.
  const auto items = sequence(run, frame, step->args[0], {step, {frame.id, way.at, index}, frame.context});
  way.state = run.state_;
  if (!items || items->size() > kMostTurns) {
    frame.values.erase(block.condition);
    return;
  }
  frame.step = step;
  frame.item = turn < items->size() ? (*items)[turn] : run.open_value({});
  frame.values[block.condition] = run.constant(Json(turn < items->size()));
}

// What iterating over a value gives, one after the other.
std::optional<std::vector<Abstract>> Interpreter::Rehearsal::sequence(Interpreter& run, Frame& frame, Id id,
                                                                      const CallSite& site, int depth) {
  if (id == kNone || depth > 6) return std::nullopt;
  const Statement* s = run.maker_of(id);
  const auto inner = [&](std::size_t i) { return sequence(run, frame, s->args[i], site, depth + 1); };
  const auto in_pairs = [&](std::vector<Abstract> items) {
    return run.packed(items, site, 9'000'000 + 100 * depth + static_cast<std::int64_t>(frame.packed++ % 100));
  };
  std::vector<Abstract> items;
  if (s != nullptr && s->kind == StatementKind::kCall && !s->star_args && !s->args.empty()) {
    if ((s->callee == "builtins.iter" && s->args.size() == 1) ||
        (s->callee_value != kNone && (s->callee == "builtins.list" || s->callee == "builtins.tuple")))
      return inner(0);
    if (s->callee == "builtins.range") {
      std::int64_t bounds[3] = {0, 0, 1};
      for (std::size_t i = 0; i < std::min<std::size_t>(3, s->args.size()); ++i) {
        const auto number = run.integer(run.value(frame, s->args[i]));
        if (!number) return std::nullopt;
        bounds[s->args.size() == 1 ? 1 : i] = *number;
      }
      if (bounds[2] == 0) return std::nullopt;
      for (std::int64_t at = bounds[0]; bounds[2] > 0 ? at < bounds[1] : at > bounds[1]; at += bounds[2]) {
        items.push_back(run.constant(Json(at)));
        if (items.size() > kMostTurns) return std::nullopt;
      }
      return items;
    }
    if (s->callee == "builtins.reversed") {
      auto turned = inner(0);
      if (turned) std::reverse(turned->begin(), turned->end());
      return turned;
    }
    if (s->callee == "builtins.enumerate" || s->callee == "builtins.zip") {
      const bool counts = s->callee == "builtins.enumerate";
      std::vector<std::vector<Abstract>> each;
      for (std::size_t i = 0; i < (counts ? 1 : s->args.size()); ++i) {
        auto one = inner(i);
        if (!one) return std::nullopt;
        each.push_back(std::move(*one));
      }
      if (counts && s->args.size() > 1) return std::nullopt;
      std::size_t least = each.front().size();
      for (const auto& one : each) least = std::min(least, one.size());
      for (std::size_t i = 0; i < least; ++i) {
        std::vector<Abstract> pair;
        if (counts) pair.push_back(run.constant(Json(i)));
        for (const auto& one : each) pair.push_back(one[i]);
        items.push_back(in_pairs(std::move(pair)));
      }
      return items;
    }
  }
  const Abstract held = run.value(frame, id);
  if (items = layers(run, held); !items.empty()) return items;
  if (held.open || !held.constants.empty() || held.objects.size() != 1 || !run.has_kind(held, ObjectKind::kContainer))
    return std::nullopt;
  // A list or tuple that stands there, which nothing has changed since.
  const ObjectId container = held.objects.front();
  const Statement* display = run.made_by(container);
  const bool shown = display != nullptr && (display->callee == "builtins.list" || display->callee == "builtins.tuple");
  if ((!shown && !std::binary_search(sizes_.begin(), sizes_.end(), container)) || run.shrunk_.contains(container) ||
      run.grown_.contains(container) || run.exposed_.contains(container))
    return std::nullopt;
  items = run.items_in_order(held);
  std::size_t fields = 0;
  run.for_each_field(held.objects.front(), [&](KeyId, const Abstract&) { ++fields; });
  return fields == items.size() && !items.empty() ? std::optional(items) : std::nullopt;
}

// The children of a torch.nn.ModuleList. Where it is not known how many there are, what holds for some number of them
// holds for any.
std::vector<Abstract> Interpreter::Rehearsal::layers(Interpreter& run, const Abstract& list) const {
  constexpr std::size_t kSome = 3;
  std::vector<Abstract> children;
  const Statement* made = list.objects.size() == 1 && !list.open ? run.made_by(list.objects.front()) : nullptr;
  if (call.shapes.empty() || made == nullptr || made->callee != "torch.nn.ModuleList") return children;
  std::size_t fields = 0;
  run.for_each_field(list.objects.front(), [&](KeyId, const Abstract&) { ++fields; });
  children = run.items_in_order(list);
  if (fields != children.size()) children.assign(kSome, run.elements_of(list));
  return children;
}

// Blocks from which every way raises.
const std::set<Id>& Interpreter::Rehearsal::raising(Interpreter& run, Id function_id) {
  const auto [known, fresh] = raising_.try_emplace(function_id);
  if (!fresh) return known->second;
  const auto& blocks = run.facts_.functions[static_cast<std::size_t>(function_id)].blocks;
  std::vector<bool> returns(blocks.size(), false);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto& statements = blocks[b].statements;
      const bool raises = !statements.empty() && statements.back().kind == StatementKind::kRaise;
      const bool ends = blocks[b].successors.empty() && !raises;
      const bool leads = std::any_of(blocks[b].successors.begin(), blocks[b].successors.end(),
                                     [&](const Edge& edge) { return returns[static_cast<std::size_t>(edge.to)]; });
      if (returns[b] || (!ends && !leads)) continue;
      returns[b] = grew = true;
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!returns[b]) known->second.insert(static_cast<Id>(b));
  }
  return known->second;
}

// The first block that all ways from one come to which do not raise; kNone when there is none.
Id Interpreter::Rehearsal::meeting(Interpreter& run, Id function_id, Id block) {
  const auto [known, fresh] = meetings_.try_emplace({function_id, block}, kNone);
  if (!fresh) return known->second;
  const auto& blocks = run.facts_.functions[static_cast<std::size_t>(function_id)].blocks;
  const std::set<Id> dead = raising(run, function_id);
  // What can be come to without one block; whether the function can be left so.
  const auto without = [&](Id avoided, std::set<Id>& seen) {
    bool leaves = false;
    std::vector<Id> todo{block};
    while (!todo.empty()) {
      const Id at = todo.back();
      todo.pop_back();
      const auto& successors = blocks[static_cast<std::size_t>(at)].successors;
      leaves = leaves || successors.empty();
      for (const Edge& edge : successors) {
        if (edge.to != avoided && !dead.contains(edge.to) && seen.insert(edge.to).second) todo.push_back(edge.to);
      }
    }
    return leaves;
  };
  std::set<Id> after;
  without(kNone, after);
  std::vector<Id> on_all;
  for (const Id each : after) {
    std::set<Id> seen;
    if (each != block && !without(each, seen)) on_all.push_back(each);
  }
  for (const Id each : on_all) {
    std::set<Id> seen;
    without(each, seen);
    if (std::none_of(on_all.begin(), on_all.end(), [&](Id other) { return other != each && seen.contains(other); }))
      known->second = each;
  }
  return known->second;
}

}  // namespace kernel_audit::analysis::facts
