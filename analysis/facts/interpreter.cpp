// Function invocation and control flow of the interpreter.
#include "analysis/facts/interpreter.h"

#include <algorithm>
#include <utility>

#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/interpreter_rehearsal.h"
#include "analysis/facts/mro.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr std::int64_t kMaxSteps = 120'000;  // statements executed, over all phases
constexpr int kMaxVisits = 6;                // of one block in one invocation

// Attributes of related classes are one storage: the root of the class hierarchy names them.
std::vector<Id> canonical_storages(const Facts& facts) {
  const auto root = [&](Id klass) {
    for (int hops = 0;
         hops < 64 && klass != kNone && !facts.classes[static_cast<std::size_t>(klass)].base_classes.empty(); ++hops) {
      klass = facts.classes[static_cast<std::size_t>(klass)].base_classes.front();
    }
    return klass;
  };
  std::map<std::tuple<StorageKind, std::string, Id, Id>, Id> first;
  std::vector<Id> canonical;
  for (std::size_t i = 0; i < facts.storages.size(); ++i) {
    const Storage& storage = facts.storages[i];
    const bool by_name = storage.kind == StorageKind::kInstanceAttribute ||
                         storage.kind == StorageKind::kClassAttribute ||
                         storage.kind == StorageKind::kFunctionAttribute;
    const Id self = static_cast<Id>(i);
    canonical.push_back(
        by_name
            ? first.try_emplace({storage.kind, storage.name, root(storage.owner_class), storage.owner_function}, self)
                  .first->second
            : self);
  }
  return canonical;
}

}  // namespace

Interpreter::Interpreter(const Facts& facts, Provenance& graph, const std::optional<TaskCall>& rehearsed)
    : facts_(facts),
      graph_(graph),
      rehearsal_(rehearsed ? std::make_unique<Rehearsal>(*rehearsed) : nullptr),
      canonical_(canonical_storages(facts)) {
  for (const Binding& binding : facts.bindings) {
    if (binding.function != kNone) bindings_.try_emplace({binding.extension, binding.name}, binding.function);
    if (!binding.cpp_name.starts_with(kBoundClass)) continue;
    const std::string name = binding.cpp_name.substr(std::char_traits<char>::length(kBoundClass));
    for (std::size_t i = 0; i < facts.classes.size(); ++i) {
      const Class& bound = facts.classes[i];
      if (bound.qualified_name != name || bound.unit == kNone ||
          facts.units[static_cast<std::size_t>(bound.unit)].language == UnitLanguage::kPython)
        continue;
      bound_classes_[binding.extension + "." + binding.name] = static_cast<Id>(i);
      names_of_classes_[static_cast<Id>(i)] = binding.extension + "." + binding.name;
    }
  }
  for (std::size_t i = 0; i < facts.storages.size(); ++i) {
    if (facts.storages[i].kind == StorageKind::kInstanceAttribute)
      attributes_.emplace(facts.storages[i].name, static_cast<Id>(i));
    if (facts.storages[i].kind == StorageKind::kClassAttribute)
      class_attributes_.emplace(facts.storages[i].name, static_cast<Id>(i));
  }
  for (const Problem& problem : facts.problems) {
    if (problem.kind == "build-fault" && problem.unit != kNone)
      unbuilt_.insert(facts.units[static_cast<std::size_t>(problem.unit)].extension);
  }
  find_plain_numbers();
  caller_stream_ = special_stream("caller", true);
  state_.stream = {caller_stream_};
}

Interpreter::~Interpreter() = default;

const FlowGraph& Interpreter::flow(Id function) const {
  auto& flow = flows_[function];
  if (!flow) flow = std::make_unique<FlowGraph>(facts_.functions[static_cast<std::size_t>(function)]);
  return *flow;
}

bool Interpreter::out_of_budget(const StatementRef& where) {
  if (exhausted_) return true;
  if (++steps_ <= kMaxSteps) return false;
  exhausted_ = true;
  limits.emplace_back(where, "the candidate is larger than the analysis follows");
  return true;
}

std::vector<Id> Interpreter::class_order(Id class_id) const {
  return method_resolution_order(class_id, [this](Id id) -> const std::vector<Id>& {
    return facts_.classes[static_cast<std::size_t>(id)].base_classes;
  });
}

