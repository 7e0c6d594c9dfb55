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

// Buffers whose addresses are handed over within an array, in C++ within a structure, or by a holder of PyCUDA's.
ObjectSet Interpreter::held_buffers(const Abstract& value, bool native, int depth) const {
  ObjectSet held;
  for (const ObjectId id : depth > 3 ? ObjectSet{} : value.objects) {
    const ObjectKind kind = object(id).kind;
    const bool structure = kind == ObjectKind::kInstance &&
                           (native || derives_from(object(id).class_id, "pycuda.driver.PointerHolderBase"));
    if (kind != ObjectKind::kContainer && kind != ObjectKind::kTensor && !structure) continue;
    const Abstract* table =
        native || kind != ObjectKind::kTensor ? nullptr : state_.fields.find(field_key(id, kAnyKey));
    if (!native && kind == ObjectKind::kTensor && table == nullptr) continue;
    const Abstract inner = table != nullptr ? *table : all_fields(id);
    merge_into(held, objects_of_kind(inner, ObjectKind::kTensor));
    merge_into(held, held_buffers(inner, native, depth + 1));
  }
  return held;
}

// Memory that an address is put into, or a table of them is copied to: who is handed it has what they point to.
void Interpreter::put_addresses(const ObjectSet& memory, const Abstract& from, const CallSite& site) {
  Abstract held;
  held.objects = held_buffers(from, in_native(site.where.function));
  const bool address = std::any_of(from.nodes.begin(), from.nodes.end(), [&](NodeId id) {
    return graph_.at(id).kind == NodeKind::kIdentity && graph_.at(id).name.ends_with("data_ptr");
  });
  if (address) merge_into(held.objects, objects_of_kind(from, ObjectKind::kTensor));
  if (held.objects.empty()) return;
  for (const ObjectId id : memory) {
    if (object(id).kind == ObjectKind::kTensor) write_field(id, kAnyKey, held, false);
  }
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

// The parameter of a kernel that an argument of a launch goes to: kAnywhere where that is not known, kNoParameter where
// the kernel has none of that name.
int Interpreter::parameter_of(Id kernel, const LaunchArguments& given, std::size_t argument) const {
  if (given.names[argument].empty()) return argument < given.in_order ? static_cast<int>(argument) : kAnywhere;
  if (kernel == kNone) return kAnywhere;
  const auto& parameters = facts_.functions[static_cast<std::size_t>(kernel)].parameters;
  const auto named = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& each) { return each.name == given.names[argument]; });
  return named == parameters.end() ? kNoParameter : static_cast<int>(named - parameters.begin());
}

// Whether all that containers hold goes by names that are known.
bool Interpreter::named_alone(const ObjectSet& containers) const {
  bool named = true;
  for (const ObjectId id : containers) {
    for_each_field(id, [&](KeyId key, const Abstract&) {
      named = named && key != kAnyKey && !key_names_[static_cast<std::size_t>(key)].starts_with('#');
    });
  }
  return named;
}

// f[grid](x, *more, **constants): past a list whose length is not known, an argument may belong to any parameter.
void Interpreter::spread_launch_arguments(LaunchArguments& given) const {
  LaunchArguments spread;
  bool in_order = true;
  const auto add = [&](const Abstract& value, const std::string& name) {
    spread.values.push_back(value);
    spread.names.push_back(name);
    if (in_order && name.empty()) spread.in_order = spread.values.size();
  };
  for (const Abstract& arg : given.values) {
    const ObjectSet lists = objects_of_kind(arg, ObjectKind::kContainer);
    if (lists.size() > 1 && lists.size() == arg.objects.size() && !arg.open && named_alone(lists)) {
      std::map<std::string, Abstract> entries;  // of one of several dictionaries
      for (const ObjectId list : lists) {
        for_each_field(list, [&](KeyId key, const Abstract& held) {
          join(entries[key_names_[static_cast<std::size_t>(key)]], held);
        });
      }
      for (const auto& [name, held] : entries) add(held, name);
      continue;
    }
    const std::vector<Abstract> items = items_in_order(arg);
    const bool one = arg.objects.size() == 1;
    const bool known = lists.empty() || (arg.objects.size() == lists.size() && !arg.open && (one || !items.empty()) &&
                                         std::none_of(lists.begin(), lists.end(), [&](ObjectId list) {
                                           return state_.fields.contains(field_key(list, kAnyKey));
                                         }));
    in_order = in_order && known;
    if (lists.empty() || !known) {
      add(arg, "");
      continue;
    }
    for (const Abstract& item : items) add(item, "");
    if (!one) continue;
    for_each_field(lists.front(), [&](KeyId key, const Abstract& held) {
      const std::string& name = key_names_[static_cast<std::size_t>(key)];
      if (!name.starts_with('#')) add(held, name);
    });
  }
  given = std::move(spread);
}

