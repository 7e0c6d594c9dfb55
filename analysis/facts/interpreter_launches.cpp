// Kernels whose source is compiled while the candidate runs, by NVRTC from C++ or ctypes and by cuda.core: which kernel
// the handle stands for that the driver is given, and which of the buffers that were handed to it in one piece it
// writes.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "auditor/core/digest.h"

namespace kernel_audit::analysis::facts {
namespace {

// The kernel that a name means which NVRTC or the driver is asked for: "&space::scale<float>".
std::string plain_kernel_name(const std::string& asked) {
  std::string name = asked.substr(0, asked.find('<'));
  if (const auto colon = name.rfind("::"); colon != std::string::npos) name.erase(0, colon + 2);
  std::erase_if(name, [](char c) { return c == '&' || c == ' '; });
  return name;
}

}  // namespace

// The source that is given to a compiler, as an object: what is made of it stays it.
Abstract Interpreter::program_of(const std::string& extension, const CallSite& site) {
  if (extension.empty()) return unknown("the source of a program that is compiled at run time is not known", site);
  const ObjectId id =
      make_object(ObjectKind::kProgram, StatementRef{}, 0, static_cast<std::int64_t>(key_of(extension)));
  objects_[static_cast<std::size_t>(id)].symbol = extension;
  return of_object(id);
}

// The unit that was read of a source with this text.
std::string Interpreter::extension_of_text(const std::string& text) const {
  const std::string digest = sha256_hex(text);
  for (const Unit& unit : facts_.units) {
    if (unit.sha256 == digest && unit.language == UnitLanguage::kCuda) return unit.extension;
  }
  return {};
}

// The one kernel of that name among the sources of the programs; else a value that is not known.
Abstract Interpreter::kernel_of(const ObjectSet& programs, const Abstract& name, const CallSite& site) {
  const auto wanted = text_of(name);
  if (!wanted) return unknown("the name of the kernel that a program is asked for is not known", site);
  const std::string plain = plain_kernel_name(*wanted);
  ObjectSet found;
  for (const ObjectId program : programs) {
    for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
      const Function& function = facts_.functions[f];
      if (!function.is_kernel || function.blocks.empty() || function.unit == kNone || function.name != plain) continue;
      if (facts_.units[static_cast<std::size_t>(function.unit)].extension != object(program).symbol) continue;
      merge_into(found, function_value(static_cast<Id>(f), {}, site).objects);
    }
  }
  if (found.size() != 1) return unknown("which kernel '" + plain + "' is could not be told", site);
  return of_object(found.front());
}

std::optional<Abstract> Interpreter::apply_program(const std::string& callee, std::vector<Abstract>& operands,
                                                   const CallSite& site) {
  const std::string_view last = std::string_view(callee).substr(callee.find_last_of(".:") + 1);
  if (!last.starts_with("nvrtc") && !last.starts_with("cuModule") && !last.starts_with("cuLibrary") &&
      last != "cuKernelGetFunction" && last != "Program")
    return std::nullopt;
  const auto programs_in = [&](std::size_t i) {
    // All that it may be, or nothing: another image may hold anything.
    if (i >= operands.size() || operands[i].open) return ObjectSet{};
    ObjectSet programs = objects_of_kind(operands[i], ObjectKind::kProgram);
    return programs.size() == operands[i].objects.size() ? programs : ObjectSet{};
  };
  const auto source_of_call = [&] {
    const Id result = site.statement->result;
    const std::string symbol = result == kNone ? "" : facts_.values[static_cast<std::size_t>(result)].symbol;
    return symbol.starts_with("ext:") ? symbol : std::string();
  };
  if (callee == "cuda.core.Program") return program_of(source_of_call(), site);
  const std::string name = library_function(callee, site);
  if (name == "nvrtcCreateProgram" && operands.size() > 1) {
    const auto text = text_of(operands[1]);
    store_through(0, program_of(text ? extension_of_text(*text) : source_of_call(), site), site);
    return open_value({});
  }
  if (name == "nvrtcGetLoweredName" && operands.size() > 2) {
    store_through(2, operands[1], site);
    return open_value({});
  }
  std::size_t from = 1, to = 0;  // a call that makes one form of it of another
  if (name == "nvrtcGetPTX" || name == "nvrtcGetCUBIN" || name == "nvrtcGetLTOIR") {
    from = 0, to = 1;
  } else if (name.starts_with("nvrtc")) {
    return open_value({});  // compiles it, tells sizes and messages
  } else if (!name.starts_with("cuModuleLoadData") && !name.starts_with("cuLibraryLoadData") &&
             name != "cuModuleGetFunction" && name != "cuLibraryGetKernel" && name != "cuLibraryGetModule" &&
             name != "cuKernelGetFunction") {
    return std::nullopt;
  }
  if (name == "cuKernelGetFunction" && operands.size() > from && has_kind(operands[from], ObjectKind::kFunction)) {
    store_through(to, operands[from], site);
    return open_value({});
  }
  const ObjectSet programs = programs_in(from);
  if (programs.empty()) return std::nullopt;
  Abstract made;
  made.objects = programs;
  if (name == "cuModuleGetFunction" || name == "cuLibraryGetKernel")
    made = kernel_of(programs, operands.size() > 2 ? operands[2] : Abstract{}, site);
  store_through(to, made, site);
  return open_value({});
}

