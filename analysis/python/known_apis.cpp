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

const std::set<std::string>& tuple_methods() {
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
  return names;
}

}  // namespace

// One spelling for what torch exports under several names.
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
      {"torch._ops.ops.", "torch.ops."},
      {"triton.runtime.jit.jit", "triton.jit"},
      {"triton.runtime.autotuner.", "triton."},
      {"torch._compile", "torch.compile"},
      {"torch.nn.functional.torch.", "torch."}};
  for (const auto& [from, to] : prefixes) {
    if (starts_with(symbol_name, from.c_str())) return canonical(to + symbol_name.substr(from.size()));
  }
  const std::string modules = "torch.nn.modules.";
  if (starts_with(symbol_name, modules.c_str())) {
    const std::string last = last_part(symbol_name);
    if (!last.empty() && last.front() >= 'A' && last.front() <= 'Z') return "torch.nn." + last;
  }
  return symbol_name;
}

bool is_framework_module(const std::string& name) {
  if (!starts_with(name, "torch.nn.") && !starts_with(name, "torchvision.") && !starts_with(name, "torch.ao.nn."))
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

bool is_wrapper(const std::string& callee) {
  static const std::set<std::string> names = {"torch.compile",
                                              "torch.jit.script",
                                              "torch.jit.trace",
                                              "torch.jit.freeze",
                                              "torch.jit.optimize_for_inference",
                                              "torch.jit.script_method",
                                              "torch.no_grad",
                                              "torch.inference_mode",
                                              "torch.enable_grad",
                                              "torch.set_grad_enabled",
                                              "torch.autocast",
                                              "torch.cuda.amp.autocast",
                                              "torch.amp.autocast",
                                              "torch.cuda.amp.autocast_mode.autocast",
                                              "functools.lru_cache",
                                              "functools.cache",
                                              "functools.cached_property",
                                              "functools.wraps",
                                              "torch._dynamo.disable",
                                              "torch.compiler.disable",
                                              "torch._dynamo.optimize",
                                              "torch.cuda.make_graphed_callables",
                                              "torch.nn.DataParallel",
                                              "torch.vmap",
                                              "torch.func.vmap",
                                              "torch.jit.export",
                                              "torch.jit.ignore",
                                              "torch.jit.unused",
                                              "triton.jit",
                                              "triton.autotune",
                                              "triton.heuristics",
                                              "contextlib.contextmanager",
                                              "torch.fx.symbolic_trace",
                                              "torch.cuda.amp.custom_fwd",
                                              "torch.cuda.amp.custom_bwd",
                                              "torch.amp.custom_fwd",
                                              "torch.amp.custom_bwd",
                                              "torch.autograd.function.once_differentiable",
                                              "torch.library.custom_op",
                                              "torch.library.register_fake",
                                              "atexit.register",
                                              "numba.njit",
                                              "numba.jit",
                                              "numba.cuda.jit",
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
                                              "torch._assert",
                                              "warnings.deprecated",
                                              "copy.deepcopy",
                                              "copy.copy"};
  return names.count(callee) != 0;
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
  if (is_framework_module(callee)) return typed(TypeKind::kModule, callee);
  const std::string last = last_part(callee);
  const bool is_class = !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
  if (is_class) return typed(TypeKind::kOther, callee);
  if (starts_with(callee, "math.")) return typed(TypeKind::kFloat);
  if (starts_with(callee, "torch.cuda.") || starts_with(callee, "torch.backends.") ||
      starts_with(callee, "torch.utils.") || starts_with(callee, "torch.jit.") || starts_with(callee, "torch._") ||
      starts_with(callee, "torch.distributed.") || starts_with(callee, "torch.autograd.") ||
      starts_with(callee, "torch.nn.utils.") || starts_with(callee, "torch.library.")) {
    if (callee == "torch.autograd.grad") return tensors();
    if (starts_with(callee, "torch.cuda.nvtx")) return constant(nullptr);
    if (last == "device_of" || last == "autocast" || last == "profile" || last == "stream" || last == "device")
      return typed(TypeKind::kOther, callee);
    if (callee == "torch.utils.checkpoint.checkpoint") return tensor();
    return typed(TypeKind::kOther, callee);
  }
  if (callee == "torch.compile") return typed(TypeKind::kOther, callee);
  if (starts_with(callee, "torch.")) return tuple_methods().count(last) != 0 ? tensors() : tensor();
  if (starts_with(callee, "operator.")) return unknown("an operator applied to values of unknown type");
  if (starts_with(callee, "functools.") || starts_with(callee, "triton.") || starts_with(callee, "contextlib.") ||
      starts_with(callee, "numba.") || starts_with(callee, "dataclasses."))
    return typed(TypeKind::kOther, callee);
  return unknown("the result of '" + callee + "'");
}

// Data attributes (everything else of a known class is a method); bottom when it is none.
Abstract foreign_attribute_type(const facts::Type& type, const std::string& name) {
  switch (type.kind) {
    case TypeKind::kTensor:
    case TypeKind::kParameter: {
      static const std::map<std::string, TypeKind> names = {
          {"dtype", TypeKind::kDtype},    {"device", TypeKind::kDevice},      {"ndim", TypeKind::kInt},
          {"is_cuda", TypeKind::kBool},   {"requires_grad", TypeKind::kBool}, {"is_leaf", TypeKind::kBool},
          {"is_sparse", TypeKind::kBool}, {"is_cpu", TypeKind::kBool},        {"itemsize", TypeKind::kInt},
          {"nbytes", TypeKind::kInt},     {"_version", TypeKind::kInt},       {"layout", TypeKind::kOther},
          {"grad_fn", TypeKind::kOther},  {"names", TypeKind::kTuple},        {"is_quantized", TypeKind::kBool},
          {"output_nr", TypeKind::kInt}};
      if (name == "shape") return typed(TypeKind::kTuple, "torch.Size");
      if (name == "T" || name == "mT" || name == "H" || name == "mH" || name == "grad" || name == "data" ||
          name == "real" || name == "imag" || name == "_base")
        return tensor();
      const auto found = names.find(name);
      return found == names.end() ? Abstract{} : typed(found->second);
    }
    case TypeKind::kModule: {
      static const std::set<std::string> weights = {"weight",      "bias",           "running_mean",
                                                    "running_var", "in_proj_weight", "in_proj_bias",
                                                    "weight_g",    "weight_v",       "num_batches_tracked"};
      static const std::set<std::string> numbers = {
          "in_features", "out_features", "in_channels", "out_channels", "groups",    "num_features", "num_groups",
          "hidden_size", "num_layers",   "input_size",  "embed_dim",    "num_heads", "dim"};
      static const std::set<std::string> shapes = {"stride",           "padding",        "dilation",   "kernel_size",
                                                   "normalized_shape", "output_padding", "output_size"};
      if (weights.count(name) != 0 || starts_with(name, "weight_") || starts_with(name, "bias_")) {
        return type.name == "torch.nn.Module" ? Abstract{} : typed(TypeKind::kParameter, "torch.nn.Parameter");
      }
      if (name == "training" || name == "affine" || name == "inplace" || name == "track_running_stats" ||
          name == "batch_first")
        return typed(TypeKind::kBool);
      if (type.name == "torch.nn.Module") return {};
      if (numbers.count(name) != 0) return typed(TypeKind::kInt);
      if (shapes.count(name) != 0) return typed(TypeKind::kTuple);
      if (name == "eps" || name == "momentum" || name == "negative_slope" || name == "p")
        return typed(TypeKind::kFloat);
      return {};
    }
    case TypeKind::kPackage: {
      static const std::set<std::string> dtypes = {
          "float", "float16", "float32",   "float64",    "half",          "bfloat16",   "double",
          "int",   "int8",    "int16",     "int32",      "int64",         "uint8",      "long",
          "short", "bool",    "complex64", "complex128", "float8_e4m3fn", "float8_e5m2"};
      if (type.name == "torch" && dtypes.count(name) != 0) return typed(TypeKind::kDtype);
      if (type.name == "torch" && (name == "channels_last" || name == "channels_last_3d" ||
                                   name == "contiguous_format" || name == "preserve_format" || name == "strided"))
        return typed(TypeKind::kOther);
      if (starts_with(type.name, "torch.backends") &&
          (starts_with(name, "allow_") || name == "benchmark" || name == "deterministic" || name == "enabled" ||
           name == "fp32_precision"))
        return typed(TypeKind::kBool);
      if ((type.name == "math" || type.name == "numpy") &&
          (name == "pi" || name == "e" || name == "inf" || name == "nan"))
        return typed(TypeKind::kFloat);
      if (type.name == "sys" && name == "argv") return typed(TypeKind::kList);
      return {};
    }
    case TypeKind::kStream:
      return name == "cuda_stream" || name == "ptr" || name == "stream_id" ? typed(TypeKind::kInt) : Abstract{};
    case TypeKind::kDevice:
      return name == "type" ? typed(TypeKind::kString) : name == "index" ? typed(TypeKind::kInt) : Abstract{};
    case TypeKind::kOther:
      if (type.name == "torch.autograd.function.FunctionCtx") return name == "saved_tensors" ? tensors() : Abstract{};
      if (type.name.rfind("torch.cuda.get_device_properties", 0) == 0) return typed(TypeKind::kInt);
      return {};
    default:
      return {};
  }
}

Abstract method_result(const facts::Type& type, const std::string& name) {
  switch (type.kind) {
    case TypeKind::kTensor:
    case TypeKind::kParameter: {
      static const std::map<std::string, TypeKind> names = {{"data_ptr", TypeKind::kInt},
                                                            {"numel", TypeKind::kInt},
                                                            {"nelement", TypeKind::kInt},
                                                            {"dim", TypeKind::kInt},
                                                            {"ndimension", TypeKind::kInt},
                                                            {"element_size", TypeKind::kInt},
                                                            {"get_device", TypeKind::kInt},
                                                            {"storage_offset", TypeKind::kInt},
                                                            {"is_contiguous", TypeKind::kBool},
                                                            {"is_floating_point", TypeKind::kBool},
                                                            {"is_complex", TypeKind::kBool},
                                                            {"equal", TypeKind::kBool},
                                                            {"allclose", TypeKind::kBool},
                                                            {"is_pinned", TypeKind::kBool},
                                                            {"is_shared", TypeKind::kBool},
                                                            {"has_names", TypeKind::kBool},
                                                            {"tolist", TypeKind::kList},
                                                            {"item", TypeKind::kFloat},
                                                            {"__len__", TypeKind::kInt},
                                                            {"numpy", TypeKind::kOther},
                                                            {"storage", TypeKind::kOther},
                                                            {"untyped_storage", TypeKind::kOther},
                                                            {"record_stream", TypeKind::kNoneValue},
                                                            {"backward", TypeKind::kNoneValue}};
      if (name == "size" || name == "stride") return unknown("a size or a tuple of sizes");
      const auto found = names.find(name);
      if (found != names.end()) return typed(found->second);
      return tuple_methods().count(name) != 0 ? tensors() : tensor();
    }
    case TypeKind::kModule:
      if (name == "parameters" || name == "buffers") {
        Atom made;
        made.type = {TypeKind::kOther, "builtins.generator"};
        made.items = {typed(TypeKind::kParameter, "torch.nn.Parameter")};
        return make(std::move(made));
      }
      if (name == "get_parameter" || name == "get_buffer") return typed(TypeKind::kParameter, "torch.nn.Parameter");
      if (name == "state_dict" || name == "__getstate__") return typed(TypeKind::kDict);
      if (name == "__init__" || name == "append" || name == "extend" || name == "reset_parameters")
        return constant(nullptr);
      return {};
    case TypeKind::kString: {
      static const std::set<std::string> yes_no = {"startswith", "endswith", "isdigit", "isalpha", "isidentifier",
                                                   "isupper",    "islower",  "isspace", "isalnum"};
      if (yes_no.count(name) != 0) return typed(TypeKind::kBool);
      if (name == "split" || name == "splitlines" || name == "rsplit" || name == "partition" || name == "rpartition")
        return typed(TypeKind::kList);
      if (name == "find" || name == "index" || name == "count" || name == "rfind" || name == "rindex")
        return typed(TypeKind::kInt);
      if (name == "encode") return typed(TypeKind::kBytes);
      return typed(TypeKind::kString);
    }
    case TypeKind::kBytes:
      return name == "decode" || name == "hex" ? typed(TypeKind::kString) : Abstract{};
    case TypeKind::kStream:
      if (name == "record_event") return typed(TypeKind::kEvent, "torch.cuda.Event");
      if (name == "query") return typed(TypeKind::kBool);
      return constant(nullptr);
    case TypeKind::kEvent:
      return name == "elapsed_time" ? typed(TypeKind::kFloat)
             : name == "query"      ? typed(TypeKind::kBool)
                                    : constant(nullptr);
    case TypeKind::kGraph:
      return name == "pool" ? typed(TypeKind::kOther) : constant(nullptr);
    case TypeKind::kTuple:
      return name == "numel" || name == "count" || name == "index" ? typed(TypeKind::kInt) : Abstract{};
    default:
      return {};
  }
}

}  // namespace kernel_audit::analysis::python
