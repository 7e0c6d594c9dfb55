// Streams, events and graphs: which work the caller's stream has not been made to wait for.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {
namespace {

// Symbols of the scopes that torch.autocast makes: in force, and switched off.
constexpr const char* kAutocast = "autocast";
constexpr const char* kNoAutocast = "no autocast";

}  // namespace

ObjectId Interpreter::special_stream(const std::string& name, bool caller) {
  Object made;
  made.kind = ObjectKind::kStream;
  made.symbol = name;
  made.caller_stream = caller;
  objects_.push_back(std::move(made));
  return static_cast<ObjectId>(objects_.size()) - 1;
}

void Interpreter::note_work(NodeId node, const ObjectSet& streams) {
  if (phase_ != Phase::kForward || streams.empty()) return;
  if (!state_.capturing.empty()) return;  // recorded, not run
  // What another thread issues, on whatever stream, may not be issued yet when the caller goes on.
  for (const ObjectId id : state_.stream) {
    if (object(id).symbol == kThreadSymbol) insert_into(state_.pending[id], node);
  }
  // May it be the caller's stream? Then no claim is made that it is not.
  if (std::any_of(streams.begin(), streams.end(), [&](ObjectId id) { return object(id).caller_stream; })) {
    for (const ObjectId id : streams) {
      if (!object(id).caller_stream) insert_into(on_either[node], id);
    }
    return;
  }
  for (const ObjectId id : streams) {
    insert_into(state_.pending[id], node);
    insert_into(on_other_streams[node], id);
  }
}

void Interpreter::note_write(const ObjectSet& objects) {
  for (const ObjectId graph : state_.capturing) captures_[graph].written.insert(objects);
}

// `waiting` waits for the work of `awaited`.
void Interpreter::join_streams(const ObjectSet& waiting, const ObjectSet& awaited, bool awaited_known) {
  if (!awaited_known) {
    state_.pending.clear();
    return;
  }
  const bool caller = waiting.empty() || std::any_of(waiting.begin(), waiting.end(),
                                                     [&](ObjectId id) { return object(id).caller_stream; });
  for (const ObjectId id : awaited) {
    const auto it = state_.pending.find(id);
    const bool itself = std::find(waiting.begin(), waiting.end(), id) != waiting.end();
    if (it == state_.pending.end() || (itself && !caller)) continue;  // in its own order anyway
    const NodeSet work = std::move(it->second);
    state_.pending.erase(it);
    if (caller) continue;
    for (const ObjectId other : waiting) {
      if (other != id) merge_into(state_.pending[other], work);
    }
  }
}

// torch.autocast(device, dtype, enabled), torch.cuda.amp.autocast(enabled, dtype), and what switches it on and off.
Abstract Interpreter::autocast_scope(const std::string& callee, const std::vector<Abstract>& args,
                                     const Keywords& keywords, const CallSite& site) {
  const bool of_cuda = callee.starts_with("torch.cuda.");
  const auto given = [&](const char* name, std::size_t place) -> const Abstract* {
    for (const auto& [keyword, value] : keywords) {
      if (keyword == name) return &value;
    }
    return place < args.size() ? &args[place] : nullptr;
  };
  const bool switched = callee == "torch.set_autocast_enabled";  // until it is called again
  const Abstract* enabled = given("enabled", of_cuda ? 0 : switched ? args.size() - 1 : 2);
  const Abstract* type = switched ? nullptr : given("dtype", 1);
  const Abstract* device = of_cuda ? nullptr : given("device_type", 0);
  const auto narrow = [&](ObjectId id) {
    const std::string& name = object(id).symbol;
    return name == "torch.float16" || name == "torch.half" || name == "torch.bfloat16";
  };
  const bool off =
      (enabled != nullptr && truth(*enabled) == false) ||
      (type != nullptr && !only_null(*type) && std::none_of(type->objects.begin(), type->objects.end(), narrow)) ||
      (device != nullptr && text_of(*device) == "cpu");
  const ObjectId made = make_object(ObjectKind::kScope, site.where, site.context, 3);
  objects_[static_cast<std::size_t>(made)].symbol = off ? kNoAutocast : kAutocast;
  if (switched) {
    state_.autocasts = off ? ObjectSet{} : ObjectSet{made};
    return constant(Json());
  }
  return of_object(made);
}

