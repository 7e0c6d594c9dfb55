// Phases of the interpreter: import, construction, several calls of the entry, and what one call leaves to the next.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr int kForwardCalls = 4;  // state settles within these

}  // namespace

void Interpreter::run() {
  run_import();
  if (facts_.entry_function == kNone) return;
  phase_ = Phase::kInit;
  const Abstract instance = run_init();
  phase_ = Phase::kForward;
  run_forward(instance);
}

void Interpreter::run_import() {
  phase_ = Phase::kImport;
  // Native code is loaded by Python, but its static initialisation needs nothing of Python.
  for (const bool python : {false, true}) {
    for (std::size_t i = 0; i < facts_.units.size(); ++i) {
      const Unit& unit = facts_.units[i];
      if ((unit.language == UnitLanguage::kPython) != python || unit.module_body == kNone) continue;
      const Statement none;
      invoke(unit.module_body, {}, {}, CallSite{&none, StatementRef{unit.module_body, kNone, static_cast<Id>(i)}, 0});
    }
    if (python) continue;
    // What the loader runs by itself.
    for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
      if (!facts_.functions[f].is_constructor_attribute) continue;
      const Statement none;
      invoke(static_cast<Id>(f), {}, {}, CallSite{&none, StatementRef{static_cast<Id>(f), kNone, -3}, 0});
    }
  }
}

Abstract Interpreter::run_init() {
  const Statement none;
  const CallSite site{&none, StatementRef{facts_.entry_function, kNone, -2}, 0};
  if (facts_.entry_class == kNone) return {};
  std::vector<Abstract> args;
  const Id init = find_method(facts_.entry_class, "__init__");
  if (init != kNone) {
    const auto& parameters = facts_.functions[static_cast<std::size_t>(init)].parameters;
    for (std::size_t i = 1; i < parameters.size(); ++i) {
      if (parameters[i].variadic) continue;
      const NodeId node = graph_.node(NodeKind::kConfiguration, site.where, 0, static_cast<std::int64_t>(i));
      graph_.at(node).name = parameters[i].name;
      graph_.at(node).phase = phase_;
      args.push_back(open_value({node}));
    }
  }
  return construct(facts_.entry_class, args, {}, site);
}

// Functions that a call of the candidate enters: forward, what replaces it on the instance, or own __call__s (a
// class attribute can be stored to while it runs, so all of them count).
std::vector<Id> Interpreter::entry_functions() const {
  if (facts_.entry_class == kNone) return {facts_.entry_function};
  std::vector<Id> entries;
  const Id own_call = find_method(facts_.entry_class, "__call__");
  if (own_call != kNone) {
    for (const auto& [name, function] : facts_.classes[static_cast<std::size_t>(facts_.entry_class)].methods) {
      if (name == "__call__") entries.push_back(function);
    }
    // The one that the class body defines, where something stored to the class replaces it later.
    for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
      const bool defined = facts_.functions[f].class_id == facts_.entry_class && facts_.functions[f].name == "__call__";
      const Id id = static_cast<Id>(f);
      if (defined && std::find(entries.begin(), entries.end(), id) == entries.end())
        entries.insert(entries.begin(), id);
    }
    if (entries.empty()) entries.push_back(own_call);
    return entries;
  }
  for (const ObjectId id : instance_attribute(facts_.entry_class, "forward").objects) {
    if (object(id).kind == ObjectKind::kFunction && object(id).function != kNone)
      entries.push_back(object(id).function);
  }
  if (entries.empty()) entries.push_back(facts_.entry_function);
  return entries;
}

void Interpreter::run_forward(const Abstract& instance) {
  ran_forward = !facts_.functions[static_cast<std::size_t>(facts_.entry_function)].blocks.empty();
  const std::vector<Id> entries = entry_functions();
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && x.second.objects == y.second.objects && x.second.nodes == y.second.nodes &&
             x.second.constants == y.second.constants;
    });
  };
  for (int round = 0; round < kForwardCalls; ++round) {
    const auto before = *state_.storage;
    const auto fields_before = *state_.fields;
    for (const Id entry : entries) call_entry(entry, instance);
    if (round > 0 && same(before, *state_.storage) && same(fields_before, *state_.fields)) break;
  }
  entry_frame_function_ = kNone;
}

