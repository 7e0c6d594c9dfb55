// Launches of kernels: kernel[grid](…), RawKernel(grid, block, (…)), and the kernels of Numba, CuTe and TileLang, which
// are Python functions that a compiler of their own takes.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

namespace {

bool decorated(const FunctionInfo& info, const char* name) {
  return std::find(info.decorators.begin(), info.decorators.end(), name) != info.decorators.end();
}

}  // namespace

// Numba's kernel[blocks, threads, stream, shared].
void Lowerer::configure(facts::Launch& launch, const Atom& kernel, const Operand& callee) const {
  if (kernel.kind != AtomKind::kFunction ||
      !decorated(*functions_[static_cast<std::size_t>(kernel.function)], "numba.cuda.jit"))
    return;
  const Atom* configured = callee.abs.single();
  if (configured == nullptr || configured->items.size() < 2) return;
  const Atom* parts = configured->items[1].single();
  if (parts == nullptr || parts->kind != AtomKind::kTuple || parts->self_function != frame_->function) return;
  const auto part = [&](std::size_t i) { return i < parts->item_values.size() ? parts->item_values[i] : kNone; };
  launch.grid = part(0);
  launch.block = part(1);
  launch.shared_bytes = part(3);
  if (part(2) != kNone) {
    launch.stream = part(2);
    launch.stream_origin = "unknown";
  }
}

// What `out_idx` says to TileLang's compiler, of the kernel or of what makes it.
void Lowerer::note_allocated(const Abstract& compiled, const Abstract& positions) {
  std::vector<std::int64_t> known;
  std::vector<Abstract> each{positions};
  if (const Atom* list = positions.single(); list != nullptr && list->kind == AtomKind::kTuple) {
    each = list->items;
  } else if (list != nullptr && list->kind == AtomKind::kHeap && read_heap(list->site).exact) {
    each = read_heap(list->site).items;
  }
  for (const Abstract& position : each) {
    const auto index = index_of(position);
    if (!index) return;
    known.push_back(*index);
  }
  for (const AtomPtr& atom : compiled.atoms) {
    if (atom->kind != AtomKind::kFunction) continue;
    FunctionInfo& info = *functions_[static_cast<std::size_t>(atom->function)];
    grew_ = grew_ || info.allocated != known;
    info.allocated = known;
  }
}

std::set<std::size_t> Lowerer::allocated_parameters(const FunctionInfo& kernel) const {
  const bool by_maker = kernel.allocated.empty() && kernel.enclosing != kNone;
  const auto& positions =
      by_maker ? functions_[static_cast<std::size_t>(kernel.enclosing)]->allocated : kernel.allocated;
  const auto count = static_cast<std::int64_t>(kernel.parameters.size());
  std::set<std::size_t> allocated;
  for (const std::int64_t each : positions) {
    const std::int64_t at = each < 0 ? each + count : each;
    if (at >= 0 && at < count) allocated.insert(static_cast<std::size_t>(at));
  }
  return allocated;
}

// Of several TileLang kernels those that a call with so many arguments may mean.
Abstract Lowerer::kernels_taking(const Abstract& callees, const std::vector<Argument>& args) const {
  Abstract fitting = callees;
  std::erase_if(fitting.atoms, [&](const AtomPtr& atom) {
    if (atom->kind != AtomKind::kFunction) return false;
    const FunctionInfo& info = *functions_[static_cast<std::size_t>(atom->function)];
    if (!decorated(info, "tilelang.language.prim_func")) return false;
    const std::size_t allocated = allocated_parameters(info).size();
    return allocated > 0 && args.size() != info.parameters.size() && args.size() + allocated != info.parameters.size();
  });
  return fitting.atoms.empty() ? callees : fitting;
}