Id Interpreter::find_method(Id class_id, const std::string& name) const {
  for (const Id id : class_order(class_id)) {
    const Class& klass = facts_.classes[static_cast<std::size_t>(id)];
    for (auto it = klass.methods.rbegin(); it != klass.methods.rend(); ++it) {
      if (it->first == name) return it->second;
    }
  }
  return kNone;
}

bool Interpreter::derives_from(Id class_id, const std::string& base) const {
  const std::vector<Id> order = class_order(class_id);
  return std::any_of(order.begin(), order.end(), [&](Id id) {
    const auto& bases = facts_.classes[static_cast<std::size_t>(id)].bases;
    return std::find(bases.begin(), bases.end(), base) != bases.end();
  });
}

// What the variables hold that live as long as one call of a function.
std::vector<std::pair<Id, Abstract>> Interpreter::own_variables(Id function) const {
  std::vector<std::pair<Id, Abstract>> held;
  for (std::size_t i = 0; i < facts_.storages.size(); ++i) {
    const Storage& place = facts_.storages[i];
    if (place.owner_function != function || place.kind != StorageKind::kLocal || place.lifetime != Lifetime::kCall)
      continue;
    const Id variable = canonical_storage(static_cast<Id>(i));
    if (const Abstract* now = state_.storage.find(map_key(variable))) held.emplace_back(variable, *now);
  }
  return held;
}

// The object that a C++ lambda has captured with `this`: the one of the class in whose method it stands, if there is
// one.
static Abstract captured_this(const Facts& facts, const std::vector<Object>& objects, const Function& lambda) {
  Id around = lambda.enclosing_function;
  while (around != kNone && facts.functions[static_cast<std::size_t>(around)].class_id == kNone)
    around = facts.functions[static_cast<std::size_t>(around)].enclosing_function;
  Abstract self;
  if (around == kNone) return self;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].kind == ObjectKind::kInstance &&
        objects[i].class_id == facts.functions[static_cast<std::size_t>(around)].class_id)
      self.objects.push_back(static_cast<ObjectId>(i));
  }
  return self.objects.size() == 1 ? self : Abstract{};
}

// Whether a function that is called from within itself is handed nothing that would make it decide otherwise than it
// did before, and can end without the call.
bool Interpreter::repeats_itself(Id function_id, const std::vector<Abstract>& args, const CallSite& site) {
  if (!std::all_of(args.begin(), args.end(), [](const Abstract& arg) { return arg.constants.empty(); })) return false;
  if (site.where.function == function_id) return !flow(function_id).post_dominates(site.where.block, 0);
  std::size_t ways = 0;
  for (const Block& block : facts_.functions[static_cast<std::size_t>(function_id)].blocks) {
    ways +=
        static_cast<std::size_t>(std::count_if(block.statements.begin(), block.statements.end(),
                                               [](const Statement& s) { return s.kind == StatementKind::kReturn; }));
  }
  return function_id == facts_.entry_function && ways > 1;
}

