// What the interpreter keeps for rules that ask which operations ran: calls by name, stores to packages,
// values that come from around the candidate.
#include <algorithm>

#include "analysis/facts/compiled_in.h"
#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/surroundings.h"

namespace kernel_audit::analysis::facts {

void Interpreter::note_operation(const std::string& name, const CallSite& site) {
  if (site.where.block == kNone) return;
  OperationRecord& record = operations[site.where];
  (phase_ == Phase::kImport ? record.at_import : phase_ == Phase::kInit ? record.at_init : record.in_forward) = true;
  record.in_later_calls = record.in_later_calls || (phase_ == Phase::kForward && call_ > 0);
  if (name.empty() || std::find(record.names.begin(), record.names.end(), name) != record.names.end()) return;
  record.names.push_back(name);
}

void Interpreter::note_step(const Abstract& iterated, const StatementRef& where) {
  if (phase_ != Phase::kForward) return;
  const bool nothing = Frame::holds_nothing(*this, iterated);
  const auto [known, first] = steps_of_nothing.try_emplace(where, nothing);
  known->second = known->second && nothing;
}

void Interpreter::note_launch_amounts(Frame& frame, Id kernel, const Statement& statement, const LaunchArguments& given,
                                      const StatementRef& where) {
  if (phase_ != Phase::kForward) return;
  LaunchAmounts& amounts = launch_amounts[where];
  // What decides whether it is launched at all decides no amount of it.
  const auto take = [&](NodeSet& into, const NodeSet& nodes) {
    NodeSet others;
    std::set_difference(nodes.begin(), nodes.end(), around_.begin(), around_.end(), std::back_inserter(others));
    merge_into(into, others);
  };
  take(amounts.grid, nodes_of(value(frame, statement.launch->grid)));
  take(amounts.tuning, nodes_of(value(frame, statement.launch->block)));
  const std::vector<Parameter> none;
  const auto& parameters = kernel == kNone ? none : facts_.functions[static_cast<std::size_t>(kernel)].parameters;
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const int at = parameter_of(kernel, given, i);
    // How it is compiled: num_warps
    if (has_kind(given.values[i], ObjectKind::kTensor) || at == kNoParameter) continue;
    if (kernel == kNone && !given.names[i].empty()) continue;
    const bool known = at >= 0 && at < std::ssize(parameters);
    const bool compiled_in = known && parameters[static_cast<std::size_t>(at)].type.name == kCompiledIn;
    take(compiled_in ? amounts.tuning : amounts.arguments, given.values[i].nodes);
  }
}

// a[begin:end] of a tensor.
void Interpreter::note_part(const NodeSet& amount, const StatementRef& where) {
  if (phase_ == Phase::kForward && !amount.empty()) merge_into(parts_taken[where], amount);
}

// What is handed to work that reads it; a tensor of which a part is looked at stands for that part.
void Interpreter::note_input_read(const Abstract& value, int depth) {
  if (phase_ != Phase::kForward || depth > 1) return;
  for (const ObjectId id : value.objects) {
    if (object(id).kind == ObjectKind::kContainer) {
      for_each_field(id, [&](KeyId, const Abstract& held) { note_input_read(held, depth + 1); });
    } else if (const int position = argument_behind(id); position >= 0 && !value.partial) {
      input_reads[position].whole = true;
    }
  }
}

void Interpreter::note_part_of_input(const Abstract& whole, bool told_apart, const CallSite& site) {
  if (phase_ != Phase::kForward) return;
  for (const ObjectId id : objects_of_kind(whole, ObjectKind::kTensor)) {
    const int position = argument_behind(id);
    if (position < 0) continue;
    InputReads& reads = input_reads[position];
    if (told_apart)
      reads.parts.emplace(site.where, site.context);
    else
      reads.other = true;
  }
}

// y.expand(…), torch.tile(y, …), torch.cat([y, y]).
void Interpreter::note_repeat(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site) {
  if (phase_ != Phase::kForward || operands.empty()) return;
  static const std::set<std::string> repeating = {"expand", "expand_as",         "broadcast_to",
                                                  "repeat", "repeat_interleave", "tile"};
  static const std::set<std::string> joining = {"cat", "concat", "concatenate", "stack", "vstack", "hstack", "dstack"};
  const std::string name = callee.substr(callee.find_last_of(".:") + 1);
  if (repeating.contains(name)) merge_into(repeats[site.where], nodes_of(operands[0]));
  if (!joining.contains(name)) return;
  for (const ObjectId list : objects_of_kind(operands[0], ObjectKind::kContainer)) {
    ObjectSet seen;
    for_each_field(list, [&](KeyId, const Abstract& held) {
      const bool again = held.objects.size() == 1 && std::binary_search(seen.begin(), seen.end(), held.objects[0]);
      if (again && !held.partial) merge_into(repeats[site.where], nodes_of(held));
      merge_into(seen, held.objects);
    });
  }
}

