// Phases of the interpreter: import, construction, several calls of the entry, and what one call leaves to the next.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_rehearsal.h"

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
  note_too_large();
}

// Code that takes part and is too large for its flow to be analysed: what guards anything in it is not known.
void Interpreter::note_too_large() {
  for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
    const Function& function = facts_.functions[i];
    const Id id = static_cast<Id>(i);
    const bool runs = function.is_kernel || function.is_device || executed.contains({id, Phase::kInit}) ||
                      executed.contains({id, Phase::kForward});
    if (runs && function.blocks.size() > FlowGraph::kMaxBlocks)
      limits.emplace_back(StatementRef{id, 0, 0}, function.qualified_name + " is larger than the analysis follows");
  }
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
      if (rehearsal_) rehearsal_->configure(*this, args.back(), i - 1, parameters[i].default_value, site);
    }
  }
  return construct(facts_.entry_class, args, {}, site);
}

// What a call of the candidate enters: an own __call__ or what it runs in its stead, forward, or what replaces it on
// the instance (a class attribute can be stored to while it runs, so all of a name count).
std::vector<Interpreter::Entry> Interpreter::entries_of(ObjectId instance) {
  const Id class_id = object(instance).class_id;
  std::vector<Entry> entries;
  const auto add = [&](Id function, const StatementRef& where = {}) {
    if (std::none_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.function == function; }))
      entries.push_back({function, {}, where});
  };
  // What the instance holds under the name goes before the class's own; kept by a store that may not have run, both
  // count.
  const auto held = [&](const std::string& name) {
    Abstract value = read_field(instance, key_of(name));
    join(value, instance_attribute(class_id, name));
    if (only_null(value)) return false;
    StatementRef where;
    bool certain = false;
    const auto [first, last] = attributes_.equal_range(name);
    for (auto it = first; it != last; ++it) {
      const auto stored = stores.find(canonical_storage(it->second));
      if (stored == stores.end()) continue;
      for (const StateStore& store : stored->second) {
        if (store.where.function == kNone || store.where.block == kNone) continue;
        where = store.where;
        certain = certain || (facts_.functions[static_cast<std::size_t>(where.function)].name == "__init__" &&
                              flow(where.function).post_dominates(where.block, 0));
      }
    }
    for (const ObjectId id : value.objects) {
      const Object& replaced = object(id);
      if (replaced.kind == ObjectKind::kFunction && replaced.function != kNone && replaced.bound.empty()) {
        add(replaced.function, where.known() ? where : StatementRef{replaced.function, kNone, -1});
      } else {
        entries.push_back({kNone, of_object(id), where});
      }
    }
    if (value.objects.empty() && !value.nothing()) entries.push_back({kNone, value, where});
    return certain && !entries.empty();
  };
  const auto defined = [&](const std::string& name) {
    const Id own = find_method(class_id, name);
    if (own == kNone) return false;
    for (const auto& [method, function] : facts_.classes[static_cast<std::size_t>(class_id)].methods) {
      if (method == name) add(function);
    }
    // The one that the class body defines, where something stored to the class replaces it later.
    for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
      if (facts_.functions[f].class_id == class_id && facts_.functions[f].name == name && name == "__call__")
        add(static_cast<Id>(f));
    }
    if (entries.empty()) add(own);
    return true;
  };
  if (defined("__call__")) return entries;
  if (derives_from_module(class_id)) {
    for (const char* name : {"_wrapped_call_impl", "_compiled_call_impl", "_call_impl"}) {
      if (held(name)) return entries;
      const Id own = find_method(class_id, name);
      if (own != kNone && facts_.functions[static_cast<std::size_t>(own)].is_property) {
        const Statement none;
        const CallSite site{&none, StatementRef{own, kNone, -5}, 0};
        entries.push_back({kNone, invoke(own, {of_object(instance)}, {}, site), StatementRef{own, 0, 0}});
        return entries;
      }
      if (defined(name)) return entries;
    }
  }
  if (held("forward")) return entries;
  // An object that the class holds under the name: what its __get__ returns, or the object itself.
  for (const ObjectId id : objects_of_kind(class_attribute(class_id, "forward"), ObjectKind::kInstance)) {
    const Id getter = find_method(object(id).class_id, "__get__");
    const Statement none;
    const CallSite site{&none, StatementRef{getter, kNone, -5}, 0};
    const Abstract callee = getter == kNone
                                ? of_object(id)
                                : invoke(getter, {of_object(id), of_object(instance), open_value({})}, {}, site);
    entries.push_back({kNone, callee, {}});
  }
  if (!entries.empty()) return entries;
  if (facts_.entry_class == class_id) {
    add(facts_.entry_function);
  } else if (const Id own = find_method(class_id, "forward"); own != kNone) {
    add(own);
  }
  return entries;
}

