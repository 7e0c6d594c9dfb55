// What C++ does that Python has no part in: texts put together from pieces, functions found by name in libraries,
// Python packages looked into from C++, functions handed to threads and streams, writes into the caller's tensors.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

bool takes_text(const std::string& callee) {
  return callee == "std::string::string" || callee == "std::string_view::string_view" ||
         callee == "std::string::c_str" || callee == "std::string::data" ||
         callee == "std::basic_string::basic_string" || callee == "std::basic_string_view::basic_string_view" ||
         callee == "pybind11::str::str";
}

bool imports_package(const std::string& callee) {
  return callee == "pybind11::module_::import" || callee == "PyImport_ImportModule" || callee == "PyImport_AddModule";
}

constexpr std::string_view kBoxed = "boxed:";  // begins the symbol of what takes its operands off a stack
constexpr std::string_view kComputedName = "(computed name)";  // ends that of an attribute whose name does not fold

// An operator of the framework asked for by its name: "aten::mm".
bool names_operator(const std::string& callee) {
  return callee.starts_with("c10::Dispatcher::find") || callee == "c10::OperatorName::OperatorName" ||
         callee.starts_with("c10::Symbol::") || callee == "torch::jit::getOperatorForLiteral" ||
         callee == "torch::jit::findOperatorFor" || callee == "torch::jit::getAllOperatorsFor";
}

// "cublasSgemm_v2", "cuStreamCreate", and no name of somebody's own that begins like it.
bool names_cuda_function(const std::string& name) {
  const std::size_t family = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (family == 0 || family == std::string::npos || name[family] < 'A' || name[family] > 'Z') return false;
  return name.starts_with("cu") && classify(name).kind != OperationKind::kUnknown;
}

// The C function that Python code calls by way of ctypes or of the bindings of the CUDA libraries; empty for the rest.
std::string native_name(const std::string& callee) {
  if (std::string function = function_of_c_library(callee); !function.empty()) return function;
  static constexpr std::string_view doors[] = {"ctypes.pythonapi.",   "torch.cuda.cudart.",     "cuda.cudart.",
                                               "cuda.cuda.",          "cuda.bindings.runtime.", "cuda.bindings.driver.",
                                               "cuda.bindings.cupti."};
  for (const std::string_view door : doors) {
    if (callee.starts_with(door) && callee.find('.', door.size()) == std::string::npos)
      return callee.substr(door.size());
  }
  return {};
}

// Which operand (receiver first) a C++ call fills with what a file holds.
std::optional<std::size_t> filled_from_file(const std::string& callee) {
  if (callee == "torch::load" || callee == "fread" || callee == "std::fread" || callee == "fgets" ||
      callee == "std::fgets")
    return 0;
  if (callee == "std::istream::read" || callee == "std::ifstream::read" || callee == "std::fstream::read" ||
      callee == "read" || callee == "pread")
    return 1;
  return std::nullopt;
}

}  // namespace

bool Interpreter::in_native(Id function) const {
  if (function == kNone) return false;
  const Id unit = facts_.functions[static_cast<std::size_t>(function)].unit;
  return unit != kNone && facts_.units[static_cast<std::size_t>(unit)].language != UnitLanguage::kPython;
}

std::optional<std::string> Interpreter::text_of(const Abstract& value) const {
  if (value.open || !value.objects.empty() || value.constants.size() != 1) return std::nullopt;
  const Json& json = constant_at(value.constants[0]);
  if (!json.is_string()) return std::nullopt;
  return json.get<std::string>();
}

// The C function that is called as C calls it, handles returned through pointers: from C++, or from Python in a library
// that ctypes has loaded, which is an extension whose functions nothing declares. Empty for the rest.
std::string Interpreter::library_function(const std::string& callee, const CallSite& site) const {
  if (in_native(site.where.function)) return callee;
  const bool through_ctypes = callee.starts_with("ext:?.") && site.statement->callee.starts_with("ctypes.");
  return through_ctypes ? native_name(site.statement->callee) : std::string();
}

void Interpreter::note_call(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site) {
  if (callee.empty() || callee.compare(0, 9, "operator.") == 0) return;
  std::string name = library_function(callee, site);
  const bool direct = !name.empty();
  if (!direct) name = native_name(callee);
  if (name.empty()) return;
  called_symbols[site.where].insert(name);
  // The library that a Python call goes through is no argument of the C function.
  const std::size_t first = !direct && site.statement->receiver != kNone && !operands.empty() ? 1 : 0;
  auto& known = call_arguments[site.where];
  if (known.size() < operands.size() - first) known.resize(operands.size() - first);
  for (std::size_t i = first; i < operands.size(); ++i) join(known[i - first], operands[i]);
}