// A call of a kernel as if it were a function. CuTe: kernel(args) is launched by .launch(grid=…) on what that gives.
// TileLang: the call is the launch, and outputs that the caller does not pass are allocated by it and returned.
bool Lowerer::kernel_call(const Atom& kernel, const Operand& callee, const std::vector<Argument>& args,
                          const Node* node, Operand& result) {
  const FunctionInfo& info = *functions_[static_cast<std::size_t>(kernel.function)];
  if (std::any_of(args.begin(), args.end(), [](const Argument& arg) { return arg.star; })) return false;
  if (decorated(info, "cutlass.cute.kernel")) {
    Atom called;
    called.kind = AtomKind::kPartial;
    called.symbol = "kernel(args)";
    called.self_function = frame_->function;
    called.items = {make(Atom(kernel))};
    called.item_values = {callee.value};
    for (const Argument& arg : args) {
      called.items.push_back(arg.operand.abs);
      called.item_values.push_back(arg.operand.value);
    }
    result = make_value(make(std::move(called)), node, facts::OriginKind::kComputed);
    return true;
  }
  if (!decorated(info, "tilelang.language.prim_func")) return false;
  const std::set<std::size_t> allocated = allocated_parameters(info);
  std::vector<Argument> all;
  std::vector<Operand> made;
  std::size_t given = 0;
  for (std::size_t p = 0; p < info.parameters.size(); ++p) {
    if (given < args.size() && (!allocated.contains(p) || args.size() == info.parameters.size())) {
      all.push_back(args[given++]);
      continue;
    }
    made.push_back(emit_call("torch.empty", {}, typed(TypeKind::kTensor, "torch.Tensor"), node));
    all.push_back({made.back(), "", false, node});
  }
  all.insert(all.end(), args.begin() + static_cast<std::ptrdiff_t>(given), args.end());
  result = launch(kernel, callee, nullptr, all, node);
  if (made.empty()) {  // handed them all the same
    for (const std::size_t p : allocated) made.push_back(all[p].operand);
  }
  if (made.size() == 1) result = made.front();
  if (made.size() > 1) result = emit_call("builtins.tuple", made, typed(TypeKind::kTuple, "torch.Tensor[]"), node);
  return true;
}

Operand Lowerer::launch_of_call(const Atom& called, const Operand& callee, const std::vector<Argument>& options,
                                const Node* node) {
  const AtomPtr kernel = called.items.front().atoms.front();
  std::vector<Argument> all;
  for (std::size_t i = 1; i < called.items.size(); ++i) {
    const bool here = called.self_function == frame_->function && called.item_values[i] != kNone;
    all.push_back({here ? Operand{called.item_values[i], called.items[i]}
                        : make_value(called.items[i], node, facts::OriginKind::kComputed),
                   "", false, node});
  }
  all.insert(all.end(), options.begin(), options.end());
  return launch(*kernel, callee, nullptr, all, node);
}

// The values of a tuple made in this function, else the value itself.
std::vector<Id> Lowerer::packed_values(const Operand& packed) const {
  std::vector<Id> values;
  const Atom* tuple = packed.abs.single();
  if (tuple != nullptr && tuple->kind == AtomKind::kTuple && tuple->self_function == frame_->function)
    values = tuple->item_values;
  std::erase(values, kNone);
  if (values.empty()) values.push_back(packed.value);
  return values;
}

// What ctypes has loaded as the library of the compiler or of the driver.
bool Lowerer::is_cuda_library(const Atom& value) {
  if (value.kind != AtomKind::kTyped || value.type.name.rfind("ctypes.", 0) != 0) return false;
  const std::string file = value.name.substr(value.name.rfind('/') + 1);
  return file.rfind("libcuda.so", 0) == 0 || file.rfind("libnvrtc.so", 0) == 0 || file == "nvcuda.dll";
}

// What RawModule.get_function gives: a kernel of each text that the name may be. Of `f"scale<{width}>"` the template is
// known, whatever it is instantiated with.
Abstract kernels_named(const Atom& module, const Abstract& name) {
  const auto not_known = [] { return unknown("a kernel whose name is not known"); };
  if (name.unknown || name.atoms.empty()) return not_known();
  Abstract kernels;
  for (const AtomPtr& each : name.atoms) {
    if (each->kind != AtomKind::kText) return not_known();
    Atom kernel = module;
    kernel.name = each->text->bytes;
    if (each->partial) {
      const std::size_t arguments = kernel.name.find('<');
      if (arguments == std::string::npos || arguments == 0) return not_known();
      kernel.name.resize(arguments);
    }
    kernel.type.name = "kernel";
    join_into(kernels, make(std::move(kernel)));
  }
  return kernels;
}