// What a call of the framework's looks at of the arguments of forward, and whether it repeats it.
void Interpreter::note_reads(const Operation& operation, const std::string& callee,
                             const std::vector<Abstract>& operands, const Keywords& keywords, const CallSite& site) {
  note_repeat(callee, operands, site);
  if (operation.kind == OperationKind::kPartialView && !operands.empty()) {
    const std::string name = callee.substr(callee.find_last_of(".:") + 1);
    const bool one = name == "select" || name == "narrow" || name == "slice";
    // Of several parts, their elements say which are taken.
    if (name.find("chunk") == std::string::npos && name.find("split") == std::string::npos && name != "unbind")
      note_part_of_input(operands[0], one, site);
  }
  if (!reads_contents(operation.kind) || callee.ends_with("contiguous")) return;
  for (const Abstract& operand : operands) note_input_read(operand);
  for (const auto& [name, given] : keywords) note_input_read(given);
}

// Those that something around the candidate has a part in.
NodeSet Interpreter::chosen_by_surroundings(const NodeSet& nodes) const {
  NodeSet chosen;
  for (const NodeId id : nodes) {
    bool found = false;
    graph_.walk({id}, [&](const Node& node, NodeId) {
      found = found || node.kind == NodeKind::kSurroundings;
      return node.kind == NodeKind::kScalar || node.kind == NodeKind::kMetadata;
    });
    if (found) insert_into(chosen, id);
  }
  return chosen;
}

// What around the candidate decides whether a block runs, in its function and in those that called it.
NodeSet Interpreter::decided_around(const Frame& frame, Id block) const {
  NodeSet nodes = frame.around;
  if (const Id handler = frame.function->blocks[static_cast<std::size_t>(block)].handler_of; handler != kNone) {
    if (const auto tried = tried_.find({frame.id, handler}); tried != tried_.end()) merge_into(nodes, tried->second);
  }
  const auto own = sniffs_.lower_bound({frame.id, 0});
  if (own == sniffs_.end() || own->first.first != frame.id) return nodes;
  for (const Id decider : flow(frame.id).deciders(block)) {
    if (const auto sniff = sniffs_.find({frame.id, decider}); sniff != sniffs_.end()) merge_into(nodes, sniff->second);
  }
  return nodes;
}

void Interpreter::note_sniff(const Frame& frame, Id block, const NodeSet& condition) {
  const NodeSet looked_at = settings_in(condition);
  if (!looked_at.empty()) merge_into(sniffs_[{frame.id, block}], looked_at);
}

// os.environ["X"] in a try: whether it is there decides whether a handler runs.
void Interpreter::note_tried(const Frame& frame, Id block, Id value) {
  const Id in_try = frame.function->blocks[static_cast<std::size_t>(block)].in_try;
  const auto read = frame.values.find(value);
  if (in_try == kNone || read == frame.values.end()) return;
  Abstract symbols;
  symbols.objects = objects_of_kind(read->second, ObjectKind::kSymbol);
  NodeSet nodes = read->second.nodes;
  merge_into(nodes, nodes_of(symbols));
  const NodeSet settings = settings_in(nodes);
  if (!settings.empty()) merge_into(tried_[{frame.id, in_try}], settings);
}

// What of the surroundings has a part in them, files and clocks aside: what a file holds is no setting, and the faster
// of two is chosen by a clock. Also through calls that are not known, as on a way where nothing was found that they
// could be made on.
NodeSet Interpreter::settings_in(const NodeSet& nodes) const {
  NodeSet found;
  graph_.walk(nodes, [&](const Node& node, NodeId id) {
    const Surroundings what =
        node.kind == NodeKind::kSurroundings ? surroundings_of(node.name) : Surroundings::kNothing;
    if (what != Surroundings::kNothing && what != Surroundings::kFile && what != Surroundings::kClock)
      insert_into(found, id);
    return node.kind == NodeKind::kScalar || node.kind == NodeKind::kMetadata || node.kind == NodeKind::kUnknown ||
           node.kind == NodeKind::kFramework;
  });
  return found;
}

