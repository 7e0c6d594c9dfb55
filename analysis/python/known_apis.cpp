// What is known about packages that candidates use: canonical names, light result types, builtins.
#include <algorithm>
#include <set>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

std::string last_part(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

Abstract tensor() { return typed(TypeKind::kTensor, "torch.Tensor"); }
Abstract tensors() { return typed(TypeKind::kTuple, "torch.Tensor[]"); }

// Whole models of collections, which are made by functions as well as by classes.
bool is_library_model(const std::string& callee) {
  if (starts_with(callee, "torchvision.models.") || callee == "timm.create_model" || callee == "torch.hub.load")
    return last_part(callee) != "get_weight" && !callee.ends_with("_Weights");
  if (!starts_with(callee, "transformers.")) return false;
  const std::string last = last_part(callee);
  const std::string made =
      last == "from_pretrained" || last == "from_config" ? callee.substr(0, callee.rfind('.')) : callee;
  const std::string name = last_part(made);
  return name.ends_with("Model") || name.find("For") != std::string::npos || name.find("LMHead") != std::string::npos;
}

}  // namespace

// Functions and methods of torch that give several tensors.
bool gives_tuple(const std::string& name) {
  static const std::set<std::string> names = {"split",
                                              "chunk",
                                              "unbind",
                                              "topk",
                                              "sort",
                                              "svd",
                                              "qr",
                                              "tensor_split",
                                              "meshgrid",
                                              "unique_consecutive",
                                              "split_with_sizes",
                                              "hsplit",
                                              "vsplit",
                                              "kthvalue",
                                              "mode",
                                              "slogdet",
                                              "frexp",
                                              "nonzero_tuple",
                                              "broadcast_tensors",
                                              "var_mean",
                                              "std_mean",
                                              "cummax",
                                              "cummin",
                                              "aminmax",
                                              "lu",
                                              "eigh"};
  return names.count(name) != 0;
}

// One spelling for what torch exports under several names.
// Where the name of a module begins that another one of the standard library imports: logging.sys, weakref.gc.
static std::size_t imported_module(const std::string& name) {
  static const std::set<std::string> importers = {
      "abc",       "ast",      "collections", "contextlib", "copy",       "dataclasses", "enum",      "functools",
      "importlib", "inspect",  "linecache",   "logging",    "os",         "pathlib",     "pickle",    "platform",
      "random",    "shutil",   "subprocess",  "tempfile",   "threading",  "tokenize",    "traceback", "types",
      "typing",    "warnings", "weakref",     "json",       "statistics", "heapq",       "string",    "textwrap"};
  static const std::set<std::string> imported = {"sys", "os", "gc", "builtins", "inspect", "time"};
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || !importers.contains(name.substr(0, dot))) return 0;
  return imported.contains(name.substr(dot + 1, name.find('.', dot + 1) - dot - 1)) ? dot + 1 : 0;
}

std::string canonical(const std::string& symbol_name) {
  static const std::vector<std::pair<std::string, std::string>> prefixes = {
      {"torch._C._VariableFunctions.", "torch."},
      {"torch._C._VariableFunctionsClass.", "torch."},
      {"torch._VF.", "torch."},
      {"torch.functional.", "torch."},
      {"torch._C._nn.", "torch.nn.functional."},
      {"torch._C._linalg.linalg_", "torch.linalg."},
      {"torch.nn.parameter.", "torch.nn."},
      {"torch.cuda.streams.", "torch.cuda."},
      {"torch.cuda.graphs.", "torch.cuda."},
      {"torch._tensor.Tensor", "torch.Tensor"},
      {"torch._C.TensorBase", "torch.Tensor"},
      {"torch._C._TensorBase", "torch.Tensor"},
      {"torch._C._dynamo.guards._empty_strided_", "torch.empty_strided_"},
      {"torch._C._dynamo.guards._reinterpret_tensor", "torch.as_strided"},
      {"torch._inductor.select_algorithm.extern_kernels.", "torch."},
      {"torch._ops.ops.", "torch.ops."},
      {"triton.runtime.jit.jit", "triton.jit"},
      {"inspect.getattr_static", "builtins.getattr"},
      {"triton.runtime.autotuner.", "triton."},
      {"torch._compile", "torch.compile"},
      {"cuda.core.experimental.", "cuda.core."},
      {"torch.nn.functional.torch.", "torch."}};
  for (const auto& [from, to] : prefixes) {
    if (starts_with(symbol_name, from.c_str())) return canonical(to + symbol_name.substr(from.size()));
  }
  if (const std::size_t imported = imported_module(symbol_name); imported != 0)
    return canonical(symbol_name.substr(imported));
  const std::string modules = "torch.nn.modules.";
  if (starts_with(symbol_name, modules.c_str())) {
    const std::string last = last_part(symbol_name);
    if (!last.empty() && last.front() >= 'A' && last.front() <= 'Z') return "torch.nn." + last;
  }
  return symbol_name;
}