Abstract Interpreter::invoke(Id function_id, std::vector<Abstract> args, const Keywords& keywords,
                             const CallSite& site) {
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  const auto inputs = [&] {
    NodeSet nodes;
    for (const Abstract& arg : args) merge_into(nodes, nodes_of(arg));
    return nodes;
  };
  if (function.blocks.empty()) {
    const Abstract result = unknown("the body of " + function.qualified_name + " was not found", site, inputs());
    hand_over(args, result);
    return result;
  }
  // Of a binding: it raises, or is another function than the one that was read.
  if (in_native(function_id) && !in_native(site.where.function) && args.size() > function.parameters.size() + 1) {
    const Abstract result = unknown(function.qualified_name + " is handed more than it takes", site, inputs());
    hand_over(args, result);
    return result;
  }
  const auto in_flight = std::count(call_stack_.begin(), call_stack_.end(), function_id);
  const bool counted =
      rehearsal_ && std::any_of(args.begin(), args.end(), [&](const Abstract& a) { return integer(a); });
  const std::ptrdiff_t deepest = counted ? 20 : 2;  // a number that is known says when it ends
  if (in_flight >= 2 && !exhausted_ && repeats_itself(function_id, args, site)) {
    call_raised_ = true;  // deeper down it does what it did before: this way gives nothing new
    return {};
  }
  if (call_stack_.size() >= kMaxDepth || in_flight >= deepest || exhausted_) {
    return unknown(exhausted_ ? "the candidate is larger than the analysis follows"
                              : "the recursion through " + function.qualified_name + " is not followed further",
                   site, inputs());
  }
  Frame frame;
  frame.function = &function;
  frame.id = function_id;
  frame.context = graph_.context(site.context, site.where);
  frame.around = around_;
  call_stack_.push_back(function_id);
  ++executed[{function_id, phase_}];
  frame.is_entry = function_id == entry_frame_function_ && call_stack_.size() == entry_frame_depth_;
  frame.self = std::exchange(this_object_, {});
  if (frame.self.nothing() && function.enclosing_function != kNone && in_native(function_id))
    frame.self = captured_this(facts_, objects_, function);
  // A call of itself has variables of its own.
  const auto kept = in_flight > 0 ? own_variables(function_id) : std::vector<std::pair<Id, Abstract>>{};
  bind_parameters(frame, args, keywords, site);
  if (!frame.is_entry && is_driven(function_id)) {
    call_stack_.pop_back();
    return make_generator(frame);
  }
  prepare(frame);
  frame.once = acyclic(function_id);
  const auto autocast = autocast_functions_.find(function_id);
  if (autocast != autocast_functions_.end()) enter_scope(autocast->second);
  frame.entry_states[0] = std::move(state_);
  frame.queue.insert(0);
  if (rehearsal_ && Rehearsal::follows(*this, frame)) {
    frame.once = false;
    rehearsal_->walk(*this, frame);
  } else {
    run_frame(frame);
  }
  call_stack_.pop_back();
  if (frame.exit) state_ = std::move(*frame.exit);
  for (const auto& [variable, before] : kept) state_.storage.set(map_key(variable), before);
  if (autocast != autocast_functions_.end()) exit_scope(autocast->second);
  if (exhausted_) return unknown("the candidate is larger than the analysis follows", site);
  if (!frame.exit && frame.broken) call_raised_ = true;
  settle(frame.returned_ways);
  return remembers(function) ? remembered(function_id, frame.returned) : frame.returned;
}

void Interpreter::prepare(Frame& frame) {
  const auto& order = flow(frame.id).order();
  const std::size_t blocks = frame.function->blocks.size();
  frame.entry_states.resize(blocks);
  frame.visits.assign(blocks, 0);
  frame.position.assign(blocks, 0);
  for (std::size_t i = 0; i < order.size(); ++i) frame.position[static_cast<std::size_t>(order[i])] = i;
  frame.loops = loop_exits(frame.id);
  frame.back_states.resize(blocks);
}

// Runs what is queued, and all that it leads to.
void Interpreter::run_frame(Frame& frame) {
  const auto& order = flow(frame.id).order();
  while (!exhausted_) {
    if (frame.queue.empty()) {
      if (frame.generator >= 0 && frame.exit) break;  // its body stands inside of the loop
      // A loop whose body never comes back: it is left as it was entered.
      Id left = kNone;
      for (auto& [header, exits] : frame.loops) {
        const auto index = static_cast<std::size_t>(header);
        if (left == kNone && frame.entry_states[index] && !frame.back_states[index] && !exits.empty()) left = header;
      }
      if (left == kNone) break;
      frame.back_states[static_cast<std::size_t>(left)] = frame.entry_states[static_cast<std::size_t>(left)];
      frame.visits[static_cast<std::size_t>(left)] = 0;
      frame.queue.insert(frame.position[static_cast<std::size_t>(left)]);
    }
    const std::size_t next = *frame.queue.begin();
    frame.queue.erase(frame.queue.begin());
    if (order[next] != frame.stop) run_block(frame, order[next]);
  }
}