// Text and names that fold, and what they lead to.
std::optional<Abstract> Interpreter::apply_native(const std::string& callee, std::vector<Abstract>& operands,
                                                  const CallSite& site) {
  if (callee == "functools.singledispatch.register" && operands.size() > 1) {
    for (const ObjectId id : objects_of_kind(operands[0], ObjectKind::kSymbol)) {
      auto& bound = objects_[static_cast<std::size_t>(id)].bound;
      if (!bound.empty()) join(bound[0], operands.back());
    }
    return operands.back();
  }
  // A context variable is a place of its own.
  if (callee == "contextvars.ContextVar")
    return of_object(make_object(ObjectKind::kContainer, site.where, site.context, 700));
  if (callee.starts_with("contextvars.ContextVar.") && !operands.empty()) {
    Abstract held = open_value({});
    for (const ObjectId id : objects_of_kind(operands[0], ObjectKind::kContainer)) {
      if (callee.ends_with(".set") && operands.size() > 1) write_field(id, key_of("value"), operands[1], true);
      if (callee.ends_with(".get")) join(held, read_field(id, key_of("value")));
    }
    return held;
  }
  // What a stack is to call runs where the stack is closed.
  if (callee == "contextlib.ExitStack")
    return of_object(make_object(ObjectKind::kContainer, site.where, site.context, 701));
  if (callee.starts_with("contextlib.ExitStack.c") && !operands.empty() &&
      has_kind(operands[0], ObjectKind::kContainer)) {
    const ObjectSet stacks = objects_of_kind(operands[0], ObjectKind::kContainer);
    for (const ObjectId id : stacks) {
      if (callee.ends_with(".callback"))
        write_field(id, kAnyKey, packed({operands.begin() + 1, operands.end()}, site, 702), false);
      const Abstract kept = callee.ends_with(".close") ? all_fields(id) : Abstract{};
      for (const ObjectId row : kept.objects) {
        std::vector<Abstract> given = items_in_order(of_object(row));
        if (given.empty()) continue;
        const Abstract called = given.front();
        given.erase(given.begin());
        call_object(called, given, {}, site);
      }
    }
    return operands.size() > 1 ? operands[1] : constant(Json());
  }
  const auto text = [&](std::size_t i) { return i < operands.size() ? text_of(operands[i]) : std::nullopt; };
  if ((callee == "operator.add" || callee == "operator.iadd" || callee == "std::string::append") &&
      operands.size() == 2 && text(0) && text(1)) {
    return constant(Json(*text(0) + *text(1)));
  }
  // A function of CUDA's libraries, found by its name in one that ctypes has loaded.
  if (callee.starts_with("ext:?.") && names_cuda_function(callee.substr(6)))
    return apply(classify(callee.substr(6)), callee.substr(6), nullptr, operands, {}, site);
  if (!in_native(site.where.function)) return std::nullopt;
  note_exposed(callee, operands, site);
  if (auto compared = apply_comparison(callee, operands, site)) return compared;
  if (auto done = apply_algorithm(callee, operands, site)) return done;
  if (takes_text(callee) && operands.size() == 1 && text(0)) return operands[0];
  if (imports_package(callee) && text(0)) return symbol(*text(0));
  if (callee == "dlsym" && text(1)) return symbol(*text(1));
  const auto symbol_at = [&](std::size_t i) {
    const ObjectSet symbols = i < operands.size() ? objects_of_kind(operands[i], ObjectKind::kSymbol) : ObjectSet{};
    return symbols.empty() ? std::string() : object(symbols.front()).symbol;
  };
  if (names_operator(callee)) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto name = text(i);
      if (name && callee == "c10::Symbol::aten") return symbol("at::" + *name);
      if (name && name->starts_with("aten::")) return symbol("at::" + name->substr(6));
      if (symbol_at(i).starts_with("at::")) return symbol(symbol_at(i));
    }
  }
  // Takes the operands off a stack and leaves the result there.
  const auto call_boxed = [&](const std::string& name, const Abstract& stack) {
    std::vector<Abstract> handed{stack};
    const Abstract result = apply(classify(name), name, nullptr, handed, {}, site);
    for (const ObjectId id : objects_of_kind(stack, ObjectKind::kContainer)) {
      std::vector<KeyId> keys{kAnyKey};
      for_each_field(id, [&](KeyId key, const Abstract&) { keys.push_back(key); });
      for (const KeyId key : keys) state_.fields.set(field_key(id, key), result);
    }
    return open_value({});
  };
  if (callee == "c10::OperatorHandle::typed" && !symbol_at(0).empty()) return operands[0];
  if (callee.starts_with("std::vector::") && symbol_at(0).starts_with("at::")) return operands[0];  // of overloads
  if (callee == "torch::jit::Operator::getOperation" && !symbol_at(0).empty())
    return symbol(std::string(kBoxed) + symbol_at(0));
  if (callee == "c10::OperatorHandle::callBoxed" && operands.size() == 2 && !symbol_at(0).empty())
    return call_boxed(symbol_at(0), operands[1]);
  if (callee.starts_with(kBoxed) && !operands.empty()) return call_boxed(callee.substr(kBoxed.size()), operands.back());
  if (callee.starts_with("torch::jit::") && !operands.empty() && has_kind(operands[0], ObjectKind::kContainer)) {
    Abstract held = open_value({});
    for (const ObjectId stack : objects_of_kind(operands[0], ObjectKind::kContainer)) {
      for (std::size_t i = 1; callee == "torch::jit::push" && i < operands.size(); ++i)
        write_field(stack, kAnyKey, operands[i], false);
      if (callee == "torch::jit::pop" || callee == "torch::jit::peek") held = all_fields(stack);
    }
    return held;
  }
  // Objects of the embedded Python.
  if (callee == "pybind11::handle::attr" && operands.size() == 2 && !symbol_at(0).empty()) {
    if (symbol_at(0).ends_with(kComputedName)) return operands[0];
    return symbol(symbol_at(0) + "." + text(1).value_or(std::string(kComputedName)));
  }
  if (callee == "pybind11::setattr" && operands.size() == 3 && !symbol_at(0).empty()) {
    note_foreign_store(symbol_at(0) + "." + text(1).value_or(std::string(kComputedName)), operands[2], site);
    return open_value({});
  }
  if (callee == "pybind11::getattr" && operands.size() > 1 && !symbol_at(0).empty())
    return symbol(symbol_at(0) + "." + text(1).value_or(std::string(kComputedName)));
  if (callee.starts_with("PyObject_Call") && !symbol_at(0).empty()) {
    std::vector<Abstract> given(operands.begin() + 1, operands.end());
    return call_object(operands[0], given, {}, site);
  }
  if (callee == "std::call_once" || callee == "c10::call_once") {
    const auto [first, now] = ran_once_.try_emplace(site.where, phase_, call_);
    if (!now && first->second != std::pair{phase_, call_}) return open_value({});  // an earlier call has done it
    return apply_spawn(callee, operands, site);
  }
  if ((callee == "std::invoke" || callee == "std::visit" || callee == "std::apply") && !operands.empty() &&
      (has_kind(operands[0], ObjectKind::kFunction) || symbol_at(0).starts_with("at::"))) {
    std::vector<Abstract> given(operands.begin() + 1, operands.end());
    if (callee == "std::apply" && given.size() == 1 && !items_in_order(given[0]).empty())
      given = items_in_order(operands[1]);
    return call_object(operands[0], given, {}, site);
  }
  if ((callee == "std::swap" || callee == "std::exchange") && operands.size() == 2) {
    // Buffers of kernels that take turns stay as they are: which one is written last is not told apart here anyway.
    NodeSet contents = nodes_of(operands[0]);
    merge_into(contents, nodes_of(operands[1]));
    const bool matters = rehearsal_ || std::any_of(contents.begin(), contents.end(), [&](NodeId id) {
                           const NodeKind kind = graph_.at(id).kind;
                           return kind != NodeKind::kLaunch && kind != NodeKind::kAllocation &&
                                  kind != NodeKind::kConstant && kind != NodeKind::kIdentity &&
                                  kind != NodeKind::kMetadata;
                         });
    if (matters) store_through(0, operands[1], site);
    if (matters && callee == "std::swap") store_through(1, operands[0], site);
    return operands[0];
  }
  if (callee == "std::getline" && operands.size() > 1) {
    store_through(1, open_value(nodes_of(operands[0])), site);
    return operands[0];
  }
  if (const auto filled = filled_from_file(callee); filled && *filled < operands.size()) {
    const Abstract contents = surroundings_value(callee, site, {}, true);
    write_tensor(operands[*filled], nodes_of(contents), site, 1);
    for (const ObjectId array : objects_of_kind(operands[*filled], ObjectKind::kContainer))
      write_field(array, kAnyKey, contents, false);
    const bool program = has_kind(operands[*filled], ObjectKind::kProgram);  // no longer what was compiled
    if (callee == "torch::load" || program)
      store_through(*filled - (site.statement->receiver != kNone ? 1 : 0), contents, site);
    return open_value({});
  }
  if (callee == "PyObject_GetAttrString" && text(1)) {
    Abstract attribute;
    for (const ObjectId id : operands[0].objects) {
      if (object(id).kind == ObjectKind::kSymbol) join(attribute, symbol(object(id).symbol + "." + *text(1)));
    }
    if (!attribute.nothing()) return attribute;
  }
  return std::nullopt;
}