bool is_framework_module(const std::string& name) {
  if (is_library_model(name)) return true;
  if (!starts_with(name, "torch.nn.") && !starts_with(name, "torchvision.") && !starts_with(name, "torch.ao.nn.") &&
      !starts_with(name, "einops.layers.torch."))
    return false;
  if (starts_with(name, "torch.nn.functional.") || starts_with(name, "torch.nn.init.") ||
      starts_with(name, "torch.nn.utils."))
    return false;
  const std::string last = last_part(name);
  if (last == "Parameter" || last == "UninitializedParameter" || last == "Buffer" || last == "ParameterList" ||
      last == "ParameterDict")
    return false;
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}

bool is_transparent_wrapper(const std::string& callee) {
  static const std::set<std::string> names = {"torch.no_grad",
                                              "torch.inference_mode",
                                              "torch.enable_grad",
                                              "torch.jit.export",
                                              "torch.jit.ignore",
                                              "torch.jit.unused",
                                              "triton.jit",
                                              "contextlib.contextmanager",
                                              "torch.cuda.amp.custom_fwd",
                                              "torch.cuda.amp.custom_bwd",
                                              "torch.amp.custom_fwd",
                                              "torch.amp.custom_bwd",
                                              "torch.autograd.function.once_differentiable",
                                              "torch.library.register_fake",
                                              "atexit.register",
                                              "numba.cuda.jit",
                                              "cupyx.jit.rawkernel",
                                              "cutlass.cute.jit",
                                              "cutlass.cute.kernel",
                                              "cutlass.cute.compile",
                                              "tilelang.jit",
                                              "tilelang.compile",
                                              "tilelang.language.prim_func",
                                              "warp.kernel",
                                              "warp.func",
                                              "dataclasses.dataclass",
                                              "abc.abstractmethod",
                                              "builtins.staticmethod",
                                              "builtins.classmethod",
                                              "builtins.property",
                                              "torch.nn.utils.weight_norm",
                                              "torch.nn.utils.spectral_norm",
                                              "torch.nn.utils.parametrizations.weight_norm",
                                              "torch.nn.utils.parametrizations.spectral_norm",
                                              "typing.no_type_check",
                                              "copy.deepcopy",
                                              "copy.copy"};
  return names.count(callee) != 0;
}

bool is_wrapper(const std::string& callee) {
  static const std::set<std::string> names = {"torch.compile",
                                              "torch.jit.script",
                                              "torch.jit.trace",
                                              "torch.jit.freeze",
                                              "torch.jit.optimize_for_inference",
                                              "torch.jit.script_method",
                                              "torch.set_grad_enabled",
                                              "torch.autocast",
                                              "torch.cuda.amp.autocast",
                                              "torch.amp.autocast",
                                              "torch.cuda.amp.autocast_mode.autocast",
                                              "functools.lru_cache",
                                              "functools.cache",
                                              "cachetools.cached",
                                              "cachetools.func.lru_cache",
                                              "functools.cached_property",
                                              "functools.wraps",
                                              "torch._dynamo.disable",
                                              "torch.compiler.disable",
                                              "torch._dynamo.optimize",
                                              "torch.cuda.make_graphed_callables",
                                              "torch.nn.DataParallel",
                                              "torch.vmap",
                                              "torch.func.vmap",
                                              "triton.autotune",
                                              "triton.heuristics",
                                              "torch.fx.symbolic_trace",
                                              "torch.library.custom_op",
                                              "torch.library.triton_op",
                                              "numba.njit",
                                              "numba.jit",
                                              "torch._assert",
                                              "warnings.deprecated"};
  return names.count(callee) != 0 || is_transparent_wrapper(callee);
}