void Interpreter::bind_parameters(Frame& frame, std::vector<Abstract>& args, const Keywords& keywords,
                                  const CallSite& site) {
  const auto& parameters = frame.function->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    Abstract bound;
    if (parameter.variadic) {
      const ObjectId rest =
          make_object(ObjectKind::kContainer, site.where, frame.context, 500 + static_cast<std::int64_t>(i));
      for (std::size_t j = i; j < args.size(); ++j) {
        write_field(rest, key_of("#" + std::to_string(j - i)), args[j], true);
      }
      for (const auto& [name, value] : keywords) write_field(rest, key_of(name), value, true);
      bound = of_object(rest);
      args.resize(std::min(args.size(), i));
    } else if (i < args.size() && !args[i].nothing()) {
      bound = args[i];
    } else {
      for (const auto& [name, value] : keywords) {
        if (name == parameter.name) bound = value;
      }
      if (bound.nothing() && parameter.storage != kNone &&
          facts_.storages[static_cast<std::size_t>(parameter.storage)].kind == StorageKind::kDefaultArgument) {
        if (const Abstract* kept = state_.storage.find(map_key(canonical_storage(parameter.storage)))) bound = *kept;
      }
      for (std::size_t s = 0; bound.nothing() && s < facts_.storages.size(); ++s) {
        const Storage& storage = facts_.storages[s];
        if (storage.kind == StorageKind::kDefaultArgument && storage.owner_function == frame.id &&
            storage.name == parameter.name) {
          if (const Abstract* kept = state_.storage.find(map_key(static_cast<Id>(s)))) bound = *kept;
        }
      }
      if (bound.nothing() && i >= args.size() && parameter.default_value != kNone)
        bound = value_from_facts(parameter.default_value, site);
      if (bound.nothing() && parameter.value != kNone) {
        const Value& value = facts_.values[static_cast<std::size_t>(parameter.value)];
        if (value.constant) bound = constant(*value.constant);
      }
      if (bound.nothing()) bound = open_value({});
    }
    if (parameter.storage != kNone) state_.storage.set(map_key(canonical_storage(parameter.storage)), bound);
    if (parameter.value != kNone) frame.values[parameter.value] = bound;
  }
}

bool Interpreter::acyclic(Id function_id) {
  const FlowGraph& control = flow(function_id);
  std::map<Id, std::size_t> position;
  for (std::size_t i = 0; i < control.order().size(); ++i) position[control.order()[i]] = i;
  for (const Id block : control.order()) {
    for (const Edge& edge :
         facts_.functions[static_cast<std::size_t>(function_id)].blocks[static_cast<std::size_t>(block)].successors) {
      if (position[edge.to] <= position[block]) return false;
    }
  }
  return true;
}

// Loop headers and which of their successors leave the loop. Only headers that decide count: their loops
// are taken to run at least once, so that what the body makes is what is there afterwards.
const std::map<Id, std::set<Id>>& Interpreter::loop_exits(Id function_id) {
  const auto known = loop_exits_.find(function_id);
  if (known != loop_exits_.end()) return known->second;
  auto& loops = loop_exits_[function_id];
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  const FlowGraph& control = flow(function_id);
  if (function.blocks.size() > FlowGraph::kMaxBlocks) return loops;
  for (const Id block : control.order()) {
    const Block& b = function.blocks[static_cast<std::size_t>(block)];
    if (b.condition == kNone) continue;
    const auto& before = control.predecessors(block);
    if (std::none_of(before.begin(), before.end(), [&](Id p) { return control.dominates(block, p); })) continue;
    std::set<Id> exits;
    for (const Edge& edge : b.successors) {
      if (edge.kind == EdgeKind::kException) continue;
      std::vector<Id> todo{edge.to};
      std::set<Id> seen;
      bool comes_back = false;
      while (!todo.empty() && !comes_back) {
        const Id at = todo.back();
        todo.pop_back();
        if (at == block) comes_back = true;
        // Within the loop only: what the header does not dominate lies outside.
        if (!seen.insert(at).second || !control.dominates(block, at)) continue;
        for (const Edge& next : function.blocks[static_cast<std::size_t>(at)].successors) todo.push_back(next.to);
      }
      if (!comes_back) exits.insert(edge.to);
    }
    if (!exits.empty() && exits.size() < b.successors.size()) loops[block] = std::move(exits);
  }
  return loops;
}

void Interpreter::run_block(Frame& frame, Id block_id) {
  const auto block_index = static_cast<std::size_t>(block_id);
  if (++frame.visits[block_index] > kMaxVisits) return;
  const auto loop = frame.loops.find(block_id);
  if (loop == frame.loops.end()) {
    // Without loops every predecessor has run by now: the state can be taken instead of copied.
    if (frame.once) {
      State taken = std::move(*frame.entry_states[block_index]);
      run_block_from(frame, block_id, std::move(taken), {}, false);
    } else {
      run_block_from(frame, block_id, *frame.entry_states[block_index], {}, false);
    }
    return;
  }
  run_block_from(frame, block_id, *frame.entry_states[block_index], loop->second, false);
  if (frame.back_states[block_index]) {
    // The body takes what a step gives at the first turn and at later ones.
    const Statement* step = step_of(frame.function->blocks[block_index]);
    const Abstract first = step == nullptr ? Abstract{} : value(frame, step->result);
    const State back = *frame.back_states[block_index];
    run_block_from(frame, block_id, back, loop->second, true);
    if (step != nullptr && step->result != kNone) join(frame.values[step->result], first);
  }
}