// A function handed to a thread, to a future or to a stream runs with what it is handed with.
Abstract Interpreter::apply_spawn(const std::string& callee, std::vector<Abstract>& operands, const CallSite& site) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Abstract started;
    started.objects = objects_of_kind(operands[i], ObjectKind::kFunction);
    if (started.objects.empty()) continue;
    std::vector<Abstract> given(operands.begin() + static_cast<std::ptrdiff_t>(i) + 1, operands.end());
    if (callee == "cudaStreamAddCallback") {
      given = {operands[0], open_value({}), operands.size() > 2 ? operands[2] : Abstract{}};
    }
    return call_object(started, given, {}, site);
  }
  if (operands.empty()) return open_value({});  // a thread object without a thread
  return apply_unknown(callee, operands, {}, site);
}

int Interpreter::argument_behind(ObjectId tensor) const {
  constexpr int kMostCopies = 8;
  for (int hops = 0; hops < kMostCopies; ++hops) {
    if (const int position = argument_position(tensor); position >= 0) return position;
    const auto contiguous = contiguous_.find(tensor);
    if (contiguous == contiguous_.end() || contiguous->second.partial) return -1;
    const ObjectSet tensors = objects_of_kind(contiguous->second, ObjectKind::kTensor);
    if (tensors.size() != 1) return -1;
    tensor = tensors.front();
  }
  return -1;
}