// A setting that is one thing or another as what is around the candidate says; what tensors hold is another matter.
void Interpreter::add_decided(Abstract& value, const NodeSet& around) const {
  if (around.empty()) return;
  const bool setting = std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
    const ObjectKind kind = object(id).kind;
    return kind == ObjectKind::kFunction || kind == ObjectKind::kInstance || kind == ObjectKind::kClass ||
           (kind == ObjectKind::kContainer && !has_kind(all_fields(id), ObjectKind::kTensor));
  });
  if (setting) merge_into(value.nodes, around);
}

// Of `a if test else b`: what decided which of the ways led there.
void Interpreter::add_choice_of_phi(const Frame& frame, Abstract& chosen, Id block) const {
  for (const Id before : flow(frame.id).predecessors(block)) {
    add_decided(chosen, decided_around(frame, before));
    if (const auto sniff = sniffs_.find({frame.id, before}); sniff != sniffs_.end()) add_decided(chosen, sniff->second);
  }
}

void Interpreter::note_chosen_callee(const Abstract& called, const StatementRef& where) {
  if (phase_ != Phase::kForward || called.objects.size() < 2 || called.nodes.empty()) return;
  const auto own = std::count_if(called.objects.begin(), called.objects.end(), [&](ObjectId id) {
    const ObjectKind kind = object(id).kind;
    return kind == ObjectKind::kFunction || kind == ObjectKind::kInstance || kind == ObjectKind::kClass;
  });
  const NodeSet by = own > 1 ? chosen_by_surroundings(called.nodes) : NodeSet{};
  if (!by.empty()) merge_into(chosen_callees[where], by);
}

void Interpreter::note_foreign_store(const std::string& name, const Abstract& stored, const CallSite& site) {
  for (ForeignStore& known : foreign_stores) {
    if (known.name != name || known.where != site.where || known.phase != phase_) continue;
    join(known.value, stored);
    return;
  }
  foreign_stores.push_back({name, site.where, site.context, phase_, stored});
}

// A method that was handed on as a value: the extractors name the function, not what it is bound to.
void Interpreter::bind_missing_receiver(Id function_id, std::vector<Abstract>& args) {
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  if (function.class_id == kNone || function.is_static_method || function.parameters.empty() ||
      function.enclosing_function != kNone)
    return;
  if (!args.empty()) {
    for (const ObjectId id : args[0].objects) {
      if (object(id).kind == ObjectKind::kInstance && related(object(id).class_id, function.class_id)) return;
    }
  }
  for (std::size_t i = objects_.size(); i-- > 0;) {
    if (objects_[i].kind != ObjectKind::kInstance || !related(objects_[i].class_id, function.class_id)) continue;
    args.insert(args.begin(), of_object(static_cast<ObjectId>(i)));
    return;
  }
}

// A graph from an earlier call is replayed, and none of the buffers that it reads holds anything that this call
// was handed. Said only when what it reads and computes is known.
void Interpreter::note_stale_replay(ObjectId graph, const Capture& capture, const CallSite& site) {
  if (phase_ != Phase::kForward || capture.nodes.empty()) return;
  if (object(graph).phase == Phase::kForward && !object(graph).from_earlier_call) return;
  const auto holds = [&](const NodeSet& from, NodeKind kind, bool through_state) {
    bool found = false;
    graph_.walk(from, [&](const Node& node, NodeId) {
      found = found || node.kind == kind;
      return !found && (through_state || node.kind != NodeKind::kState);
    });
    return found;
  };
  if (holds(capture.nodes, NodeKind::kUnknown, true)) return;
  NodeSet current;
  for (const ObjectId read : capture.read) merge_into(current, read_contents(state_, {read}));
  if (holds(current, NodeKind::kArgument, false) || holds(current, NodeKind::kUnknown, true)) return;
  if (std::find(stale_replays.begin(), stale_replays.end(), site.where) == stale_replays.end())
    stale_replays.push_back(site.where);
}

// Symbols among the operands, or in containers among them, that stand for something around the candidate.
NodeSet Interpreter::surroundings_in(const std::vector<Abstract>& operands) {
  NodeSet found;
  for (const Abstract& operand : operands) {
    for (const ObjectId id : objects_of_kind(operand, ObjectKind::kContainer)) {
      for (const NodeId inner : all_fields(id).nodes) {
        if (graph_.at(inner).kind == NodeKind::kSurroundings) insert_into(found, inner);
      }
    }
    if (!has_kind(operand, ObjectKind::kSymbol)) continue;
    Abstract symbols;
    symbols.objects = objects_of_kind(operand, ObjectKind::kSymbol);
    for (const NodeId id : nodes_of(symbols)) {
      if (graph_.at(id).kind == NodeKind::kSurroundings) insert_into(found, id);
    }
  }
  return found;
}