bool Interpreter::derives_from_module(Id class_id) const {
  return derives_from(class_id, "torch.nn.Module") || derives_from(class_id, "torch.jit.ScriptModule");
}

void Interpreter::run_forward(const Abstract& instance) {
  ran_forward = !facts_.functions[static_cast<std::size_t>(facts_.entry_function)].blocks.empty();
  const auto same = [](const Abstract& a, const Abstract& b) {
    return a.objects == b.objects && a.nodes == b.nodes && a.constants == b.constants;
  };
  for (int round = 0; round < kForwardCalls; ++round) {
    call_ = round;
    const auto before = state_.storage;
    const auto fields_before = state_.fields;
    if (facts_.entry_class == kNone) call_entry({facts_.entry_function, {}, {}}, instance);
    for (const ObjectId id : instance.objects) {
      if (object(id).kind != ObjectKind::kInstance) {  // what __new__ made in its stead
        call_entry({kNone, of_object(id), object(id).made}, {});
        continue;
      }
      for (const Entry& entry : entries_of(id)) call_entry(entry, of_object(id));
    }
    if (round > 0 && before.matches(state_.storage, same) && fields_before.matches(state_.fields, same)) break;
  }
  entry_frame_function_ = kNone;
  for (const auto& [place, calls] : decisions_) {
    const auto went = [&](int way) {
      return std::any_of(calls.begin(), calls.end(), [&](const auto& call) { return call.second == way; });
    };
    if (went(1) && went(2)) settled.emplace(std::get<0>(place), std::get<1>(place));
  }
}

// What the list that get_inputs returns says of the task's own inputs.
Interpreter::TaskInputs Interpreter::task_inputs() const {
  TaskInputs inputs;
  for (const Function& function : facts_.functions) {
    if (function.name != "get_inputs" || function.class_id != kNone || function.enclosing_function != kNone) continue;
    for (const Block& block : function.blocks) {
      for (const Statement& returned : block.statements) {
        if (returned.kind != StatementKind::kReturn) continue;
        for (const Statement& list : block.statements) {
          if (list.result != returned.value || list.callee != "builtins.list" || list.star_args) continue;
          inputs.count = list.args.size();
          for (std::size_t i = 0; i < list.args.size(); ++i) {
            const Value& item = facts_.values[static_cast<std::size_t>(list.args[i])];
            if (item.constant && (item.constant->is_number() || item.constant->is_boolean())) inputs.numbers.insert(i);
          }
        }
      }
    }
  }
  return inputs;
}