void Interpreter::note_argument_write(const ObjectSet& objects, const StatementRef& where) {
  if (phase_ != Phase::kForward || !certain_writes_) return;
  std::set<int> positions;
  for (const ObjectId id : objects) {
    const int position = argument_behind(id);
    if (position < 0) return;  // it may be something else
    positions.insert(position);
  }
  argument_writes[where].insert(positions.begin(), positions.end());
}

// The class of the candidate's C++ that Python calls by this name, through pybind11.
Id Interpreter::bound_class(const std::string& name) const {
  const auto found = bound_classes_.find(name);
  return found == bound_classes_.end() ? kNone : found->second;
}

// Made from Python: by what py::init() was given, or by the constructor that takes so many arguments.
Abstract Interpreter::construct_bound(Id class_id, std::vector<Abstract>& args, const Keywords& keywords,
                                      const CallSite& site) {
  const auto factory = bindings_.find({names_of_classes_[class_id], "__init__"});
  if (factory != bindings_.end()) return invoke(factory->second, args, keywords, site);
  std::vector<Abstract> no_fields;
  Abstract made = construct(class_id, no_fields, {}, site);
  const Class& klass = facts_.classes[static_cast<std::size_t>(class_id)];
  for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
    const Function& function = facts_.functions[f];
    if (function.class_id != class_id || function.name != klass.name ||
        function.parameters.size() != args.size() + keywords.size())
      continue;
    this_object_ = made;
    invoke(static_cast<Id>(f), args, keywords, site);
    return made;
  }
  if (args.empty() && keywords.empty()) return made;
  return unknown("which constructor of " + klass.qualified_name + " runs is not known", site);
}