Interpreter::LaunchArguments Interpreter::arguments_of_launch(Frame& frame, const Statement& statement) {
  LaunchArguments given;
  for (const Id arg : statement.args) given.values.push_back(value(frame, arg));
  given.in_order = given.values.size();
  given.names.resize(given.values.size());
  if (statement.star_args && given.values.size() == 1 && unpack_arguments(given.values)) {
    given.in_order = given.values.size();
    given.names.resize(given.values.size());
  } else if (statement.star_args && given.values.size() == 1 && in_native(frame.id)) {
    given.in_order = 0;  // one array
  } else if (statement.star_args) {
    spread_launch_arguments(given);
  }
  for (const auto& [name, id] : statement.keywords) {
    given.values.push_back(value(frame, id));
    given.names.push_back(name);
  }
  return given;
}

void Interpreter::note_launch_arguments(Id kernel, const LaunchArguments& given, const CallSite& site) {
  const auto buffers = [&](std::size_t i) {
    return has_kind(given.values[i], ObjectKind::kTensor) || !held_buffers(given.values[i], false).empty();
  };
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    if (parameter_of(kernel, given, i) == kAnywhere && buffers(i)) return;
  }
  std::vector<Abstract>& noted = launch_arguments[{site.where, site.context}];
  noted.resize(facts_.functions[static_cast<std::size_t>(kernel)].parameters.size());
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const int at = parameter_of(kernel, given, i);
    if (at < 0 || at >= std::ssize(noted)) continue;
    join(noted[static_cast<std::size_t>(at)], given.values[i]);
    merge_into(noted[static_cast<std::size_t>(at)].nodes, nodes_of(given.values[i]));
  }
}

// Whether a kernel may use an argument as one of the parameters that are marked: what may be any may be each that no
// other argument is known to be.
bool Interpreter::may_use(Id kernel, const LaunchArguments& given, std::size_t argument,
                          const std::vector<bool>& marked) const {
  const int at = parameter_of(kernel, given, argument);
  if (at >= 0) return at >= std::ssize(marked) || marked[static_cast<std::size_t>(at)];
  if (at == kNoParameter) return false;
  std::vector<bool> left = marked;
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const int other = parameter_of(kernel, given, i);
    if (other >= 0 && other < std::ssize(left)) left[static_cast<std::size_t>(other)] = false;
  }
  return std::find(left.begin(), left.end(), true) != left.end();
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

// table[name](grid, block, (…)) in Python, where the call at hand alone knows that compiled kernels are what is called.
bool Interpreter::compiled_by_call(Frame& frame, const Statement& statement, const CallSite& site) {
  Statement launching = statement;
  launching.kind = StatementKind::kLaunch;
  launching.launch = Launch{};
  Launch& how = *launching.launch;
  how.stream_origin = "current";
  for (const auto& [name, given] : statement.keywords) {
    if (name == "grid") how.grid = given;
    if (name == "block") how.block = given;
    if (name == "shared_mem") how.shared_bytes = given;
    if (name == "stream") how.stream = given, how.stream_origin = "unknown";
    if (name == "args") launching.args = {given};
  }
  if (statement.args.size() >= 3 && how.grid == kNone && how.block == kNone) {
    how.grid = statement.args[0];
    how.block = statement.args[1];
    launching.args = {statement.args[2]};
  }
  const bool packed = launching.args.size() == 1 && (statement.args.size() >= 3 || statement.args.empty());
  std::erase_if(launching.keywords, [](const auto& keyword) { return keyword.first == "args"; });
  launching.star_args = launching.star_args || packed;
  launch(frame, launching, site);
  return true;
}

