// Where ways meet: memories are joined, and what a value may be is kept together with what it then holds.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr std::size_t kMostChosen = 8;  // one of more tensors is known by each of them alone

}  // namespace

bool Interpreter::join_state(State& into, const State& from) {
  const auto united = [](NodeSet a, const NodeSet& b) {
    merge_into(a, b);
    return a;
  };
  // Contents known on one side only are what the other side's objects hold.
  struct Contents {
    const Interpreter& self;
    decltype(united)& unite;
    NodeSet both(std::uint64_t, const NodeSet& a, const NodeSet& b) const { return unite(a, b); }
    NodeSet left(std::uint64_t id, const NodeSet& a) const {
      return unite(a, self.object(static_cast<ObjectId>(id)).initial);
    }
    NodeSet right(std::uint64_t id, const NodeSet& b) const { return left(id, b); }
  };
  struct SetContents {
    const Interpreter& self;
    decltype(united)& unite;
    const State& into;
    const State& from;
    const ObjectSet& set(std::uint64_t id) const { return self.sets_[static_cast<std::size_t>(id)]; }
    NodeSet both(std::uint64_t, const NodeSet& a, const NodeSet& b) const { return unite(a, b); }
    NodeSet left(std::uint64_t id, const NodeSet& a) const { return unite(a, self.read_contents(from, set(id))); }
    NodeSet right(std::uint64_t id, const NodeSet& b) const { return unite(self.read_contents(into, set(id)), b); }
  };
  // Variables that hold one tensor on one side and another on the other.
  std::vector<std::pair<ObjectSet, ObjectSet>> chosen;
  struct Values {
    const Interpreter& self;
    std::vector<std::pair<ObjectSet, ObjectSet>>& chosen;
    bool variables;
    Abstract both(std::uint64_t key, Abstract a, const Abstract& b) const {
      if (a.objects != b.objects && (!variables || self.lives(static_cast<Id>(key)))) {
        ObjectSet left = self.objects_of_kind(a, ObjectKind::kTensor),
                  right = self.objects_of_kind(b, ObjectKind::kTensor);
        if (!left.empty() && !right.empty() && left != right) chosen.emplace_back(std::move(left), std::move(right));
      }
      facts::join(a, b);
      return a;
    }
  };
  bool grew = false;
  State before;  // the memory alone
  before.single = into.single;
  before.several = into.several;
  before.storage = into.storage;
  before.fields = into.fields;
  if (!into.single.same(from.single) || !into.several.same(from.several)) {
    // Sets first: what a side knows of them by their objects alone is read before those are joined.
    grew = into.several.merge(from.several, SetContents{*this, united, before, from});
    grew = into.single.merge(from.single, Contents{*this, united}) || grew;
  }
  grew = into.storage.merge(from.storage, Values{*this, chosen, true}) || grew;
  grew = into.fields.merge(from.fields, Values{*this, chosen, false}) || grew;
  grew = join_chosen(into, before, from, chosen) || grew;
  for (const auto& [stream, nodes] : from.pending) grew = merge_into(into.pending[stream], nodes) || grew;
  for (const auto& [event, covered] : from.recorded) {
    for (const auto& [stream, nodes] : covered) grew = merge_into(into.recorded[event][stream], nodes) || grew;
  }
  grew = merge_into(into.stream, from.stream) || grew;
  grew = merge_into(into.capturing, from.capturing) || grew;
  grew = merge_into(into.autocasts, from.autocasts) || grew;
  for (const auto& [scope, stream] : from.saved_stream) grew = merge_into(into.saved_stream[scope], stream) || grew;
  return grew;
}

// A buffer that is filled where it is chosen holds what it was filled with, whatever it holds on the side where
// something else is chosen: `ready` after `if (!x.is_contiguous()) { buffer.copy_(x); ready = buffer; }`.
bool Interpreter::join_chosen(State& into, const State& before, const State& from,
                              const std::vector<std::pair<ObjectSet, ObjectSet>>& chosen) {
  std::map<ObjectSet, NodeSet> held;
  for (const auto& [left, right] : chosen) {
    ObjectSet both = left;
    merge_into(both, right);
    if (both.size() > kMostChosen) continue;
    NodeSet& contents = held[both];
    merge_into(contents, read_contents(before, left));
    merge_into(contents, read_contents(from, right));
  }
  bool grew = false;
  for (auto& [both, contents] : held) {
    const std::uint64_t key = map_key(set_id(both));
    // Who holds the same choice on both sides has what was known of it there.
    const auto same_choice = [&, &both = both](const Abstract& value) {
      return value.objects.size() >= both.size() && objects_of_kind(value, ObjectKind::kTensor) == both;
    };
    const NodeSet* known = into.several.find(key);
    if (known != nullptr && held_on_both(before, from, same_choice)) merge_into(contents, *known);
    const NodeSet* older = before.several.find(key);
    grew = grew || older == nullptr || *older != contents;
    into.several.set(key, std::move(contents));
  }
  return grew;
}