// Methods of a program in one of its forms: its bytes, what it is compiled to, and its kernels.
Abstract Interpreter::program_method(ObjectId program, const std::string& name, const std::vector<Abstract>& args,
                                     const CallSite& site) {
  if (name == "get_kernel") return kernel_of({program}, args.empty() ? Abstract{} : args[0], site);
  return of_object(program);
}

// A launch through a handle whose kernel is not known is a call of anything.
bool Interpreter::launches_unknown(const Statement& statement, const Abstract& handle) const {
  if (statement.callee != "cuLaunchKernel" || statement.launch->kernel_function != kNone) return false;
  // What is read of a table that holds no kernel yet is nothing: a test stands before it.
  const bool other = handle.open && !handle.nodes.empty();
  return other || !has_kind(handle, ObjectKind::kFunction) || has_kind(handle, ObjectKind::kTensor);
}

// The arguments of a kernel out of the array that holds them, when it is known which is which.
bool Interpreter::unpack_arguments(std::vector<Abstract>& args) const {
  if (args[0].objects.size() != 1) return false;
  bool in_order = true;
  for_each_field(args[0].objects[0], [&](KeyId key, const Abstract&) { in_order = in_order && key != kAnyKey; });
  std::vector<Abstract> items = items_in_order(args[0]);
  if (!in_order || items.empty()) return false;
  args = std::move(items);
  return true;
}

// Buffers whose addresses are handed over within an array, or in C++ within a structure.
ObjectSet Interpreter::held_buffers(const Abstract& value, bool native, int depth) const {
  ObjectSet held;
  if (depth > 3) return held;
  for (const ObjectId id : value.objects) {
    const ObjectKind kind = object(id).kind;
    if (kind != ObjectKind::kContainer && !(native && (kind == ObjectKind::kInstance || kind == ObjectKind::kTensor)))
      continue;
    const Abstract inner = all_fields(id);
    merge_into(held, objects_of_kind(inner, ObjectKind::kTensor));
    merge_into(held, held_buffers(inner, native, depth + 1));
  }
  return held;
}

// The task's input, or what derives from weights alone: what is handed such does not get it to write to.
bool Interpreter::is_input(ObjectId tensor) const {
  const NodeSet contents = read_contents(state_, {tensor});
  return std::any_of(contents.begin(), contents.end(),
                     [&](NodeId node) { return graph_.at(node).kind == NodeKind::kArgument; }) ||
         (graph_.reaches(contents, NodeKind::kWeights) && !graph_.reaches(contents, NodeKind::kArgument));
}

