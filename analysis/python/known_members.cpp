// Light types of attributes and methods of values from packages.
#include <set>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

Abstract tensor() { return typed(TypeKind::kTensor, "torch.Tensor"); }
Abstract tensors() { return typed(TypeKind::kTuple, "torch.Tensor[]"); }

}  // namespace

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
      // A result of max, sort, topk, … along a dimension is typed as its tensor; these are its parts.
      if (name == "values" || name == "indices") return tensor();
      // So is what a library's model returns.
      if (name == "logits" || name == "last_hidden_state" || name == "pooler_output") return tensor();
      if (name == "T" || name == "mT" || name == "H" || name == "mH" || name == "grad" || name == "data" ||
          name == "real" || name == "imag" || name == "_base")
        return tensor();
      const auto found = names.find(name);
      return found == names.end() ? Abstract{} : typed(found->second);
    }
    case TypeKind::kModule: {
      static const std::set<std::string> weights = {
          "weight",   "bias",     "running_mean",        "running_var",   "in_proj_weight", "in_proj_bias",
          "weight_g", "weight_v", "num_batches_tracked", "_flat_weights", "all_weights"};
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
      if (type.name == "pathlib.Path") {
        if (name == "name" || name == "stem" || name == "suffix") return typed(TypeKind::kString);
        if (name == "parts") return typed(TypeKind::kTuple);
        return name == "parent" ? typed(TypeKind::kOther, type.name) : Abstract{};
      }
      if (type.name.starts_with("triton.language.") && name == "T") return typed(TypeKind::kOther, type.name);
      if (type.name == "torch.finfo" && name != "dtype" && name != "bits") return typed(TypeKind::kFloat);
      if (type.name == "torch.finfo" || type.name == "torch.iinfo")
        return typed(name == "dtype" ? TypeKind::kString : TypeKind::kInt);
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
      return gives_tuple(name) ? tensors() : tensor();
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
    case TypeKind::kOther: {
      if (type.name != "pathlib.Path") return {};
      if (name == "resolve" || name == "absolute" || name == "joinpath" || name == "with_suffix" || name == "with_name")
        return typed(TypeKind::kOther, type.name);
      if (name != "glob" && name != "rglob" && name != "iterdir") return {};
      Atom made;
      made.type = {TypeKind::kOther, "builtins.generator"};
      made.items = {typed(TypeKind::kOther, type.name)};
      return make(std::move(made));
    }
    default:
      return {};
  }
}

}  // namespace kernel_audit::analysis::python