// Whether a variable or field holds on both sides what is asked for.
bool Interpreter::held_on_both(const State& a, const State& b,
                               const std::function<bool(const Abstract&)>& wanted) const {
  bool found = false;
  const auto look = [&](const PersistentMap<Abstract>& one, const PersistentMap<Abstract>& other, bool variables) {
    other.for_each([&](std::uint64_t key, const Abstract& value) {
      if (found || !wanted(value) || (variables && !lives(static_cast<Id>(key)))) return;
      const Abstract* here = one.find(key);
      found = here != nullptr && wanted(*here);
    });
  };
  look(a.storage, b.storage, true);
  look(a.fields, b.fields, false);
  return found;
}

// Whether something may still read a variable: one of a function that runs, or one that outlives its function.
bool Interpreter::lives(Id variable) const {
  const Storage& place = facts_.storages[static_cast<std::size_t>(variable)];
  return place.lifetime != Lifetime::kCall || place.kind == StorageKind::kClosure || place.owner_function == kNone ||
         std::find(call_stack_.begin(), call_stack_.end(), place.owner_function) != call_stack_.end();
}

void Interpreter::add_way(Ways& ways, const Abstract& value) {
  const ObjectSet tensors = objects_of_kind(value, ObjectKind::kTensor);
  merge_into(ways.objects, tensors);
  if (!tensors.empty()) merge_into(ways.contents, read_contents(state_, tensors));
  ++ways.count;
}

void Interpreter::settle(const Ways& ways) {
  if (ways.count > 1 && ways.objects.size() > 1 && ways.objects.size() <= kMostChosen)
    state_.several.set(map_key(set_id(ways.objects)), ways.contents);
}

// One way leads from a block to the next: what each Phi there takes on it.
void Interpreter::note_ways(Frame& frame, Id from, Id to) {
  const Block& block = frame.function->blocks[static_cast<std::size_t>(to)];
  if (block.statements.empty() || block.statements.front().kind != StatementKind::kPhi) return;
  if (frame.made_in.empty()) {
    for (std::size_t b = 0; b < frame.function->blocks.size(); ++b) {
      for (const Statement& s : frame.function->blocks[b].statements)
        if (s.result != kNone) frame.made_in.emplace(s.result, static_cast<Id>(b));
    }
  }
  const FlowGraph& graph = flow(frame.id);
  for (std::size_t i = 0; i < block.statements.size() && block.statements[i].kind == StatementKind::kPhi; ++i) {
    Id taken = kNone, in = kNone;  // the operand that was made last on this way
    for (const Id arg : block.statements[i].args) {
      const auto made = frame.made_in.find(arg);
      if (made == frame.made_in.end() || !graph.dominates(made->second, from)) continue;
      if (in != kNone && !graph.dominates(in, made->second)) continue;
      taken = arg;
      in = made->second;
    }
    auto& ways = frame.phi_ways[{to, static_cast<Id>(i)}];
    Ways& way = ways[from];
    auto& operands = frame.phi_taken[{to, static_cast<Id>(i)}];
    for (const Id arg : block.statements[i].args) {
      const bool brought = taken != kNone ? arg == taken : !frame.made_in.contains(arg);
      if (frame.in_order && brought) operands.insert(arg);
    }
    if (taken != kNone) add_way(way, value(frame, taken));
  }
}

// What a Phi gives, with what it holds on each way.
void Interpreter::settle_phi(Frame& frame, const Abstract& result, const StatementRef& where) {
  const auto noted = frame.phi_ways.find({where.block, where.index});
  if (noted == frame.phi_ways.end()) return;
  Ways together;
  for (const auto& [from, way] : noted->second) {
    merge_into(together.objects, way.objects);
    merge_into(together.contents, way.contents);
    ++together.count;
  }
  if (together.objects == objects_of_kind(result, ObjectKind::kTensor)) settle(together);
}

}  // namespace kernel_audit::analysis::facts