void Interpreter::call_entry(Id entry, const Abstract& instance) {
  const Function& forward = facts_.functions[static_cast<std::size_t>(facts_.entry_function)];
  const bool method = facts_.entry_class != kNone;
  entry_frame_function_ = entry;
  const Function& entered = facts_.functions[static_cast<std::size_t>(entry)];
  const Statement none;
  const CallSite site{&none, StatementRef{entry, kNone, -1}, 0};
  std::vector<Abstract> args;
  // The caller passes what forward takes, also through an own __call__(*args).
  const Function& shape = entered.parameters.size() >= forward.parameters.size() ? entered : forward;
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    if (i == 0 && method) {
      args.push_back(instance);
      continue;
    }
    const Id kept = shape.parameters[i].storage;
    if (kept != kNone && facts_.storages[static_cast<std::size_t>(kept)].kind == StorageKind::kDefaultArgument) {
      args.emplace_back();  // left to its default
      continue;
    }
    if (shape.parameters[i].variadic && i + 1 == shape.parameters.size() && i > (method ? 1U : 0U)) continue;
    const NodeId node = graph_.node(NodeKind::kArgument, site.where, 0, static_cast<std::int64_t>(i));
    graph_.at(node).name = shape.parameters[i].name;
    graph_.at(node).argument = static_cast<int>(i) - (method ? 1 : 0);
    args.push_back(fresh_tensor(site, {node}, 100 + static_cast<std::int64_t>(i)));
    for (const ObjectId id : args.back().objects) argument_objects_[id] = static_cast<int>(i) - (method ? 1 : 0);
  }
  entry_frame_depth_ = call_stack_.size() + 1;
  invoke(entry, std::move(args), {}, site);
  age_state();
}