// cuda-python: cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, shared, stream, ((values…), (types…)), 0), in ctypes
// with an array of addresses. cuda.core: launch(stream, config, kernel, values…). Which kernel the handle is, is known
// when the name that it was asked for is; else the interpreter may find it. Before all that, ctypes loads a library.
bool Lowerer::driver_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                          const Node* node, Operand& result) {
  if ((name == "ctypes.CDLL" || name == "ctypes.cdll.LoadLibrary") && !args.empty()) {
    Atom library;
    library.type = {TypeKind::kOther, name};
    // The folder may be unknown, the file's name counts.
    if (const Atom* path = args.front().operand.abs.single(); path != nullptr && path->kind == AtomKind::kText)
      library.name = path->text->bytes;
    // One of several names that are tried in turn: "libnvrtc.so.12", "libnvrtc.so". Those that are known speak for all.
    if (library.name.empty()) {
      Atom tried = library;
      tried.kind = AtomKind::kTyped;
      bool all = true;
      for (const AtomPtr& each : args.front().operand.abs.atoms) {
        if (each->kind != AtomKind::kText) continue;
        tried.name = each->text->bytes;
        all = all && is_cuda_library(tried);
      }
      if (all) library.name = tried.name;
    }
    if (const auto built = built_libraries_.find(library.name); built != built_libraries_.end())
      library = *extension_module(built->second).single();
    result = plain_call(name, callee, kNone, args, make(std::move(library)), node);
    return true;
  }
  const std::size_t dot = name.rfind('.');
  const std::string package = name.substr(0, dot == std::string::npos ? 0 : dot);
  const bool by_ctypes = package.rfind("ctypes.", 0) == 0;
  if (package != "cuda.cuda" && package != "cuda.bindings.driver" && package != "cuda.core" && !by_ctypes) return false;
  const bool plain = std::none_of(args.begin(), args.end(), [](const Argument& arg) { return arg.star; });
  Atom kernel;
  kernel.kind = AtomKind::kExtension;
  kernel.type = {TypeKind::kExtension, "kernel"};
  kernel.symbol = "cuLaunchKernel";
  if (name == "cuda.core.launch" && args.size() >= 3 && plain) {
    std::vector<Argument> given{{args[0].operand, "stream", false, node}};
    given.insert(given.end(), args.begin() + 3, args.end());
    result = launch(kernel, args[2].operand, nullptr, given, node);
    return true;
  }
  if (!by_ctypes && name.ends_with(".cuModuleGetFunction") && args.size() == 2 && !nvrtc_program_.empty()) {
    const Atom* wanted = args[1].operand.abs.single();  // str or bytes
    const bool folded = wanted != nullptr && wanted->kind == AtomKind::kText && !wanted->partial;
    Atom pair;
    pair.kind = AtomKind::kTuple;
    pair.items = {typed(TypeKind::kInt), folded ? kernel_object(nvrtc_program_, wanted->text->bytes)
                                                : unknown("a kernel whose name is not known")};
    pair.item_values = {kNone, kNone};
    const Operand asked = plain_call(name, callee, kNone, args, make(Atom(pair)), node);
    result = asked;
    if (folded) {  // the interpreter follows the handle through what unpacks and keeps it
      const Operand handle = make_value(pair.items[1], node, facts::OriginKind::kConstant);
      const Operand code = make_value(typed(TypeKind::kInt), node, facts::OriginKind::kConstant);
      result = emit_call("builtins.tuple", {code, handle}, asked.abs, node);
    }
    return true;
  }
  if (!name.ends_with(".cuLaunchKernel")) return false;
  if (const Atom* known = args.empty() ? nullptr : args[0].operand.abs.single();
      known != nullptr && known->type.name == "kernel")
    kernel = *known;
  // cuLaunchKernel(kernel, *grid, *block, shared, stream, values, None): what stands at its end is counted from there.
  const auto starred = [](const Argument& arg) { return arg.star; };
  if (by_ctypes && !plain && args.size() > 4 && !args[0].star && std::none_of(args.end() - 3, args.end(), starred)) {
    launch(
        kernel, args[0].operand, nullptr,
        {{args[args.size() - 2].operand, "args", false, node}, {args[args.size() - 3].operand, "stream", false, node}},
        node);
    result = make_value(typed(TypeKind::kInt), node, facts::OriginKind::kConstant);
    return true;
  }
  if (args.size() < 10 || !plain) return false;
  std::vector<Argument> given;
  const Atom* pair = args[9].operand.abs.single();
  const bool here = !by_ctypes && pair != nullptr && pair->kind == AtomKind::kTuple &&
                    pair->self_function == frame_->function && !pair->items.empty() &&
                    pair->item_values.front() != kNone;
  const Operand packed = here ? Operand{pair->item_values.front(), pair->items.front()} : args[9].operand;
  given.push_back({packed, "args", false, node});
  given.push_back({args[1].operand, "grid", false, node});
  given.push_back({args[4].operand, "block", false, node});
  given.push_back({args[8].operand, "stream", false, node});
  launch(kernel, args[0].operand, nullptr, given, node);
  result = make_value(typed(TypeKind::kInt), node, facts::OriginKind::kConstant);  // whether it went well
  if (!by_ctypes) result = tuple_of({result}, node);
  return true;
}