// table[name][grid](…) in Python, where the call at hand alone knows that kernels are what is called.
bool Interpreter::launched_by_call(Frame& frame, const Statement& statement, const Abstract& callee,
                                   const CallSite& site) {
  const auto is_kernel = [&](ObjectId id) {
    return object(id).kind == ObjectKind::kFunction && object(id).function != kNone &&
           facts_.functions[static_cast<std::size_t>(object(id).function)].is_kernel;
  };
  ObjectSet kernels = callee.objects;
  std::erase_if(kernels, [&](ObjectId id) { return object(id).symbol.starts_with("builtins.NoneType."); });
  if (kernels.empty() || callee.open || !std::all_of(kernels.begin(), kernels.end(), is_kernel)) return false;
  const auto compiled = [&](ObjectId id) { return in_native(object(id).function); };
  if (std::any_of(kernels.begin(), kernels.end(), compiled)) {
    return statement.callee.empty() && std::all_of(kernels.begin(), kernels.end(), compiled) &&
           compiled_by_call(frame, statement, site);
  }
  Statement launching = statement;
  launching.kind = StatementKind::kLaunch;
  launching.launch = Launch{};
  for (const Block& block : frame.function->blocks) {
    for (const Statement& made : block.statements) {
      if (made.result == statement.callee_value && made.kind == StatementKind::kLoad && made.location.element)
        launching.launch->grid = made.location.key;
    }
  }
  // One of several: each starts where this call starts.
  const State before = state_;
  std::optional<State> after;
  for (const ObjectId id : kernels) {
    const Id kernel = object(id).function;
    const auto [known, first] = handle_kernels.try_emplace(site.where, kernel);
    if (!first && known->second != kernel) known->second = kNone;
    launching.launch->kernel_function = kernel;
    launching.launch->kernel_name = facts_.functions[static_cast<std::size_t>(kernel)].qualified_name;
    state_ = before;
    launch(frame, launching, site);
    if (after)
      join_state(*after, state_);
    else
      after = std::move(state_);
  }
  state_ = std::move(*after);
  return true;
}

void Interpreter::launch(Frame& frame, const Statement& statement, const CallSite& site) {
  const Launch& how = *statement.launch;
  LaunchArguments given = arguments_of_launch(frame, statement);
  if (launches_unknown(statement, value(frame, statement.callee_value))) {
    apply_unknown(statement.callee, given.values, {}, site);
    return;
  }
  executed_launches.insert(site.where);
  std::vector<Id> kernels;  // of which one is launched
  if (how.kernel_function == kNone && statement.callee_value != kNone) {
    const Abstract pointer = value(frame, statement.callee_value);
    for (const ObjectId id : objects_of_kind(pointer, ObjectKind::kFunction)) kernels.push_back(object(id).function);
    constexpr std::size_t kMostInTable = 12;
    const bool others = kernels.size() != pointer.objects.size();
    if ((others && kernels.size() > 1) || kernels.size() > kMostInTable) kernels.clear();
  }
  if (how.kernel_function == kNone) {
    const Id only = kernels.size() == 1 ? kernels.front() : kNone;
    const auto [known, first] = handle_kernels.try_emplace(site.where, only);
    if (!first && known->second != only) known->second = kNone;
    kernels_in_table[site.where].insert(kernels.begin(), kernels.end());
  }
  if (kernels.size() < 2) {
    launch_kernel(frame, statement, site, kernels.empty() ? how.kernel_function : kernels.front(), given);
    return;
  }
  const bool in_turn = turns(frame.id, site.where.block);  // a loop over them launches all
  const State before = in_turn ? State{} : state_;
  std::optional<State> after;
  for (const Id kernel : kernels) {
    if (!in_turn) state_ = before;
    launch_kernel(frame, statement, site, kernel, given);
    if (in_turn) continue;
    if (after) {
      join_state(*after, state_);
    } else {
      after = state_;
    }
  }
  if (after) state_ = std::move(*after);
}

