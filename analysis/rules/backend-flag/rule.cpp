// KA411: settings of the framework or of its libraries that change precision or choice of algorithm.
#include <algorithm>

#include "analysis/rules/collector.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;

const RuleInfo kInfo{"KA411",
                     "backend-flag",
                     "settings that change the precision or the algorithms of the framework are stored",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {48, 50, 51, 55, 56},
                     Topic::kBackendFlags};

constexpr std::string_view kFlagPrefixes[] = {"torch.backends.", "torch._inductor.config.", "torch._dynamo.config."};
constexpr std::string_view kVariables[] = {"NVIDIA_TF32_OVERRIDE",
                                           "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
                                           "CUBLAS_WORKSPACE_CONFIG",
                                           "CUDA_LAUNCH_BLOCKING",
                                           "CUDA_VISIBLE_DEVICES",
                                           "CUDNN_DETERMINISTIC",
                                           "OMP_NUM_THREADS",
                                           "MKL_NUM_THREADS",
                                           "CUDA_DEVICE_MAX_CONNECTIONS",
                                           "TORCH_CUDNN_V8_API_DISABLED",
                                           "CUBLASLT_WORKSPACE_SIZE",
                                           "CUDA_CACHE_DISABLE",
                                           "TORCH_BLAS_PREFER_CUBLASLT",
                                           "PYTORCH_CUDA_ALLOC_CONF",
                                           "PYTORCH_NO_CUDA_MEMORY_CACHING"};
constexpr std::string_view kCalls[] = {"torch.set_float32_matmul_precision",
                                       "torch.set_default_dtype",
                                       "torch.set_default_device",
                                       "torch.set_default_tensor_type",
                                       "torch.use_deterministic_algorithms",
                                       "torch.backends.cuda.enable_flash_sdp",
                                       "torch.backends.cuda.enable_math_sdp",
                                       "torch.backends.cuda.enable_mem_efficient_sdp",
                                       "torch.backends.cuda.enable_cudnn_sdp",
                                       "torch.backends.cuda.preferred_linalg_library",
                                       "torch.backends.cuda.preferred_blas_library",
                                       "torch.set_flush_denormal",
                                       "torch._C._set_cublas_allow_tf32",
                                       "torch._C._set_cudnn_allow_tf32",
                                       "torch._C._set_cudnn_benchmark",
                                       "torch._C._set_cudnn_deterministic",
                                       "torch._C._set_cudnn_enabled",
                                       "torch._C._set_deterministic_algorithms",
                                       "torch._C._set_float32_matmul_precision",
                                       "torch.backends.cudnn.flags.__enter__",
                                       "torch.cuda.set_per_process_memory_fraction",
                                       "torch.set_num_threads",
                                       "torch.backends.disable_global_flags"};

// The same from C++. What the setters take says whether they ask for the exact way: see native().
constexpr std::string_view kNativeSetters[] = {
    "setAllowTF32CuBLAS",          "setAllowTF32CuDNN",           "setAllowTF32OneDNN",
    "setAllowFP16ReductionCuBLAS", "setAllowBF16ReductionCuBLAS", "setAllowFP16AccumulationCuBLAS",
    "setBenchmarkCuDNN",           "setDeterministicCuDNN",       "setUserEnabledCuDNN",
    "setFloat32MatmulPrecision",   "setDeterministicAlgorithms"};

bool is_native_setter(std::string_view name) {
  static constexpr std::string_view kContext = "at::Context::";
  if (one_of(name, {"at::set_default_dtype", "c10::set_default_dtype", "torch::set_default_dtype"})) return true;
  if (!name.starts_with(kContext)) return false;
  name.remove_prefix(kContext.size());
  return std::find(std::begin(kNativeSetters), std::end(kNativeSetters), name) != std::end(kNativeSetters);
}