// @torch.autocast(…): every call of the function runs within it.
void Interpreter::note_autocast_function(const Abstract& decorator, const std::vector<Abstract>& args) {
  for (const ObjectId scope : objects_of_kind(decorator, ObjectKind::kScope)) {
    if (object(scope).symbol != kAutocast && object(scope).symbol != kNoAutocast) continue;
    for (const Abstract& arg : args) {
      for (const ObjectId function : objects_of_kind(arg, ObjectKind::kFunction))
        autocast_functions_[object(function).function] = of_object(scope);
    }
  }
}

void Interpreter::enter_scope(const Abstract& scope) {
  for (const ObjectId id : scope.objects) {
    const Object owner = object(id);
    if (owner.symbol == kAutocast || owner.symbol == kNoAutocast) {
      state_.saved_stream[id] = state_.autocasts;
      state_.autocasts = owner.symbol == kAutocast ? ObjectSet{id} : ObjectSet{};
      continue;
    }
    if (owner.symbol == kThreadSymbol || owner.symbol == kExecutorSymbol) continue;
    if (owner.kind == ObjectKind::kScope && owner.symbol == "graph") {
      merge_into(state_.capturing, objects_of_kind(owner.scope_of, ObjectKind::kGraph));
      continue;
    }
    const ObjectSet streams =
        owner.kind == ObjectKind::kStream ? ObjectSet{id} : objects_of_kind(owner.scope_of, ObjectKind::kStream);
    if (owner.kind != ObjectKind::kScope && owner.kind != ObjectKind::kStream) continue;
    state_.saved_stream[id] = state_.stream;
    state_.stream = streams.empty() ? ObjectSet{caller_stream_} : streams;  // could not be told: never accused
  }
}

void Interpreter::exit_scope(const Abstract& scope) {
  for (const ObjectId id : scope.objects) {
    if (object(id).kind == ObjectKind::kStream && object(id).symbol == kExecutorSymbol) join_threads({});
    if (object(id).kind == ObjectKind::kScope && object(id).symbol == "graph") {
      state_.capturing.clear();
      continue;
    }
    const auto it = state_.saved_stream.find(id);
    const bool autocast = object(id).symbol == kAutocast || object(id).symbol == kNoAutocast;
    if (it != state_.saved_stream.end()) (autocast ? state_.autocasts : state_.stream) = it->second;
  }
}

void Interpreter::replay(const Abstract& graph_value, const CallSite& site) {
  for (const ObjectId id : objects_of_kind(graph_value, ObjectKind::kGraph)) {
    const auto it = captures_.find(id);
    if (it == captures_.end()) continue;
    const Capture capture = it->second;
    note_stale_replay(id, capture, site);
    const NodeId node = graph_.node(NodeKind::kReplay, site.where, site.context, id);
    graph_.at(node).name = "graph replay";
    graph_.at(node).phase = phase_;
    graph_.add_operands(node, 0, capture.nodes);
    NodeSet inputs;
    for (const ObjectId read : capture.read) merge_into(inputs, read_contents(state_, {read}));
    graph_.add_operands(node, 1, inputs);
    for (const ObjectSet& written : capture.written) write_contents(written, {node});
    note_work(node, state_.stream);
  }
}

// The member of an object that is set through its address: which of several objects it is is not told apart.
void Interpreter::keep_in_fields(Id storage_id, const Abstract& handle) {
  const Storage& storage = facts_.storages[static_cast<std::size_t>(storage_id)];
  const bool own = storage.kind == StorageKind::kInstanceAttribute && storage.owner_class != kNone;
  if (!own && storage.kind != StorageKind::kOtherAttribute) return;
  const auto has_member = [&](Id class_id) {
    if (own || class_id == kNone) return own && class_id == storage.owner_class;
    const auto& members = facts_.classes[static_cast<std::size_t>(class_id)].attributes;
    return std::any_of(members.begin(), members.end(), [&](const auto& each) { return each.first == storage.name; });
  };
  ObjectSet owners;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].kind == ObjectKind::kInstance && has_member(objects_[i].class_id))
      owners.push_back(static_cast<ObjectId>(i));
  }
  for (const ObjectId id : owners) write_field(id, key_of(storage.name), handle, owners.size() == 1);
}