// One fresh tensor for each argument that the caller passes, or a number where the task says so.
std::vector<Abstract> Interpreter::entry_arguments(const Function& shape, const StatementRef& where) {
  const bool method = facts_.entry_class != kNone;
  const Statement none;
  const CallSite site{&none, where, 0};
  std::vector<Abstract> args;
  const TaskInputs task = task_inputs();
  const bool all_in_rest = !shape.parameters.empty() && shape.parameters[0].variadic;  // the instance as well
  const std::size_t first = method && !all_in_rest ? 1 : 0;
  // How many a wrapper's *rest takes: as many as the task says, or as the forward that it wraps.
  std::size_t handed = task.count.value_or(0);
  for (const Function& each : facts_.functions) {
    const bool wrapped = !task.count && method && each.class_id == facts_.entry_class && each.name == "forward";
    if (wrapped && !each.parameters.empty()) handed = std::max(handed, each.parameters.size() - 1);
  }
  for (std::size_t i = first; i < shape.parameters.size(); ++i) {
    const Id kept = shape.parameters[i].storage;
    if (kept != kNone && facts_.storages[static_cast<std::size_t>(kept)].kind == StorageKind::kDefaultArgument) {
      args.emplace_back();  // left to its default
      continue;
    }
    const bool left_out = task.count && i - first >= *task.count;
    if (const Id standing = shape.parameters[i].default_value; left_out && standing != kNone) {
      args.push_back(value_from_facts(standing, site));
      if (!args.back().nothing()) continue;
      args.pop_back();
    }
    if (shape.parameters[i].variadic && i + 1 == shape.parameters.size() && i > first) continue;
    const std::size_t all = shape.parameters[i].variadic ? std::max(i + 1, first + handed) : i + 1;
    for (std::size_t place = i; place < all; ++place) {
      const NodeId node = graph_.node(NodeKind::kArgument, site.where, 0, static_cast<std::int64_t>(place));
      graph_.at(node).name = shape.parameters[i].name;
      graph_.at(node).argument = static_cast<int>(place - first);
      const TypeKind type = shape.parameters[i].type.kind;
      if (task.numbers.contains(place - first) || type == TypeKind::kInt || type == TypeKind::kFloat ||
          type == TypeKind::kBool) {
        args.push_back(open_value({node}));
        if (rehearsal_) rehearsal_->hand_over(*this, args.back(), place - first);
        continue;
      }
      args.push_back(fresh_tensor(site, {node}, 100 + static_cast<std::int64_t>(place)));
      if (rehearsal_) rehearsal_->hand_over(*this, args.back(), place - first);
      for (const ObjectId id : args.back().objects) argument_objects_[id] = static_cast<int>(place - first);
    }
  }
  return args;
}

void Interpreter::call_entry(const Entry& entry, const Abstract& instance) {
  const Function& forward = facts_.functions[static_cast<std::size_t>(facts_.entry_function)];
  const Statement none;
  const Id known = entry.function != kNone ? entry.function : facts_.entry_function;
  const CallSite site{&none, StatementRef{known, kNone, -1}, 0};
  // The caller passes what forward takes, also through an own __call__(*args).
  const Function& entered = facts_.functions[static_cast<std::size_t>(known)];
  // A method is called with the instance in front; a function that was stored on the instance is not.
  const bool bound = facts_.entry_class != kNone && entry.function != kNone && !entered.is_static_method &&
                     (entered.class_id != kNone || !entry.where.known());
  const Function& shape = bound && entered.parameters.size() >= forward.parameters.size() ? entered : forward;
  std::vector<Abstract> args = entry_arguments(shape, site.where);
  const ObjectId module = instance.objects.empty() ? -1 : instance.objects.front();
  const bool hooked = (module >= 0 && has_hooks(module)) || remembers(entered);
  if (hooked && module >= 0) run_pre_hooks(module, args, site);
  std::vector<Abstract> passed = args;
  Abstract output;
  entry_frame_function_ = hooked ? kNone : entry.function;
  entry_frame_depth_ = call_stack_.size() + 1;
  if (entry.function != kNone) {
    if (bound) passed.insert(passed.begin(), instance);
    output = invoke(entry.function, std::move(passed), {}, site);
  } else {
    output = call_object(entry.callee, passed, {}, site);
  }
  StatementRef where = entry.function == kNone && entry.where.known() ? entry.where : return_of(known);
  if (hooked && module >= 0) {
    for (const ObjectId hook : hooks(module, false)) {
      if (object(hook).kind == ObjectKind::kFunction && object(hook).function != kNone)
        where = return_of(object(hook).function);
    }
    output = run_hooks(module, args, std::move(output), site);
  }
  if (hooked || entry.function == kNone) collect_return(output, where);
  age_state();
}

// The first return statement of a function.
StatementRef Interpreter::return_of(Id function) const {
  const auto& blocks = facts_.functions[static_cast<std::size_t>(function)].blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t s = 0; s < blocks[b].statements.size(); ++s) {
      if (blocks[b].statements[s].kind == StatementKind::kReturn)
        return {function, static_cast<Id>(b), static_cast<Id>(s)};
    }
  }
  return {function, kNone, -1};
}