// A value that asks for the exact or the default way.
bool is_strict(const std::string& name, const Json* value) {
  if (value == nullptr) return false;
  if (value->is_string()) return *value == "highest" || *value == "ieee";
  if (!value->is_boolean()) return false;
  if (name.find("deterministic") != std::string::npos) return true;  // exact, or the default
  if (name.ends_with(".enabled") || name.ends_with("_enabled")) return value->get<bool>();
  return !value->get<bool>();
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {
    for (const auto& way : model.alternatives()) framework_ = framework_ || !real_compute(model, way.framework).empty();
  }

  void add(const std::string& message, const SourceSpan& span, bool strict, const std::vector<FlowNote>& notes = {}) {
    Finding* finding = once_at(span, message);
    if (finding == nullptr) return;
    if (strict) {
      soften(*finding, Effect::kNote);
      finding->severity = Severity::kNote;
    }
    finding->notes = notes;
  }

  // One place may store several: those that are harmless come last.
  void stores(bool harmless_ones) {
    for (const facts::ForeignStore& store : model_.run().foreign_stores) {
      const facts::Statement* statement = model_.statement(store.where);
      if (statement == nullptr) continue;
      if (matches(store.name, kFlagPrefixes)) {
        const Json* value = stored(store, *statement);
        const bool search = store.name.ends_with(".benchmark") || store.name.ends_with(".benchmark_limit");
        // Which algorithm cuDNN picks matters to nobody who does not use it; a value that is put back, neither.
        const bool harmless =
            is_strict(store.name, value) || (search && !framework_) || restores(store.where, store.name);
        if (harmless == harmless_ones)
          add("The candidate sets " + store.name + shown(value) + " " + when(store.phase) + reach(store.phase) + ".",
              statement->span, harmless);
      } else if (!harmless_ones && store.name.starts_with("os.environ.")) {
        variable(store.name.substr(11), statement->span, when(store.phase), stored(store, *statement));
      }
    }
  }

  void calls() {
    for (const Ran& call : ran(model_, kCalls)) {
      const Json* value = constant_of(model_, argument(*call.statement, 0));
      const std::string type = symbol_of(model_, argument(*call.statement, 0));
      const bool strict = is_strict(call.name, value) || call.name == "torch.set_num_threads" ||
                          type == "torch.float32" || type == "torch.float" ||
                          call.name == "torch.backends.disable_global_flags";
      add("The candidate calls " + call.name + shown(value) + " " + when(*call.record) +
              reach(call.record->at_import ? facts::Phase::kImport : facts::Phase::kInit) + ".",
          call.statement->span, strict);
    }
    static constexpr std::string_view environment[] = {"os.environ.setdefault", "os.putenv", "os.environ.__setitem__",
                                                       "os.environ.update"};
    for (const Ran& call : ran(model_, environment)) {
      const std::string key = text_of(model_, argument(*call.statement, 0));
      if (!key.empty()) {
        variable(key, call.statement->span, when(*call.record), constant_of(model_, argument(*call.statement, 1)));
      }
      for (const auto& [name, value] : call.statement->keywords)
        variable(name, call.statement->span, when(*call.record), constant_of(model_, value));
      dictionary(call);
    }
    scoped();
  }

  void native() {
    for (const NativeCall& call : native_calls(model_, is_native_setter)) {
      const bool context = call.name.starts_with("at::Context::");
      const auto number = number_argument(model_, call, 1);
      const auto text = text_argument(model_, call, 1);
      const bool off =
          context && (call.name.ends_with("DeterministicCuDNN") || call.name.ends_with("DeterministicAlgorithms") ||
                      number == (call.name.ends_with("UserEnabledCuDNN") ? 1 : 0) || text == "highest" ||
                      (call.name.ends_with("BenchmarkCuDNN") && !framework_));
      add(std::string(caller_text(call)) + " calls " + call.name + " " + phase_text(call) + ".",
          model_.span(call.where), off);
    }
    for (const NativeCall& call :
         native_calls(model_, [](std::string_view name) { return one_of(name, {"setenv", "putenv"}); })) {
      const auto text = text_argument(model_, call, 0);
      if (!text) {
        add(std::string(caller_text(call)) + " sets an environment variable whose name is put together there " +
                phase_text(call) + ".",
            model_.span(call.where), false);
        continue;
      }
      const auto equals = text->find('=');
      const Json value = equals != std::string::npos ? Json(text->substr(equals + 1))
                                                     : Json(text_argument(model_, call, 1).value_or(""));
      const bool known = equals != std::string::npos || text_argument(model_, call, 1).has_value();
      variable(text->substr(0, equals), model_.span(call.where), phase_text(call), known ? &value : nullptr);
    }
  }

 private:
  // What is stored, where that is one thing; a call that stores takes it as an argument.
  const Json* stored(const facts::ForeignStore& store, const facts::Statement& statement) const {
    if (const Json* constant = constant_of(model_, statement.value)) return constant;
    const facts::Abstract& value = store.value;
    const bool one = !value.open && value.objects.empty() && value.constants.size() == 1;
    return one ? &model_.run().constant_at(value.constants.front()) : nullptr;
  }

  void variable(const std::string& name, const SourceSpan& span, const std::string& phase, const Json* value) {
    if (!matches(name, kVariables) && !name.starts_with("TORCHINDUCTOR_") && !name.starts_with("CUDNN_")) return;
    const bool off = value != nullptr && (*value == "0" || *value == std::string());
    add("The candidate sets the environment variable " + name + shown(value) + " " + phase + ".", span,
        off && (name.find("TF32") != std::string::npos || name == "CUDA_CACHE_DISABLE"));
  }

  // os.environ.update({"X": …})
  void dictionary(const Ran& call) {
    if (!call.name.ends_with(".update")) return;
    const auto* made = maker(model_, call.where.function, argument(*call.statement, 0));
    if (made == nullptr || made->callee != "builtins.dict") return;
    for (std::size_t i = 0; i + 1 < made->args.size(); i += 2)
      variable(text_of(model_, made->args[i]), call.statement->span, when(*call.record),
               constant_of(model_, made->args[i + 1]));
  }

  // `with torch.backends.cudnn.flags(…)`: ends with its block.
  void scoped() {
    static constexpr std::string_view flags[] = {"torch.backends.cudnn.flags", "torch.backends.cuda.sdp_kernel",
                                                 "torch.nn.attention.sdpa_kernel"};
    for (const Ran& call : ran(model_, flags))
      add("The candidate sets flags of a backend with " + call.name + " " + when(*call.record) +
              ", for a block of code.",
          call.statement->span, true);
  }

  static std::string shown(const Json* value) {
    return value == nullptr || value->is_null()
               ? ""
               : " to " + (value->is_string() ? value->get<std::string>() : value->dump());
  }

  static std::string reach(facts::Phase phase) {
    return phase == facts::Phase::kForward ? "" : ", before the reference is run in the same process";
  }

  // The store puts back what was read before, or a later one on every way out of the function does.
  bool restores(const facts::StatementRef& where, const std::string& name) const {
    const auto& body = model_.function(where.function);
    const auto& flow = model_.run().flow(where.function);
    const facts::Statement* here = model_.statement(where);
    if (here->value != kNone && constant_of(model_, here->value) == nullptr)
      return saved(where.function, here->value, name);
    for (std::size_t b = 0; b < body.blocks.size(); ++b) {
      for (std::size_t s = 0; s < body.blocks[b].statements.size(); ++s) {
        const facts::Statement& other = body.blocks[b].statements[s];
        if (other.kind != facts::StatementKind::kStore || other.location.storage != here->location.storage) continue;
        const bool later = static_cast<Id>(b) == where.block ? static_cast<Id>(s) > where.index
                                                             : flow.post_dominates(static_cast<Id>(b), where.block);
        if (later && constant_of(model_, other.value) == nullptr && saved(where.function, other.value, name))
          return true;
      }
    }
    return false;
  }

  // Whether a value was loaded from a variable that the flag was stored in.
  bool saved(Id function, Id value, const std::string& name) const {
    const facts::Statement* loaded = maker(model_, function, value);
    if (loaded == nullptr || loaded->kind != facts::StatementKind::kLoad || loaded->location.storage == kNone)
      return false;
    for (const auto& block : model_.function(function).blocks) {
      for (const auto& statement : block.statements) {
        if (statement.kind != facts::StatementKind::kStore || statement.location.storage != loaded->location.storage)
          continue;
        if (symbol_of(model_, statement.value) == name) return true;
        const facts::Statement* source = maker(model_, function, statement.value);
        if (source != nullptr && source->location.storage != kNone &&
            model_.facts().storages[static_cast<std::size_t>(source->location.storage)].name == name)
          return true;
      }
    }
    return false;
  }

  bool framework_ = false;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.stores(false);
  checker.stores(true);
  checker.calls();
  checker.native();
  return checker.take();
}

}  // namespace

const Rule& backend_flag() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