// Which of the buffers in a structure a kernel fills is not told apart: those that nothing has filled, else all that
// are no inputs.
ObjectSet Interpreter::filled_by(NodeId launch, const ObjectSet& held) const {
  ObjectSet unfilled, others;
  for (const ObjectId id : held) {
    const NodeSet contents = read_contents(state_, {id});
    const bool empty = std::all_of(contents.begin(), contents.end(), [&](NodeId node) {
      const NodeKind kind = graph_.at(node).kind;
      return kind == NodeKind::kAllocation || kind == NodeKind::kConstant || node == launch;
    });
    if (empty) unfilled.push_back(id);
    if (!is_input(id)) others.push_back(id);
  }
  return unfilled.empty() ? others : unfilled;
}

void Interpreter::note_launch_arguments(Id kernel, const Statement& statement, const std::vector<Abstract>& args,
                                        const CallSite& site) {
  const auto& parameters = facts_.functions[static_cast<std::size_t>(kernel)].parameters;
  std::vector<Abstract>& noted = launch_arguments[{site.where, site.context}];
  noted.resize(parameters.size());
  const std::size_t by_name = args.size() - std::min(args.size(), statement.keywords.size());
  const auto note = [&](std::size_t parameter, const Abstract& given) {
    join(noted[parameter], given);
    merge_into(noted[parameter].nodes, nodes_of(given));
  };
  for (std::size_t i = 0; i < std::min(by_name, parameters.size()); ++i) note(i, args[i]);
  for (std::size_t k = 0; by_name + k < args.size(); ++k) {
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (parameters[p].name == statement.keywords[k].first) note(p, args[by_name + k]);
    }
  }
}

void Interpreter::note_launch_member(NodeId launch, std::size_t slot, std::size_t argument, const Abstract& structure,
                                     ObjectId buffer) {
  std::set<std::string> names;
  if (structure.objects.size() == 1 && !structure.open) {
    for_each_field(structure.objects[0], [&](KeyId key, const Abstract& held) {
      if (!std::binary_search(held.objects.begin(), held.objects.end(), buffer)) return;
      names.insert(key == kAnyKey ? "" : key_names_[static_cast<std::size_t>(key)]);
    });
  }
  const bool one = names.size() == 1 && !names.contains("");
  const auto [known, fresh] =
      launch_members.try_emplace({launch, slot}, std::pair{argument, one ? *names.begin() : std::string()});
  if (!fresh && (known->second.first != argument || !one || known->second.second != *names.begin()))
    known->second.second.clear();  // may be any
}

// What a kernel certainly stores to of the structures that an argument is: what the members hold that it stores
// through.
std::vector<Abstract> Interpreter::members_written(const Abstract& arg, const KernelAccess& access,
                                                   std::size_t place) const {
  if (!access.known || !access.precise || place >= access.written_members.size()) return {};
  const std::set<std::string>& members = access.written_members[place];
  if (members.empty() || members.contains("") || arg.objects.size() != 1 || arg.open ||
      object(arg.objects[0]).kind != ObjectKind::kInstance)
    return {};
  std::vector<Abstract> targets;
  for (const std::string& name : members) {
    const auto key = keys_.find(name);
    if (key == keys_.end()) return {};
    Abstract held = read_field(arg.objects[0], key->second);
    const ObjectSet inner = held_buffers(held, true, 1);
    merge_into(held.objects, inner);
    if (has_kind(held, ObjectKind::kTensor)) targets.push_back(std::move(held));  // the rest are sizes
  }
  return targets;
}