// The call has returned: whatever it made and left behind becomes "from an earlier call".
void Interpreter::age_state() {
  std::map<ObjectId, ObjectId> renamed;
  const auto rename = [&](ObjectId id) -> ObjectId {
    const Object& old = object(id);
    if (old.phase != Phase::kForward || old.from_earlier_call || old.kind == ObjectKind::kFunction ||
        old.kind == ObjectKind::kClass || old.kind == ObjectKind::kSymbol) {
      return id;
    }
    if (const auto it = renamed.find(id); it != renamed.end()) return it->second;
    if (old.older < 0) {
      Object aged = old;
      aged.from_earlier_call = true;
      aged.initial.clear();
      objects_.push_back(aged);
      objects_[static_cast<std::size_t>(id)].older = static_cast<ObjectId>(objects_.size()) - 1;
    }
    return renamed[id] = object(id).older;
  };
  const auto rename_set = [&](const ObjectSet& set) {
    ObjectSet out;
    for (const ObjectId id : set) out.push_back(rename(id));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  };
  // Wraps what was computed during a call; what stems from import or construction stays itself.
  const auto wrap = [&](const NodeSet& nodes, std::int64_t key, Id storage, const StatementRef& made) {
    NodeSet out, fresh;
    for (const NodeId id : nodes) {
      const Node& node = graph_.at(id);
      if (node.kind == NodeKind::kState || node.phase != Phase::kForward) {
        insert_into(out, id);
      } else {
        insert_into(fresh, id);
      }
    }
    if (fresh.empty()) return out;
    const NodeId state = graph_.node(NodeKind::kState, made, -1, key);
    if (storage != kNone) {
      graph_.at(state).storage = storage;
      graph_.at(state).name = facts_.storages[static_cast<std::size_t>(storage)].name;
    }
    graph_.add_slot(state, 0, fresh);
    insert_into(out, state);
    return out;
  };
  // Which storage holds an object: the first found, through containers too.
  std::map<ObjectId, Id> holder;
  std::vector<std::pair<ObjectId, Id>> todo;
  for (const auto& [storage, value] : *state_.storage) {
    if (facts_.storages[static_cast<std::size_t>(storage)].lifetime == Lifetime::kCall) continue;
    for (const ObjectId id : value.objects) todo.emplace_back(id, storage);
  }
  while (!todo.empty()) {
    const auto [id, storage] = todo.back();
    todo.pop_back();
    if (!holder.try_emplace(id, storage).second) continue;
    for (const ObjectId inner : all_fields(id).objects) todo.emplace_back(inner, storage);
  }
  State aged;
  aged.stream = {caller_stream_};
  for (const auto& [storage, value] : *state_.storage) {
    Abstract next = value;
    next.objects = rename_set(value.objects);
    next.nodes = wrap(value.nodes, storage, storage, StatementRef{});
    // A number that calls change: a counter, a flag.
    const auto written = stores.find(storage);
    const bool counted = value.objects.empty() && (value.open || value.constants.size() > 1) &&
                         written != stores.end() &&
                         std::any_of(written->second.begin(), written->second.end(),
                                     [](const StateStore& store) { return store.phase == Phase::kForward; });
    if (counted && next.nodes.empty()) {
      const NodeId state = graph_.node(NodeKind::kState, StatementRef{}, -1, storage);
      graph_.at(state).storage = storage;
      graph_.at(state).name = facts_.storages[static_cast<std::size_t>(storage)].name;
      insert_into(next.nodes, state);
    }
    aged.storage.edit()[storage] = std::move(next);
  }
  for (const auto& [field, value] : *state_.fields) {
    Abstract next = value;
    next.objects = rename_set(value.objects);
    const auto held = holder.find(field.first);
    next.nodes = wrap(value.nodes, -1000 - field.first, held == holder.end() ? kNone : held->second, StatementRef{});
    join(aged.fields.edit()[{rename(field.first), field.second}], next);
  }
  const auto age_contents = [&](const ObjectSet& set, const NodeSet& nodes) {
    const ObjectId first = set.front();
    const auto held = holder.find(first);
    const NodeSet wrapped = wrap(nodes, first, held == holder.end() ? kNone : held->second, object(first).made);
    const ObjectSet renamed_to = rename_set(set);
    merge_into(renamed_to.size() == 1 ? aged.single.edit()[renamed_to.front()] : aged.several.edit()[renamed_to],
               wrapped);
  };
  // Only what state still holds survives the call.
  for (const auto& [id, nodes] : *state_.single) {
    if (object(id).phase != Phase::kForward || holder.contains(id)) age_contents({id}, nodes);
  }
  for (const auto& [set, nodes] : *state_.several) {
    const bool alive = std::all_of(set.begin(), set.end(), [&](ObjectId id) {
      return object(id).phase != Phase::kForward || holder.contains(id);
    });
    if (alive) age_contents(set, nodes);
  }
  for (const auto& [stream, nodes] : state_.pending) merge_into(aged.pending[rename(stream)], nodes);
  aged.pending.clear();  // each call's own work is judged at its own return
  // A graph captured in this call is replayed in later ones, on what state still holds.
  std::map<ObjectId, Capture> captures;
  for (const auto& [graph, capture] : captures_) {
    Capture& target = captures[rename(graph)];
    for (const ObjectSet& set : capture.written) {
      const bool alive = std::all_of(set.begin(), set.end(), [&](ObjectId id) { return holder.contains(id); });
      if (alive) target.written.insert(rename_set(set));
    }
    ObjectSet read;
    for (const ObjectId id : capture.read) {
      if (object(id).phase != Phase::kForward || holder.contains(id)) read.push_back(id);
    }
    merge_into(target.read, rename_set(read));
    // Where the buffers of a captured graph are kept.
    for (const ObjectId id : read) {
      if (const auto held = holder.find(id); held != holder.end()) graph_storages.insert(held->second);
    }
    for (const ObjectSet& set : capture.written) {
      for (const ObjectId id : set) {
        if (const auto held = holder.find(id); held != holder.end()) graph_storages.insert(held->second);
      }
    }
    merge_into(target.nodes, capture.nodes);
  }
  captures_ = std::move(captures);
  state_ = std::move(aged);
}

}  // namespace kernel_audit::analysis::facts