void Interpreter::launch_kernel(Frame& frame, const Statement& statement, const CallSite& site, Id kernel,
                                const LaunchArguments& given) {
  const Launch& how = *statement.launch;
  const std::vector<Abstract>& args = given.values;
  if (kernel != kNone) note_launch_arguments(kernel, given, site);
  for (const Abstract& each : given.values) note_input_read(each);
  note_launch_amounts(frame, kernel, statement, given, site.where);
  const KernelAccess* access = kernel == kNone ? nullptr : &kernel_access(kernel);
  // A kernel that only copies makes nothing: what is there afterwards is what was there before.
  const bool copies = access != nullptr && access->known && access->copies;
  const bool one_of_several = how.kernel_function == kNone && kernels_in_table[site.where].size() > 1;
  const NodeId node = graph_.node(copies ? NodeKind::kCopy : NodeKind::kLaunch, site.where, site.context,
                                  one_of_several ? 100 + static_cast<std::int64_t>(kernel)
                                  : copies       ? 8
                                                 : 0);
  const bool named = how.kernel_function == kNone && kernel != kNone;
  graph_.at(node).name = (copies ? "kernel " : "") +
                         (named ? facts_.functions[static_cast<std::size_t>(kernel)].qualified_name : how.kernel_name);
  graph_.at(node).kernel = kernel;
  graph_.at(node).phase = phase_;
  const auto may_write = [&](std::size_t i) {
    return access == nullptr || !access->known || may_use(kernel, given, i, access->written);
  };
  const auto may_read = [&](std::size_t i) {
    return access == nullptr || !access->known || may_use(kernel, given, i, access->read);
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
  ObjectSet anywhere;  // of those, what a kernel fills is what nothing has filled
  const auto placed = [&](std::size_t i) { return parameter_of(kernel, given, i) != kAnywhere; };
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (placed(i) || !may_write(i)) continue;
    merge_into(anywhere, objects_of_kind(args[i], ObjectKind::kTensor));
    merge_into(anywhere, held[i]);
  }
  const ObjectSet likely = filled_by(node, anywhere);
  certain_writes_ = access != nullptr && access->known && access->precise;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!has_kind(args[i], ObjectKind::kTensor) || !may_write(i)) continue;
    // Two kernels may fill a buffer together, each its own part.
    const NodeSet before = may_read(i) ? NodeSet{} : nodes_of(args[i]);
    Abstract filled = args[i];
    if (access != nullptr && !placed(i))
      std::erase_if(filled.objects, [&](ObjectId id) { return !std::binary_search(likely.begin(), likely.end(), id); });
    filled.partial = filled.partial || std::any_of(before.begin(), before.end(), [&](NodeId id) {
                       const Node& other = graph_.at(id);
                       return other.kind == NodeKind::kLaunch && other.where != site.where && other.phase == phase_;
                     });
    write_tensor(filled, {node}, site, 10 + static_cast<std::int64_t>(i));
  }
  std::vector<std::vector<Abstract>> members(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    const int at = parameter_of(kernel, given, i);
    if (access == nullptr || at < 0 || held[i].empty() || !may_write(i)) continue;
    members[i] = members_written(args[i], *access, static_cast<std::size_t>(at));
    for (std::size_t m = 0; m < members[i].size(); ++m)
      write_tensor(members[i][m], {node}, site, 1000 + static_cast<std::int64_t>(i * 100 + m));
  }
  certain_writes_ = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!may_write(i) || !members[i].empty()) continue;
    for (const ObjectId id : filled_by(node, placed(i) ? held[i] : anywhere)) {
      if (!std::binary_search(held[i].begin(), held[i].end(), id)) continue;
      note_write({id});
      write_contents({id}, {node});
    }
  }
  // It stores somewhere that no argument leads to: where a table in constant memory does.
  if (access != nullptr && access->known && !access->precise && !in_symbols_.empty()) {
    for (const ObjectId id : filled_by(node, in_symbols_)) {
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