// A method of such an object by its name in Python; a function that is no method takes the object first.
std::optional<Abstract> Interpreter::call_bound_method(ObjectId instance, const std::string& name,
                                                       std::vector<Abstract>& args, const Keywords& keywords,
                                                       const CallSite& site) {
  const auto klass = names_of_classes_.find(object(instance).class_id);
  if (klass == names_of_classes_.end() || in_native(site.where.function)) return std::nullopt;
  auto method = bindings_.end();
  for (const Id each : class_order(object(instance).class_id)) {  // py::class_<Own, Base>
    const auto named = names_of_classes_.find(each);
    if (named != names_of_classes_.end() && method == bindings_.end()) method = bindings_.find({named->second, name});
  }
  if (method == bindings_.end())
    return unknown("the method " + name + " of " + klass->second.substr(klass->second.find(':') + 1) +
                       " is not among what is bound",
                   site);
  const Function& function = facts_.functions[static_cast<std::size_t>(method->second)];
  std::vector<Abstract> all = args;
  if (function.class_id == kNone) {
    all.insert(all.begin(), of_object(instance));
  } else if (!function.is_static_method) {
    this_object_ = of_object(instance);
  }
  return invoke(method->second, std::move(all), keywords, site);
}

// The function that an extension's name is bound to: "ext:ops.scale", "torch.ops.mine.scale".
Id Interpreter::binding(const std::string& full) const {
  const bool custom = full.compare(0, 10, "torch.ops.") == 0;
  const std::string name = custom && full.ends_with(".default") ? full.substr(0, full.size() - 8) : full;
  const auto dot = name.rfind('.');
  if ((name.compare(0, 4, "ext:") != 0 && !custom) || dot == std::string::npos) return kNone;
  const auto bound = bindings_.find({name.substr(0, dot), name.substr(dot + 1)});
  return bound == bindings_.end() ? kNone : bound->second;
}

namespace {

// Whether an operator is bound for something else than a GPU: for shapes alone, for gradients, for the host.
bool for_other_devices(const Interpreter& run, const std::vector<Abstract>& args) {
  static const std::set<std::string> others = {
      "Meta",         "meta",         "CPU",         "cpu",        "Autograd", "AutogradCUDA", "AutogradCPU",
      "AutogradMeta", "AutocastCUDA", "AutocastCPU", "FakeTensor", "mps",      "xpu"};
  return std::any_of(args.begin() + 1, args.end(), [&](const Abstract& arg) {
    const auto word = run.text_of(arg);
    return word && others.contains(*word);
  });
}

}  // namespace

std::optional<std::string> operator_to_bind(const Interpreter& run, const std::string& callee,
                                            const std::vector<Abstract>& args) {
  const bool library = callee == "torch.library.Library";
  const bool binds = callee == "torch.library.custom_op" || callee == "torch.library.triton_op" ||
                     callee == "torch.library.impl" || callee == "torch.library.register_kernel";
  if (args.empty() || (!library && !binds)) return std::nullopt;
  const std::string prefix = library ? kLibrary : for_other_devices(run, args) ? "torch.library.other:" : kCustomOp;
  if (const auto word = run.text_of(args[0])) return prefix + *word;
  for (const ObjectId id : args[0].objects) {  // impl(library, "scale", "CUDA")
    const std::string& owner = run.object(id).symbol;
    const auto name = args.size() > 1 ? run.text_of(args[1]) : std::nullopt;
    if (name && owner.starts_with(kLibrary)) return prefix + owner.substr(sizeof kLibrary - 1) + "::" + *name;
  }
  return std::nullopt;
}

// @torch.library.custom_op("mine::scale") on a function, library.impl("scale", function, "CUDA"), and
// operator.register_kernel("cuda") of what the first has made of a function.
bool Interpreter::bind_operator(const std::string& owner, const std::string& method,
                                const std::vector<Abstract>& args) {
  std::string space, name;
  if (owner.starts_with(kCustomOp) && !args.empty()) {
    const std::string both = owner.substr(sizeof kCustomOp - 1);
    const auto colons = both.find("::");
    if (colons == std::string::npos) return false;
    space = both.substr(0, colons);
    name = both.substr(colons + 2);
  } else if (owner.starts_with(kLibrary) && method == "impl" && args.size() > 1) {
    const auto word = text_of(args[0]);
    if (!word || for_other_devices(*this, args)) return word.has_value();
    space = owner.substr(sizeof kLibrary - 1);
    const auto colons = word->rfind(':');
    name = colons == std::string::npos ? *word : word->substr(colons + 1);
  } else {
    return owner.starts_with(kLibrary);
  }
  for (const Abstract& arg : args) {
    for (const ObjectId function : objects_of_kind(arg, ObjectKind::kFunction))
      bindings_[{"torch.ops." + space, name}] = object(function).function;
  }
  return true;
}

}  // namespace kernel_audit::analysis::facts