// `for (auto& each : streams) create(&each)`: what the loop goes over holds it.
void Interpreter::keep_in_elements(const Function& function, Id variable, const Abstract& handle) {
  std::map<Id, const Statement*> made;
  for (const Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.result != kNone) made[s.result] = &s;
    }
  }
  const auto called = [&](Id value, const char* name) -> const Statement* {
    const auto found = made.find(value);
    return found != made.end() && found->second->callee == name && found->second->args.size() == 1 ? found->second
                                                                                                   : nullptr;
  };
  for (const Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind != StatementKind::kStore || s.location.storage != variable) continue;
      const Statement* next = called(s.value, "builtins.next");
      const Statement* iterator = next == nullptr ? nullptr : called(next->args[0], "builtins.iter");
      const auto container = iterator == nullptr ? made.end() : made.find(iterator->args[0]);
      if (container == made.end() || container->second->kind != StatementKind::kLoad) continue;
      const Id storage = container->second->location.storage;
      const Abstract* held = storage == kNone ? nullptr : state_.storage.find(map_key(canonical_storage(storage)));
      if (held == nullptr) continue;
      const Abstract elements = *held;
      for (const ObjectId id : objects_of_kind(elements, ObjectKind::kContainer))
        write_field(id, kAnyKey, handle, false);
    }
  }
}

// A handle made through a pointer: the pointee becomes the handle. The pointer is `&place`: the load that it was made
// of says which place, and for an element of an array which array.
void Interpreter::store_through(std::size_t argument, const Abstract& handle, const CallSite& site) {
  if (site.statement == nullptr || site.statement->args.size() <= argument || site.where.function == kNone) return;
  const Function& function = facts_.functions[static_cast<std::size_t>(site.where.function)];
  const auto definition = [&](Id value) -> const Statement* {
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (value != kNone && s.result == value) return &s;
      }
    }
    return nullptr;
  };
  const Statement* address = definition(site.statement->args[argument]);
  if (address == nullptr) return;
  // `&place`, byref(place), or `buffer.data()`.
  const bool taken = address->kind == StatementKind::kCall && !address->args.empty();
  const bool of_buffer = address->kind == StatementKind::kCall && !taken;
  const Statement* loaded = taken ? definition(address->args[0]) : of_buffer ? definition(address->receiver) : address;
  bool whole = !of_buffer;
  // A buffer of which nothing but its size was given: a compiled program takes all of it.
  const auto empty = [&](ObjectId id) {
    bool only_size = true;
    for_each_field(id, [&](KeyId key, const Abstract& field) {
      const std::string name = key == kAnyKey ? "" : key_names_[static_cast<std::size_t>(key)];
      only_size = only_size && field.objects.empty() && (name == "#0" || name == "#1");
    });
    const NodeSet contents = read_contents(state_, {id});
    return only_size && std::all_of(contents.begin(), contents.end(),
                                    [&](NodeId node) { return graph_.at(node).kind == NodeKind::kAllocation; });
  };
  for (int hops = 0; hops < 8 && loaded != nullptr && loaded->kind == StatementKind::kLoad; ++hops) {
    const Location& at = loaded->location;
    const bool deref =
        at.storage != kNone && facts_.storages[static_cast<std::size_t>(at.storage)].kind == StorageKind::kDeref;
    whole = whole && !at.element && !deref;
    if (at.storage != kNone && !deref) {
      keep_in_fields(at.storage, handle);
      keep_in_elements(function, at.storage, handle);
      Abstract& held = state_.storage.edit(map_key(canonical_storage(at.storage)));
      if (whole ||
          (has_kind(handle, ObjectKind::kProgram) && std::all_of(held.objects.begin(), held.objects.end(), empty))) {
        store_storage(at.storage, handle, site);
      } else {
        join(held, handle);
      }
      return;
    }
    loaded = definition(at.base);
  }
}