// Whether a number is one of several, none among them, where some condition on the way here varies between calls:
// `0 if same else 1`.
bool Interpreter::may_be_none(const Abstract& number) const {
  const auto none = [&](int id) {
    const Json& json = constant_at(id);
    return (json.is_number() && json.get<double>() == 0) || (json.is_boolean() && !json.get<bool>());
  };
  if (number.constants.size() < 2 || std::none_of(number.constants.begin(), number.constants.end(), none)) return false;
  return std::any_of(call_stack_.begin(), call_stack_.end(), [&](Id function) {
    for (auto each = conditions.lower_bound({function, 0}); each != conditions.end() && each->first.first == function;
         ++each) {
      if (varies_between_calls(graph_, each->second)) return true;
    }
    return false;
  });
}

// Whether earlier calls, which object an argument is, or what is around the candidate may keep the loop that a block
// heads from turning at all; with what its number of turns is computed from.
std::optional<NodeSet> Interpreter::turns_by_earlier_calls(Frame& frame, const Block& block) {
  Abstract turns;
  bool none = false;
  for (const Statement& next : block.statements) {
    if (next.callee != "builtins.next" || next.args.size() != 1) continue;
    join(turns, value(frame, next.args[0]));
    for (const Block& before : frame.function->blocks) {
      for (const Statement& range : before.statements) {
        if (range.callee != "builtins.range" || range.args.empty()) continue;
        const bool iterated = std::any_of(before.statements.begin(), before.statements.end(), [&](const Statement& s) {
          return s.result == next.args[0] && s.callee == "builtins.iter" && s.args.size() == 1 &&
                 s.args[0] == range.result;
        });
        if (iterated) none = none || may_be_none(value(frame, range.args[range.args.size() > 1 ? 1 : 0]));
      }
    }
  }
  if (turns.nothing()) {
    turns = value(frame, block.condition);
    none = may_be_none(turns);
    for (const Statement& compared : block.statements) {  // a list or set that an earlier call has made
      if (compared.result != block.condition || !compared.callee.starts_with("operator.")) continue;
      for (const Id operand : compared.args) {
        const ObjectSet sets = objects_of_kind(value(frame, operand), ObjectKind::kContainer);
        none = none || std::any_of(sets.begin(), sets.end(), [&](ObjectId id) { return object(id).from_earlier_call; });
      }
    }
  }
  const bool used_up = std::any_of(turns.objects.begin(), turns.objects.end(), [&](ObjectId id) {
    return shrunk_.contains(id) && !grown_.contains(id) &&
           (object(id).phase != Phase::kForward || object(id).from_earlier_call);
  });
  const bool varies = none || used_up || varies_between_calls(graph_, turns.nodes);
  return varies ? std::optional(turns.nodes) : std::nullopt;
}