bool keeps_kernels(const std::string& wrapper) {
  return starts_with(wrapper, "triton.") || starts_with(wrapper, "numba.cuda.") || starts_with(wrapper, "cupyx.jit.") ||
         starts_with(wrapper, "cutlass.cute.") || starts_with(wrapper, "tilelang.") || starts_with(wrapper, "warp.");
}

bool is_builtin(const std::string& name) {
  static const std::set<std::string> names = {"abs",
                                              "aiter",
                                              "all",
                                              "anext",
                                              "any",
                                              "ascii",
                                              "bin",
                                              "bool",
                                              "breakpoint",
                                              "bytearray",
                                              "bytes",
                                              "callable",
                                              "chr",
                                              "classmethod",
                                              "compile",
                                              "complex",
                                              "delattr",
                                              "dict",
                                              "dir",
                                              "divmod",
                                              "enumerate",
                                              "eval",
                                              "exec",
                                              "exit",
                                              "filter",
                                              "float",
                                              "format",
                                              "frozenset",
                                              "getattr",
                                              "globals",
                                              "hasattr",
                                              "hash",
                                              "help",
                                              "hex",
                                              "id",
                                              "input",
                                              "int",
                                              "isinstance",
                                              "issubclass",
                                              "iter",
                                              "len",
                                              "list",
                                              "locals",
                                              "map",
                                              "max",
                                              "memoryview",
                                              "min",
                                              "next",
                                              "object",
                                              "oct",
                                              "open",
                                              "ord",
                                              "pow",
                                              "print",
                                              "property",
                                              "quit",
                                              "range",
                                              "repr",
                                              "reversed",
                                              "round",
                                              "set",
                                              "setattr",
                                              "slice",
                                              "sorted",
                                              "staticmethod",
                                              "str",
                                              "sum",
                                              "super",
                                              "tuple",
                                              "type",
                                              "vars",
                                              "zip",
                                              "__import__",
                                              "__build_class__",
                                              "NotImplemented",
                                              "Ellipsis",
                                              "BaseException",
                                              "Exception",
                                              "ArithmeticError",
                                              "AssertionError",
                                              "AttributeError",
                                              "BufferError",
                                              "EOFError",
                                              "FileExistsError",
                                              "FileNotFoundError",
                                              "FloatingPointError",
                                              "GeneratorExit",
                                              "ImportError",
                                              "IndexError",
                                              "IOError",
                                              "KeyError",
                                              "KeyboardInterrupt",
                                              "LookupError",
                                              "MemoryError",
                                              "ModuleNotFoundError",
                                              "NameError",
                                              "NotImplementedError",
                                              "OSError",
                                              "OverflowError",
                                              "PermissionError",
                                              "RecursionError",
                                              "ReferenceError",
                                              "RuntimeError",
                                              "StopAsyncIteration",
                                              "StopIteration",
                                              "SyntaxError",
                                              "SystemError",
                                              "SystemExit",
                                              "TimeoutError",
                                              "TypeError",
                                              "UnboundLocalError",
                                              "UnicodeDecodeError",
                                              "UnicodeEncodeError",
                                              "UnicodeError",
                                              "ValueError",
                                              "ZeroDivisionError",
                                              "EnvironmentError",
                                              "Warning",
                                              "UserWarning",
                                              "DeprecationWarning",
                                              "RuntimeWarning",
                                              "FutureWarning",
                                              "ImportWarning",
                                              "ResourceWarning",
                                              "ConnectionError",
                                              "BlockingIOError",
                                              "ExceptionGroup",
                                              "copyright"};
  return names.count(name) != 0;
}