std::optional<Abstract> Interpreter::apply_stream(const Operation& operation, const std::string& callee,
                                                  const Abstract* receiver, std::vector<Abstract>& args,
                                                  const CallSite& site) {
  // In C the object is the first argument, in Python and C++ the receiver.
  std::vector<Abstract> operands;
  if (receiver != nullptr) operands.push_back(*receiver);
  operands.insert(operands.end(), args.begin(), args.end());
  const auto streams_in = [&](std::size_t i) {
    return i < operands.size() ? objects_of_kind(operands[i], ObjectKind::kStream) : ObjectSet{};
  };
  const auto find_kind = [&](ObjectKind kind) {
    for (const Abstract& operand : operands) {
      const ObjectSet found = objects_of_kind(operand, kind);
      if (!found.empty()) return found;
    }
    return ObjectSet{};
  };
  const auto made = [&](ObjectKind kind, std::int64_t discriminator) {
    return of_object(make_object(kind, site.where, site.context, discriminator));
  };
  // Who waits is the caller, or the thread that this runs in: what that has waited for is behind whoever joins it.
  const auto wait_for = [&](ObjectSet awaited, bool known) {
    const auto is_thread = [&](ObjectId id) { return object(id).symbol == kThreadSymbol; };
    const bool threaded = !state_.stream.empty() && std::all_of(state_.stream.begin(), state_.stream.end(), is_thread);
    if (!threaded) return join_streams({caller_stream_}, awaited, known);
    if (!known) {
      for (const auto& [stream, work] : state_.pending) awaited.push_back(stream);
    }
    std::erase_if(awaited, is_thread);
    join_streams(state_.stream, awaited, true);
  };
  const auto keep_handle = [&](const Abstract& handle) {
    store_through(0, handle, site);
    for (const ObjectId id : operands.empty() ? ObjectSet{} : operands[0].objects) {
      if (object(id).kind == ObjectKind::kContainer) write_field(id, kAnyKey, handle, false);
    }
  };
  const bool waits =
      operation.kind == OperationKind::kStreamWaitStream || operation.kind == OperationKind::kStreamWaitEvent ||
      operation.kind == OperationKind::kEventWait || operation.kind == OperationKind::kStreamSynchronize ||
      operation.kind == OperationKind::kEventSynchronize || operation.kind == OperationKind::kDeviceSynchronize;
  waits_in_forward = waits_in_forward || (waits && phase_ == Phase::kForward);
  switch (operation.kind) {
    case OperationKind::kStreamCurrent: {
      Abstract current;
      current.objects = callee.find("efault") != std::string::npos ? ObjectSet{caller_stream_} : state_.stream;
      return current;
    }
    case OperationKind::kStreamCreate:
      // A wrapper of a stream that is there already.
      if (Abstract wrapped; !find_kind(ObjectKind::kStream).empty()) {
        wrapped.objects = find_kind(ObjectKind::kStream);
        return wrapped;
      }
      if (callee.starts_with("cuda.core.") && !args.empty() && !only_null(args[0])) {
        std::vector<Abstract> none;
        const auto shown = call_method(args[0], "__cuda_stream__", none, {}, site);  // (version, handle)
        Abstract wrapped;
        for (const ObjectId pair : shown ? shown->objects : ObjectSet{})
          merge_into(wrapped.objects, objects_of_kind(all_fields(pair), ObjectKind::kStream));
        if (wrapped.objects.empty()) wrapped.objects = {caller_stream_};  // could not be told: never accused
        return wrapped;
      }
      return made(ObjectKind::kStream, 0);
    case OperationKind::kStreamCreateInto:
      keep_handle(made(ObjectKind::kStream, 0));
      return open_value({});
    case OperationKind::kEventCreate:
      return made(ObjectKind::kEvent, 0);
    case OperationKind::kEventCreateInto:
      keep_handle(made(ObjectKind::kEvent, 0));
      return open_value({});
    case OperationKind::kGraphCreate:
      return made(ObjectKind::kGraph, 0);
    case OperationKind::kStreamEnter:
    case OperationKind::kGraphEnter: {
      Abstract scope = made(ObjectKind::kScope, operation.kind == OperationKind::kGraphEnter ? 1 : 2);
      Object& object_made = objects_[static_cast<std::size_t>(scope.objects[0])];
      object_made.symbol = operation.kind == OperationKind::kGraphEnter ? "graph" : "stream";
      if (!operands.empty()) object_made.scope_of = operands[0];
      return scope;
    }
    case OperationKind::kStreamSet: {
      const ObjectSet streams = find_kind(ObjectKind::kStream);
      state_.stream = streams.empty() ? ObjectSet{caller_stream_} : streams;
      return open_value({});
    }
    case OperationKind::kStreamWaitStream: {
      const ObjectSet awaited = streams_in(1);
      join_streams(streams_in(0), awaited, !awaited.empty());
      return open_value({});
    }
    case OperationKind::kStreamWaitEvent:
    case OperationKind::kEventWait: {
      const ObjectSet events = find_kind(ObjectKind::kEvent);
      ObjectSet waiting = find_kind(ObjectKind::kStream);
      if (waiting.empty()) waiting = state_.stream;
      if (events.empty()) {
        join_streams(waiting, {}, false);
        return open_value({});
      }
      for (const ObjectId event : events) {
        const auto covered = state_.recorded.find(event);
        if (covered == state_.recorded.end()) continue;
        for (const auto& [stream, nodes] : covered->second) {
          const auto pending = state_.pending.find(stream);
          if (pending == state_.pending.end()) continue;
          NodeSet later;  // put on the stream after the event was
          std::set_difference(pending->second.begin(), pending->second.end(), nodes.begin(), nodes.end(),
                              std::back_inserter(later));
          join_streams(waiting, {stream}, true);
          if (!later.empty()) state_.pending[stream] = std::move(later);
        }
      }
      return open_value({});
    }
    case OperationKind::kStreamSynchronize: {
      const ObjectSet awaited = streams_in(0);
      wait_for(awaited, !awaited.empty());
      return open_value({});
    }
    case OperationKind::kEventSynchronize: {
      for (const ObjectId event : find_kind(ObjectKind::kEvent)) {
        for (const auto& [stream, nodes] : state_.recorded[event]) wait_for({stream}, true);
      }
      return open_value({});
    }
    case OperationKind::kDeviceSynchronize:
      wait_for({}, false);
      return open_value({});
    case OperationKind::kEventRecord: {
      ObjectSet events = find_kind(ObjectKind::kEvent);
      Abstract result = open_value({});
      if (events.empty()) {
        // stream.record_event() makes its event.
        result = made(ObjectKind::kEvent, 1);
        events = result.objects;
      }
      ObjectSet streams = find_kind(ObjectKind::kStream);
      // A stream was named and could not be told: the event may cover any of them.
      const bool stream_not_known = streams.empty() && operands.size() > 1;
      if (streams.empty()) streams = state_.stream;
      if (stream_not_known) {
        for (const auto& [stream, nodes] : state_.pending) insert_into(streams, stream);
      }
      for (const ObjectId event : events) {
        state_.recorded[event].clear();
        for (const ObjectId stream : streams) {
          const auto it = state_.pending.find(stream);
          state_.recorded[event][stream] = it == state_.pending.end() ? NodeSet{} : it->second;
        }
      }
      return result;
    }
    case OperationKind::kGraphReplay: {
      Abstract graph;
      graph.objects = find_kind(ObjectKind::kGraph);
      if (graph.objects.empty())
        return only_null(operands.empty() ? Abstract{} : operands[0]) ? std::optional(open_value({})) : std::nullopt;
      const ObjectSet own = state_.stream, given = find_kind(ObjectKind::kStream);
      if (!given.empty()) state_.stream = given;
      replay(graph, site);
      state_.stream = own;
      return open_value({});
    }
    case OperationKind::kCaptureBegin: {
      ObjectSet graphs = find_kind(ObjectKind::kGraph);
      if (graphs.empty()) graphs = made(ObjectKind::kGraph, 2).objects;
      merge_into(state_.capturing, graphs);
      return open_value({});
    }
    case OperationKind::kCaptureEnd: {
      Abstract graph;
      graph.objects = state_.capturing;
      if (!graph.objects.empty()) store_through(1, graph, site);
      state_.capturing.clear();
      return open_value({});
    }
    case OperationKind::kGraphInstantiate: {
      Abstract graph;
      for (std::size_t i = 1; i < operands.size(); ++i)
        merge_into(graph.objects, objects_of_kind(operands[i], ObjectKind::kGraph));
      if (!graph.objects.empty()) store_through(0, graph, site);
      return open_value({});
    }
    default:
      return std::nullopt;
  }
}

}  // namespace kernel_audit::analysis::facts