// Visits once each object that the next call can come to: from storage that outlives this call, what functools keeps,
// and what was left on arguments; with the storage by way of which it is found first, if there is one.
void Interpreter::follow_kept(const std::function<bool(Id)>& outlives,
                              const std::function<void(ObjectId, Id)>& visit) const {
  std::vector<std::pair<ObjectId, Id>> todo;
  const auto follow = [&](const Abstract& value, Id storage) {
    for (const ObjectId id : value.objects) todo.emplace_back(id, storage);
  };
  state_.storage.for_each([&](std::uint64_t key, const Abstract& value) {
    const Id storage = static_cast<Id>(key);
    // What a function has captured lives as long as the function, which something may keep.
    const Storage& place = facts_.storages[static_cast<std::size_t>(storage)];
    const bool ends = place.lifetime == Lifetime::kCall && place.kind != StorageKind::kClosure;
    if (!ends && outlives(storage)) follow(value, storage);
  });
  for (const ObjectId memo : memos_) todo.emplace_back(memo, kNone);
  // Functions and classes are there for good, with what was set on them by its name.
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].kind == ObjectKind::kFunction || objects_[i].kind == ObjectKind::kClass)
      follow(all_fields(static_cast<ObjectId>(i)), kNone);
  }
  // The next call may be handed the same tensor, with what this one left on it.
  for (const auto& [argument, position] : argument_objects_) follow(all_fields(argument), kNone);
  std::set<ObjectId> seen;
  while (!todo.empty()) {
    const auto [id, storage] = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    visit(id, storage);
    follow(all_fields(id), storage);
    follow(object(id).scope_of, storage);
    for (const Abstract& bound : object(id).bound) follow(bound, storage);
  }
}

// Attributes of own objects are kept by class. Whether the next call can find an object that has this one: there is one
// from before all calls, or state that outlives the call holds one.
std::function<bool(Id)> Interpreter::attributes_that_outlive() {
  std::set<Id> alive;
  const auto admit = [&](const Object& each) {
    bool grew = false;
    if (each.kind != ObjectKind::kInstance || each.class_id == kNone) return grew;
    for (const Id klass : class_order(each.class_id)) grew = alive.insert(klass).second || grew;
    return grew;
  };
  const auto outlives = [this](const std::set<Id>& classes, Id storage_id) {
    const Storage& storage = facts_.storages[static_cast<std::size_t>(storage_id)];
    if (storage.kind != StorageKind::kInstanceAttribute || storage.owner_class == kNone) return true;
    return std::any_of(classes.begin(), classes.end(), [&](Id klass) { return related(klass, storage.owner_class); });
  };
  for (const Object& each : objects_) {
    if (each.phase != Phase::kForward) admit(each);
  }
  for (bool grew = true; grew;) {
    grew = false;
    follow_kept([&](Id storage) { return outlives(alive, storage); },
                [&](ObjectId id, Id) {
                  grew = admit(object(id)) || grew;
                  if (object(id).kind == ObjectKind::kInstance && object(id).phase == Phase::kForward)
                    outliving_.insert(id);
                });
  }
  return [outlives, alive](Id storage) { return outlives(alive, storage); };
}