Abstract Interpreter::surroundings_value(const std::string& name, const CallSite& site, const NodeSet& inputs,
                                         bool tensor) {
  const NodeId node = graph_.node(NodeKind::kSurroundings, site.where, site.context, 0);
  graph_.at(node).name = name;
  graph_.at(node).phase = phase_;
  graph_.add_operands(node, 0, inputs);
  if (!tensor) return open_value({node});
  Abstract value = fresh_tensor(site, {node}, -8);  // a file may hold a tensor
  value.open = true;
  value.nodes = {node};
  return value;
}

void Interpreter::collect_return(const Abstract& value, const StatementRef& where) {
  EntryReturn found;
  found.where = where;
  found.value = value;
  flatten(value, found, 0);
  for (const auto& [stream, nodes] : state_.pending) {
    if (!nodes.empty()) found.pending[stream] = nodes;
  }
  for (EntryReturn& known : returns) {
    if (known.where != where) continue;
    join(known.value, found.value);
    for (std::size_t i = 0; i < found.parts.size(); ++i) {
      if (i < known.parts.size()) {
        merge_into(known.parts[i], found.parts[i]);
      } else {
        known.parts.push_back(found.parts[i]);
      }
    }
    merge_into(known.instances, found.instances);
    merge_into(known.tensors, found.tensors);
    for (const auto& [stream, nodes] : found.pending) merge_into(known.pending[stream], nodes);
    return;
  }
  returns.push_back(std::move(found));
}

void Interpreter::flatten(const Abstract& value, EntryReturn& out, int depth) {
  const ObjectSet tensors = objects_of_kind(value, ObjectKind::kTensor);
  merge_into(out.tensors, tensors);
  // An own tensor class: what its storage holds is not what it shows.
  const bool own_class = std::any_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
    return object(id).kind == ObjectKind::kInstance && overrides_tensor(object(id).class_id);
  });
  NodeSet nodes = tensors.empty() || own_class ? NodeSet{} : read_contents(state_, tensors);
  merge_into(nodes, value.nodes);
  if (has_kind(value, ObjectKind::kSymbol)) {
    Abstract symbols;
    symbols.objects = objects_of_kind(value, ObjectKind::kSymbol);
    merge_into(nodes, nodes_of(symbols));
  }
  if (!nodes.empty()) out.parts.push_back(std::move(nodes));
  for (const ObjectId id : value.objects) {
    const bool instance = object(id).kind == ObjectKind::kInstance;
    if (instance) insert_into(out.instances, id);
    if (depth > 4) continue;
    // A tuple or list of an own class, as it was made.
    ObjectSet holders = instance ? read_field(id, key_of(kElements)).objects : ObjectSet{};
    const bool named = instance && derives_from(object(id).class_id, "typing.NamedTuple");
    if (named || object(id).kind == ObjectKind::kContainer) holders.push_back(id);
    for (const ObjectId holder : holders)
      for_each_field(holder, [&](KeyId, const Abstract& item) { flatten(item, out, depth + 1); });
  }
}

Abstract Interpreter::apply_wrapper(const std::string& callee, std::vector<Abstract>& args, const CallSite& site) {
  if (auto made = operator_to_bind(*this, callee, args)) return symbol(*made);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Abstract& arg = args[i];
    const bool callable = has_kind(arg, ObjectKind::kFunction) || has_kind(arg, ObjectKind::kInstance) ||
                          has_kind(arg, ObjectKind::kModule);
    if (!callable && !(has_kind(arg, ObjectKind::kSymbol) && i == 0 && callee != "functools.wraps")) continue;
    if (callee == "functools.wraps") break;
    if (callee == "functools.partial" && i == 0 && args.size() > 1 && has_kind(arg, ObjectKind::kSymbol))
      return bound_arguments(arg, args, site);
    if ((callee == "functools.partial" || callee == "std::bind" || callee == "types.MethodType") &&
        i + 1 < args.size() && has_kind(arg, ObjectKind::kFunction)) {
      Abstract bound;
      for (const ObjectId id : objects_of_kind(arg, ObjectKind::kFunction)) {
        std::vector<Abstract> leading = object(id).bound;
        leading.insert(leading.end(), args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
        join(bound, function_value(object(id).function, std::move(leading), site));
      }
      return bound;
    }
    return arg;
  }
  // As a decorator factory or a context manager: `torch.compile(mode=…)(f)`, `with torch.no_grad():`.
  if (!args.empty() && has_kind(args[0], ObjectKind::kTensor)) return args[0];  // std::move
  return symbol(callee);
}

}  // namespace kernel_audit::analysis::facts