std::string class_of(const facts::Type& type) {
  switch (type.kind) {
    case TypeKind::kTensor:
      return type.name.empty() ? "torch.Tensor" : type.name;
    case TypeKind::kParameter:
      return "torch.Tensor";
    case TypeKind::kInt:
      return "builtins.int";
    case TypeKind::kFloat:
      return "builtins.float";
    case TypeKind::kBool:
      return "builtins.bool";
    case TypeKind::kString:
      return "builtins.str";
    case TypeKind::kBytes:
      return "builtins.bytes";
    case TypeKind::kNoneValue:
      return "builtins.NoneType";
    case TypeKind::kTuple:
      return type.name == "torch.Size" ? type.name : "builtins.tuple";
    case TypeKind::kList:
      return "builtins.list";
    case TypeKind::kDict:
      return "builtins.dict";
    case TypeKind::kDtype:
      return "torch.dtype";
    case TypeKind::kDevice:
      return "torch.device";
    default:
      return type.name.empty() ? "?" : type.name;
  }
}

// What calling a function or class of a package gives; also what an annotation of that name means.
Abstract foreign_result(const std::string& callee) {
  if (callee.find(".__dict__.") != std::string::npos) return unknown("what a package holds under its names");
  static const std::map<std::string, TypeKind> plain = {{"builtins.int", TypeKind::kInt},
                                                        {"builtins.float", TypeKind::kFloat},
                                                        {"builtins.bool", TypeKind::kBool},
                                                        {"builtins.str", TypeKind::kString},
                                                        {"builtins.repr", TypeKind::kString},
                                                        {"builtins.bytes", TypeKind::kBytes},
                                                        {"builtins.list", TypeKind::kList},
                                                        {"builtins.tuple", TypeKind::kTuple},
                                                        {"builtins.dict", TypeKind::kDict},
                                                        {"builtins.len", TypeKind::kInt},
                                                        {"builtins.id", TypeKind::kInt},
                                                        {"builtins.hash", TypeKind::kInt},
                                                        {"builtins.ord", TypeKind::kInt},
                                                        {"builtins.isinstance", TypeKind::kBool},
                                                        {"builtins.issubclass", TypeKind::kBool},
                                                        {"builtins.hasattr", TypeKind::kBool},
                                                        {"builtins.callable", TypeKind::kBool},
                                                        {"builtins.all", TypeKind::kBool},
                                                        {"builtins.any", TypeKind::kBool},
                                                        {"builtins.sorted", TypeKind::kList},
                                                        {"builtins.dir", TypeKind::kList},
                                                        {"builtins.chr", TypeKind::kString},
                                                        {"builtins.hex", TypeKind::kString},
                                                        {"builtins.format", TypeKind::kString},
                                                        {"builtins.print", TypeKind::kNoneValue},
                                                        {"collections.defaultdict", TypeKind::kDict},
                                                        {"collections.OrderedDict", TypeKind::kDict},
                                                        {"weakref.WeakKeyDictionary", TypeKind::kDict},
                                                        {"torch.Tensor", TypeKind::kTensor},
                                                        {"torch.FloatTensor", TypeKind::kTensor},
                                                        {"torch.nn.Parameter", TypeKind::kParameter},
                                                        {"torch.nn.UninitializedParameter", TypeKind::kParameter},
                                                        {"torch.nn.Buffer", TypeKind::kParameter},
                                                        {"torch.device", TypeKind::kDevice},
                                                        {"torch.finfo", TypeKind::kOther},
                                                        {"torch.iinfo", TypeKind::kOther},
                                                        {"torch.result_type", TypeKind::kDtype},
                                                        {"torch.promote_types", TypeKind::kDtype},
                                                        {"torch.can_cast", TypeKind::kBool},
                                                        {"torch.typename", TypeKind::kString},
                                                        {"torch.initial_seed", TypeKind::kInt},
                                                        {"einops.rearrange", TypeKind::kTensor},
                                                        {"einops.repeat", TypeKind::kTensor},
                                                        {"einops.reduce", TypeKind::kTensor},
                                                        {"einops.einsum", TypeKind::kTensor},
                                                        {"opt_einsum.contract", TypeKind::kTensor},
                                                        {"einops.parse_shape", TypeKind::kDict},
                                                        {"torch.dtype", TypeKind::kDtype},
                                                        {"torch.cuda.device", TypeKind::kOther},
                                                        {"torch.cuda.Stream", TypeKind::kStream},
                                                        {"torch.cuda.ExternalStream", TypeKind::kStream},
                                                        {"torch.Stream", TypeKind::kStream},
                                                        {"torch.cuda.current_stream", TypeKind::kStream},
                                                        {"torch.cuda.default_stream", TypeKind::kStream},
                                                        {"cupy.cuda.Stream", TypeKind::kStream},
                                                        {"cupy.cuda.ExternalStream", TypeKind::kStream},
                                                        {"torch.cuda.Event", TypeKind::kEvent},
                                                        {"torch.Event", TypeKind::kEvent},
                                                        {"torch.cuda.CUDAGraph", TypeKind::kGraph},
                                                        {"torch.is_tensor", TypeKind::kBool},
                                                        {"torch.is_grad_enabled", TypeKind::kBool},
                                                        {"torch.is_inference_mode_enabled", TypeKind::kBool},
                                                        {"torch.equal", TypeKind::kBool},
                                                        {"torch.allclose", TypeKind::kBool},
                                                        {"torch.is_floating_point", TypeKind::kBool},
                                                        {"torch.numel", TypeKind::kInt},
                                                        {"torch.manual_seed", TypeKind::kOther},
                                                        {"torch.get_num_threads", TypeKind::kInt},
                                                        {"torch.get_default_dtype", TypeKind::kDtype},
                                                        {"torch.set_grad_enabled", TypeKind::kOther},
                                                        {"torch.no_grad", TypeKind::kOther},
                                                        {"torch.inference_mode", TypeKind::kOther},
                                                        {"torch.enable_grad", TypeKind::kOther},
                                                        {"torch.autocast", TypeKind::kOther},
                                                        {"torch.set_float32_matmul_precision", TypeKind::kNoneValue},
                                                        {"torch.set_num_threads", TypeKind::kNoneValue},
                                                        {"torch.set_default_dtype", TypeKind::kNoneValue},
                                                        {"torch.set_default_device", TypeKind::kNoneValue},
                                                        {"torch.cuda.is_available", TypeKind::kBool},
                                                        {"torch.cuda.device_count", TypeKind::kInt},
                                                        {"torch.cuda.current_device", TypeKind::kInt},
                                                        {"torch.cuda.get_device_capability", TypeKind::kTuple},
                                                        {"torch.cuda.get_device_name", TypeKind::kString},
                                                        {"torch.cuda.synchronize", TypeKind::kNoneValue},
                                                        {"torch.cuda.stream", TypeKind::kOther},
                                                        {"torch.cuda.graph", TypeKind::kOther},
                                                        {"torch.cuda.is_current_stream_capturing", TypeKind::kBool},
                                                        {"math.floor", TypeKind::kInt},
                                                        {"math.ceil", TypeKind::kInt},
                                                        {"math.prod", TypeKind::kInt},
                                                        {"math.gcd", TypeKind::kInt},
                                                        {"triton.cdiv", TypeKind::kInt},
                                                        {"triton.next_power_of_2", TypeKind::kInt},
                                                        {"time.time", TypeKind::kFloat},
                                                        {"time.perf_counter", TypeKind::kFloat},
                                                        {"os.path.exists", TypeKind::kBool},
                                                        {"os.path.join", TypeKind::kString},
                                                        {"os.path.dirname", TypeKind::kString},
                                                        {"os.path.abspath", TypeKind::kString},
                                                        {"os.getenv", TypeKind::kString},
                                                        {"os.getcwd", TypeKind::kString},
                                                        {"os.getpid", TypeKind::kInt},
                                                        {"tempfile.mkdtemp", TypeKind::kString},
                                                        {"tempfile.gettempdir", TypeKind::kString},
                                                        {"numba.cuda.as_cuda_array", TypeKind::kTensor},
                                                        {"cutlass.cute.runtime.from_dlpack", TypeKind::kTensor},
                                                        {"warp.empty", TypeKind::kTensor},
                                                        {"warp.empty_like", TypeKind::kTensor},
                                                        {"warp.to_torch", TypeKind::kTensor},
                                                        {"cutlass.cute.size", TypeKind::kInt},
                                                        {"cutlass.cute.cosize", TypeKind::kInt},
                                                        {"cutlass.cute.ceil_div", TypeKind::kInt},
                                                        {"cutlass.cute.rank", TypeKind::kInt},
                                                        {"operator.add", TypeKind::kUnknown}};
  const auto found = plain.find(callee);
  if (found != plain.end() && found->second != TypeKind::kUnknown) {
    const TypeKind kind = found->second;
    std::string name;
    if (kind == TypeKind::kTensor)
      name = "torch.Tensor";
    else if (kind == TypeKind::kParameter)
      name = "torch.nn.Parameter";
    else if (kind == TypeKind::kStream)
      name = "torch.cuda.Stream";
    else if (kind == TypeKind::kEvent || kind == TypeKind::kGraph || kind == TypeKind::kOther)
      name = callee;
    return typed(kind, name);
  }
  if (callee.ends_with(".__subclasses__")) return unknown("classes that are derived elsewhere");
  if (callee == "pathlib.Path.cwd" || callee == "pathlib.Path.home") return typed(TypeKind::kOther, "pathlib.Path");
  if (is_framework_module(callee)) return typed(TypeKind::kModule, callee);
  const std::string last = last_part(callee);
  const bool is_class = !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
  if (is_class) return typed(TypeKind::kOther, callee);
  if (starts_with(callee, "math.")) return typed(TypeKind::kFloat);
  if (starts_with(callee, "torch.cuda.") || starts_with(callee, "torch.backends.") ||
      starts_with(callee, "torch.utils.") || starts_with(callee, "torch.jit.") || starts_with(callee, "torch._") ||
      starts_with(callee, "torch.distributed.") || starts_with(callee, "torch.autograd.") ||
      starts_with(callee, "torch.nn.utils.") || starts_with(callee, "torch.library.") ||
      starts_with(callee, "torch.amp.")) {
    if (callee == "torch.autograd.grad") return tensors();
    if (starts_with(callee, "torch.cuda.nvtx")) return constant(nullptr);
    if (last == "device_of" || last == "autocast" || last == "profile" || last == "stream" || last == "device")
      return typed(TypeKind::kOther, callee);
    if (callee == "torch.utils.checkpoint.checkpoint") return tensor();
    return typed(TypeKind::kOther, callee);
  }
  if (callee == "torch.compile") return typed(TypeKind::kOther, callee);
  if (starts_with(callee, "torch.is_")) return typed(TypeKind::kBool);
  if (starts_with(callee, "torch.")) return gives_tuple(last) ? tensors() : tensor();
  if (starts_with(callee, "operator.")) return unknown("an operator applied to values of unknown type");
  if (starts_with(callee, "functools.") || starts_with(callee, "triton.") || starts_with(callee, "contextlib.") ||
      starts_with(callee, "numba.") || starts_with(callee, "dataclasses.") || starts_with(callee, "tilelang.") ||
      starts_with(callee, "cutlass.cute.") || starts_with(callee, "cachetools.") || starts_with(callee, "cupyx.jit.") ||
      callee == "warp.kernel" || callee == "warp.func")
    return typed(TypeKind::kOther, callee);
  return unknown("the result of '" + callee + "'");
}

}  // namespace kernel_audit::analysis::python