// The call has returned: whatever it made and left behind becomes "from an earlier call".
void Interpreter::age_state() {
  const auto outlives = attributes_that_outlive();
  std::map<ObjectId, ObjectId> renamed;
  const auto of_this_call = [&](ObjectId id) {
    return object(id).kind == ObjectKind::kTensor && object(id).phase == Phase::kForward &&
           !object(id).from_earlier_call;
  };
  const auto rename = [&](ObjectId id) -> ObjectId {
    const Object& old = object(id);
    const bool code = old.kind == ObjectKind::kFunction || old.kind == ObjectKind::kSymbol;
    // partial(f, y): the y of this call.
    const bool binds = code && std::any_of(old.bound.begin(), old.bound.end(), [&](const Abstract& each) {
                         return std::any_of(each.objects.begin(), each.objects.end(), of_this_call);
                       });
    if (old.phase != Phase::kForward || old.from_earlier_call || (code && !binds) || old.kind == ObjectKind::kClass)
      return id;
    if (const auto it = renamed.find(id); it != renamed.end()) return it->second;
    if (old.older < 0) {
      Object aged = old;
      aged.from_earlier_call = true;
      aged.initial.clear();
      if (code) aged.bound.clear();
      objects_.push_back(aged);
      const auto aged_id = static_cast<ObjectId>(objects_.size()) - 1;
      objects_[static_cast<std::size_t>(id)].older = aged_id;
      if (aged.kind == ObjectKind::kTensor) element_types[aged_id].like = {id};  // the same elements, a call later
    }
    return renamed[id] = object(id).older;
  };
  const auto rename_set = [&](const ObjectSet& set) {
    ObjectSet out;
    for (const ObjectId id : set) {
      const ObjectId aged = rename(id);
      out.push_back(aged);
      const bool code = object(id).kind == ObjectKind::kFunction || object(id).kind == ObjectKind::kSymbol;
      if (aged == id || !code) continue;
      std::vector<Abstract> bound = object(id).bound;
      for (Abstract& each : bound) {
        for (ObjectId& held : each.objects) held = of_this_call(held) ? rename(held) : held;
        std::sort(each.objects.begin(), each.objects.end());
      }
      objects_[static_cast<std::size_t>(aged)].bound = std::move(bound);
    }
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
  std::map<ObjectId, Id> holder;
  follow_kept(outlives, [&](ObjectId id, Id storage) { holder.emplace(id, storage); });
  State aged;
  aged.stream = {caller_stream_};
  aged.autocasts = state_.autocasts;
  state_.storage.for_each([&](std::uint64_t key, const Abstract& value) {
    const Id storage = static_cast<Id>(key);
    if (!outlives(storage)) return;
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
    if (rehearsal_) Rehearsal::forget_number(graph_, next);
    aged.storage.set(key, std::move(next));
  });
  state_.fields.for_each([&](std::uint64_t field, const Abstract& value) {
    const ObjectId owner = field_object(field);
    if (!rehearsal_ && keeps_own_attributes(owner)) return;  // it is gone
    Abstract next = value;
    next.objects = rename_set(value.objects);
    const auto held = holder.find(owner);
    next.nodes = wrap(value.nodes, -1000 - owner, held == holder.end() ? kNone : held->second, StatementRef{});
    if (rehearsal_) Rehearsal::forget_number(graph_, next);
    join(aged.fields.edit(field_key(rename(owner), field_name(field))), next);
    if (argument_objects_.contains(owner)) join(aged.fields.edit(field), next);
  });
  const auto wrap_contents = [&](const NodeSet& nodes, ObjectId id) {
    const auto held = holder.find(id);
    return wrap(nodes, id, held == holder.end() ? kNone : held->second, object(id).made);
  };
  const auto age_contents = [&](const ObjectSet& set, const NodeSet& nodes) {
    // What one of several objects holds is left behind in whichever of them holds it.
    NodeSet wrapped, rest = nodes;
    for (const ObjectId id : set.size() > 1 ? set : ObjectSet{}) {
      const NodeSet own = read_contents(state_, {id});
      NodeSet here, left;
      std::set_intersection(nodes.begin(), nodes.end(), own.begin(), own.end(), std::back_inserter(here));
      std::set_difference(rest.begin(), rest.end(), own.begin(), own.end(), std::back_inserter(left));
      merge_into(wrapped, wrap_contents(here, id));
      rest = std::move(left);
    }
    merge_into(wrapped, wrap_contents(rest, set.front()));
    const ObjectSet renamed_to = rename_set(set);
    merge_into(renamed_to.size() == 1 ? aged.single.edit(map_key(renamed_to.front()))
                                      : aged.several.edit(map_key(set_id(renamed_to))),
               wrapped);
  };
  // Only what state still holds survives the call.
  state_.single.for_each([&](std::uint64_t key, const NodeSet& nodes) {
    const auto id = static_cast<ObjectId>(key);
    if (object(id).phase != Phase::kForward || holder.contains(id)) age_contents({id}, nodes);
  });
  std::map<ObjectSet, NodeSet> sets;  // in an order that does not depend on which set was met first
  state_.several.for_each([&](std::uint64_t key, const NodeSet& nodes) { sets.emplace(sets_[key], nodes); });
  for (const auto& [set, nodes] : sets) {
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
  const auto iterators = ends_;
  for (const auto& [iterator, mark] : iterators) ends_.try_emplace(rename(iterator), rename(mark));
  state_ = std::move(aged);
}

}  // namespace kernel_audit::analysis::facts