Operand Lowerer::launch(const Atom& kernel, const Operand& callee, const Operand* grid,
                        const std::vector<Argument>& args, const Node* node) {
  facts::Launch launch;
  launch.kernel_function = kernel.function;
  launch.kernel_name =
      kernel.kind == AtomKind::kFunction ? functions_[static_cast<std::size_t>(kernel.function)]->name : kernel.name;
  launch.grid = grid == nullptr ? kNone : grid->value;
  launch.stream_origin = "current";
  if (kernel.kind == AtomKind::kFunction) pass_arguments(kernel.function, nullptr, args);
  const Operand result = make_value(unknown("a kernel launch has no result"), node, facts::OriginKind::kComputed);
  facts::Statement& statement = emit(facts::StatementKind::kLaunch, node);
  statement.callee_value = callee.value;
  statement.result = result.value;
  for (const Argument& arg : args) {
    if (arg.star) statement.star_args = true;
    if (arg.keyword == "stream") {
      launch.stream = arg.operand.value;
      launch.stream_origin = "unknown";
    }
    if (arg.keyword == "block") launch.block = arg.operand.value;
    if (arg.keyword == "grid") launch.grid = arg.operand.value;
    if (arg.keyword == "shared_mem") launch.shared_bytes = arg.operand.value;
    if (arg.keyword.empty() || arg.star)
      statement.args.push_back(arg.operand.value);
    else
      statement.keywords.emplace_back(arg.keyword, arg.operand.value);
  }
  if (kernel.kind == AtomKind::kExtension && kernel.type.name != "elementwise") {
    // RawKernel: kernel(grid, block, (arguments…)), in torch kernel(grid=…, block=…, args=(…))
    // PyCUDA: kernel(arguments…, block=…, grid=…)
    const bool named = std::any_of(args.begin(), args.end(),
                                   [](const Argument& arg) { return arg.keyword == "grid" || arg.keyword == "block"; });
    const bool by_place = args.size() >= 3 && args.front().keyword.empty() && !named;
    const Argument* packed = by_place ? &args[2] : nullptr;
    for (const Argument& arg : args) {
      if (arg.keyword == "args") packed = &arg;
    }
    if (by_place) {
      launch.grid = args[0].operand.value;
      launch.block = args[1].operand.value;
    }
    if (packed != nullptr) {
      statement.args = packed_values(packed->operand);
      if (statement.args == std::vector<Id>{packed->operand.value}) statement.star_args = true;
      std::erase_if(statement.keywords, [](const auto& keyword) { return keyword.first == "args"; });
    }
  }
  if (grid != nullptr) configure(launch, kernel, callee);
  statement.callee =
      launch.kernel_function != kNone ? "" : kernel.symbol + (kernel.name.empty() ? "" : "." + kernel.name);
  statement.launch = std::move(launch);
  return result;
}

}  // namespace kernel_audit::analysis::python