// Runs a block from a state, its statement `first` on, and hands the result on; for a loop header either into the loop
// or out of it.
void Interpreter::run_block_from(Frame& frame, Id block_id, State from, const std::set<Id>& exits, bool leaving,
                                 Id first, bool raises) {
  const auto block_index = static_cast<std::size_t>(block_id);
  const Block& block = frame.function->blocks[block_index];
  state_ = std::move(from);
  const NodeSet outside = std::exchange(around_, decided_around(frame, block_id));
  const State before = block.in_try != kNone ? state_ : State{};
  bool ended = raises, suspended = false;
  for (std::size_t i = static_cast<std::size_t>(first); i < block.statements.size() && !ended; ++i) {
    const StatementRef where{frame.id, block_id, static_cast<Id>(i)};
    if (out_of_budget(where)) return;
    const Statement& statement = block.statements[i];
    frame.raised = false;
    protected_ += block.in_try != kNone ? 1 : 0;
    run_statement(frame, statement, where);
    protected_ -= block.in_try != kNone ? 1 : 0;
    if (std::exchange(call_raised_, false)) frame.raised = frame.broken = true;
    if (frame.raised) {
      raises = ended = true;
      break;
    }
    if (statement.kind == StatementKind::kReturn || statement.kind == StatementKind::kRaise) {
      suspended = statement.yields && frame.generator >= 0;
      ended = statement.kind == StatementKind::kRaise || !statement.yields || suspended;
      if (!suspended) continue;
      const State inside = state_;
      suspend(frame, where);
      leave(frame);
      state_ = inside;
    }
  }
  const bool raised =
      raises || (ended && !block.statements.empty() && block.statements.back().kind == StatementKind::kRaise);
  std::optional<bool> decided;
  bool may_skip = false;  // a loop may not turn at all
  if (block.condition != kNone && !raises && !suspended) {
    const Abstract condition = value(frame, block.condition);
    merge_into(conditions[{frame.id, block_id}], nodes_of(condition));
    const auto earlier = exits.empty() || leaving ? std::nullopt : turns_by_earlier_calls(frame, block);
    may_skip = earlier.has_value();
    if (earlier) merge_into(conditions[{frame.id, block_id}], *earlier);
    note_sniff(frame, block_id, conditions[{frame.id, block_id}]);
    decided = truth(condition);
    if (!decided && never_turns(frame, block)) decided = false;
    if (phase_ == Phase::kForward)
      decisions_[{frame.id, block_id, frame.context}][call_] |= decided == true ? 1 : decided == false ? 2 : 3;
  }
  around_ = outside;
  if (leaving && decided != true) leave_loop(frame, block);
  bool flows_on = false;
  for (const Edge& edge : block.successors) {
    if ((raises || suspended) && edge.kind != EdgeKind::kException) continue;
    if (edge.kind == EdgeKind::kTrue && decided == false) continue;
    if (edge.kind == EdgeKind::kFalse && decided == true) continue;
    if (edge.kind != EdgeKind::kException) flows_on = true;
    const bool other_way = !exits.empty() && edge.kind != EdgeKind::kException && exits.contains(edge.to) != leaving;
    if (other_way && !decided && !may_skip) continue;
    if (frame.loops.contains(edge.to) && flow(frame.id).dominates(edge.to, block_id)) {
      auto& back = frame.back_states[static_cast<std::size_t>(edge.to)];
      bool more = true;
      if (back) {
        more = join_state(*back, state_);
      } else {
        back = state_;
      }
      if (more) frame.queue.insert(frame.position[static_cast<std::size_t>(edge.to)]);
    }
    note_ways(frame, block_id, edge.to);
    std::optional<State> whole;
    if (rehearsal_ && (edge.kind == EdgeKind::kTrue || edge.kind == EdgeKind::kFalse)) {
      whole = state_;
      narrow(frame, block.condition, edge.kind == EdgeKind::kTrue);
    }
    auto& entry = frame.entry_states[static_cast<std::size_t>(edge.to)];
    bool grew = false;
    if (!entry) {
      // The last way on takes the state along.
      if (frame.once && block.in_try == kNone && &edge == &block.successors.back()) {
        entry = std::move(state_);
        state_ = State{};
      } else {
        entry = state_;
      }
      grew = true;
    } else {
      grew = join_state(*entry, state_);
    }
    if (edge.kind == EdgeKind::kException && block.in_try != kNone) {
      grew = join_state(*entry, before) || grew;
      // Work of a way that an exception cut short is not what the caller is handed.
      entry->pending = before.pending;
    }
    if (grew) frame.queue.insert(frame.position[static_cast<std::size_t>(edge.to)]);
    if (whole) state_ = std::move(*whole);
  }
  if (!flows_on && !raised && !suspended) leave(frame);
}

// The function ends here.
void Interpreter::leave(Frame& frame) {
  if (frame.exit) {
    join_state(*frame.exit, state_);
  } else {
    frame.exit = std::move(state_);
  }
}

Abstract Interpreter::value(Frame& frame, Id id) {
  if (id == kNone) return {};
  if (const auto it = frame.values.find(id); it != frame.values.end()) return it->second;
  const Value& known = facts_.values[static_cast<std::size_t>(id)];
  if (known.origin == OriginKind::kArgument && known.class_id != kNone && !frame.self.nothing()) return frame.self;
  const Statement none;
  return value_from_facts(id, CallSite{&none, StatementRef{frame.id, kNone, id}, frame.context});
}

}  // namespace kernel_audit::analysis::facts