void Interpreter::launch(Frame& frame, const Statement& statement, const CallSite& site) {
  const Launch& how = *statement.launch;
  std::vector<Abstract> args;
  for (const Id arg : statement.args) args.push_back(value(frame, arg));
  // In one array whose order is not known, an argument may belong to any parameter.
  bool together = statement.star_args && args.size() == 1 && !unpack_arguments(args);
  if (statement.star_args && statement.args.size() > 1) {
    // f[grid](x, *more, **constants)
    std::vector<Abstract> spread;
    for (const Abstract& arg : args) {
      std::vector<Abstract> items = items_in_order(arg);
      for (const ObjectId list : objects_of_kind(arg, ObjectKind::kContainer)) {
        together = together || state_.fields.contains(field_key(list, kAnyKey)) || arg.objects.size() > 1;
        for_each_field(list, [&](KeyId key, const Abstract& held) {
          if (key != kAnyKey && !key_names_[static_cast<std::size_t>(key)].starts_with('#')) items.push_back(held);
        });
      }
      if (!has_kind(arg, ObjectKind::kContainer) || together) items.assign(1, arg);
      spread.insert(spread.end(), items.begin(), items.end());
    }
    args = std::move(spread);
  }
  for (const auto& [name, id] : statement.keywords) args.push_back(value(frame, id));
  if (launches_unknown(statement, value(frame, statement.callee_value))) {
    apply_unknown(statement.callee, args, {}, site);
    return;
  }
  executed_launches.insert(site.where);
  Id kernel = how.kernel_function;
  if (kernel == kNone && statement.callee_value != kNone) {
    // Through a function pointer.
    for (const ObjectId id : objects_of_kind(value(frame, statement.callee_value), ObjectKind::kFunction)) {
      kernel = kernel == kNone || kernel == object(id).function ? object(id).function : kNone;
      handle_choices[site.where].insert(object(id).function);
    }
  }
  if (how.kernel_function == kNone) {
    const auto [known, first] = handle_kernels.try_emplace(site.where, kernel);
    if (!first && known->second != kernel) known->second = kNone;
  }
  if (kernel != kNone && !together) note_launch_arguments(kernel, statement, args, site);
  const KernelAccess* access = kernel == kNone ? nullptr : &kernel_access(kernel);
  // A kernel that only copies makes nothing: what is there afterwards is what was there before.
  const bool copies = access != nullptr && access->known && access->copies;
  const NodeId node =
      graph_.node(copies ? NodeKind::kCopy : NodeKind::kLaunch, site.where, site.context, copies ? 8 : 0);
  const bool named = how.kernel_function == kNone && kernel != kNone;
  graph_.at(node).name = (copies ? "kernel " : "") +
                         (named ? facts_.functions[static_cast<std::size_t>(kernel)].qualified_name : how.kernel_name);
  graph_.at(node).kernel = kernel;
  graph_.at(node).phase = phase_;
  const auto may_write = [&](std::size_t i) {
    return together || access == nullptr || !access->known || i >= access->written.size() || access->written[i];
  };
  const auto may_read = [&](std::size_t i) {
    return together || access == nullptr || !access->known || i >= access->read.size() || access->read[i];
  };
  const auto unfilled = [&](NodeId id) {
    return graph_.at(id).kind == NodeKind::kAllocation || graph_.at(id).kind == NodeKind::kConstant || id == node;
  };
  std::vector<ObjectSet> held;
  std::size_t slots = args.size();
  for (const Abstract& arg : args) held.push_back(held_buffers(arg, in_native(frame.id)));
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto read = [&](const NodeSet& handed, std::size_t slot) {
      NodeSet inputs;
      for (const NodeId id : handed) {
        if (!may_read(i) && !graph_.reaches({id}, NodeKind::kState) && may_write(i)) continue;
        if (may_write(i) && unfilled(id)) continue;
        if (!may_read(i)) continue;
        insert_into(inputs, id);
      }
      graph_.add_slot(node, copies ? 0 : slot, inputs);
    };
    NodeSet alone = nodes_of(args[i]);
    for (const ObjectId id : held[i]) {  // each buffer of a structure for itself: all of them are used
      const NodeSet contents = read_contents(state_, {id});
      std::erase_if(alone, [&](NodeId each) { return std::binary_search(contents.begin(), contents.end(), each); });
      note_launch_member(node, slots, i, args[i], id);
      read(contents, slots++);
    }
    read(alone, i);
  }
  certain_writes_ = access != nullptr && access->known && access->precise;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!has_kind(args[i], ObjectKind::kTensor) || !may_write(i)) continue;
    // Two kernels may fill a buffer together, each its own part.
    const NodeSet before = may_read(i) ? NodeSet{} : nodes_of(args[i]);
    Abstract filled = args[i];
    filled.partial = filled.partial || std::any_of(before.begin(), before.end(), [&](NodeId id) {
                       const Node& other = graph_.at(id);
                       return other.kind == NodeKind::kLaunch && other.where != site.where && other.phase == phase_;
                     });
    write_tensor(filled, {node}, site, 10 + static_cast<std::int64_t>(i));
  }
  std::vector<std::vector<Abstract>> members(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (access == nullptr || together || held[i].empty() || !may_write(i)) continue;
    members[i] = members_written(args[i], *access, i);
    for (std::size_t m = 0; m < members[i].size(); ++m)
      write_tensor(members[i][m], {node}, site, 1000 + static_cast<std::int64_t>(i * 100 + m));
  }
  certain_writes_ = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!may_write(i) || !members[i].empty()) continue;
    for (const ObjectId id : filled_by(node, held[i])) {
      note_write({id});
      write_contents({id}, {node});
    }
  }
  certain_writes_ = true;
  const bool buffers =
      std::any_of(args.begin(), args.end(), [&](const Abstract& arg) { return has_kind(arg, ObjectKind::kTensor); }) ||
      std::any_of(held.begin(), held.end(), [](const ObjectSet& in) { return !in.empty(); });
  if (!buffers && phase_ == Phase::kForward) blind_launches.insert(site.where);
  for (const ObjectId graph : state_.capturing) {
    insert_into(captures_[graph].nodes, node);
    for (const Abstract& arg : args) merge_into(captures_[graph].read, objects_of_kind(arg, ObjectKind::kTensor));
    for (const ObjectSet& in : held) merge_into(captures_[graph].read, in);
  }
  // Which stream.
  ObjectSet streams = state_.stream;
  const Abstract stream = value(frame, how.stream);
  if (how.stream_origin == "per-thread") {
    streams = {per_thread_stream_ >= 0 ? per_thread_stream_ : per_thread_stream_ = special_stream("per-thread", false)};
  } else if (how.stream != kNone && has_kind(stream, ObjectKind::kStream)) {
    streams = objects_of_kind(stream, ObjectKind::kStream);
  } else if (how.stream_origin == "default" || (how.stream == kNone && how.stream_origin.empty())) {
    const Id unit = frame.function->unit;
    const bool native = unit != kNone && facts_.units[static_cast<std::size_t>(unit)].language != UnitLanguage::kPython;
    if (native) streams = {caller_stream_};
    if (native) {
      for (const std::string& flag : facts_.units[static_cast<std::size_t>(unit)].build_flags) {
        if (flag.find("per-thread") != std::string::npos ||
            flag.find("CUDA_API_PER_THREAD_DEFAULT_STREAM") != std::string::npos) {
          streams = {per_thread_stream_ >= 0 ? per_thread_stream_
                                             : per_thread_stream_ = special_stream("per-thread", false)};
        }
      }
    }
  } else if (how.stream_origin == "created") {
    // Created, and the handle was not followed to where: any join whose stream is not known joins it.
    streams = {created_stream_ >= 0 ? created_stream_ : created_stream_ = special_stream("created", false)};
  } else if (how.stream_origin == "unknown" && in_native(frame.id) && stream.constants.empty() &&
             statement.callee != "cudaLaunchKernelEx") {  // whose configuration need not name one
    const ObjectId made = make_object(ObjectKind::kStream, StatementRef{}, 0, kNone);
    objects_[static_cast<std::size_t>(made)].symbol = "unknown";
    streams = {made};
  } else if (how.stream != kNone) {
    streams = {caller_stream_};  // could not be told: never accused
  }
  note_work(node, streams);
}

}  // namespace kernel_audit::analysis::facts
