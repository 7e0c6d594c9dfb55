// KA611: the candidate replaces functions of packages that time, compare or make the inputs.
#include <algorithm>

#include "analysis/facts/operations.h"
#include "analysis/rules/collector.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;

const RuleInfo kInfo{
    "KA611",          "harness-patch",         "functions that time, compare or make the inputs are replaced",
    Severity::kError, Confidence::kHigh,       Stage::kAnalysis,
    Effect::kCheat,   {37, 38, 39, 81, 82, 93}};

// Whoever measures or checks a candidate rests on these.
constexpr std::string_view kMeasuring[] = {
    "torch.cuda.Event",
    "torch.cuda.Event.",
    "torch.Event.",
    "torch.cuda.synchronize",
    "torch.cuda.current_stream",
    "torch.cuda.Stream.",
    "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all",
    "torch.cuda.empty_cache",
    "torch.cuda.get_device_name",
    "time.",
    "datetime.",
    "torch.testing.",
    "numpy.testing.",
    "numpy.allclose",
    "numpy.isclose",
    "numpy.array_equal",
    "numpy.random.",
    "torch.random.",
    "random.",
    "torch.Generator",
    "torch.manual_seed",
    "torch.seed",
    "triton.testing.",
    "torch.utils.benchmark.",
    "torch.profiler.",
    "torch.autograd.profiler.",
    "builtins.",
    "statistics.",
    "cupti.",
    "inspect.",
    "gc.",
    "importlib.",
    "pickle.",
    "json.",
    "torch.save",
    "torch.load",
    "__main__.",
    "kernelbench.",
    "unittest.",
    "pytest.",
    "os.write",
    "sys.exit",
    "os._exit",
    "torch.nn.Module.",
    "sys.modules.torch",
    "sys.modules.time",
    "sys.modules.numpy",
    "sys.modules.random",
    "sys.modules.builtins",
    "sys.modules.triton",
    "sys.modules.__main__",
    "sys.modules.torch.",
    "sys.modules.triton.testing",
};

// Settings and places for own things: other rules look at some of them.
constexpr std::string_view kSettings[] = {"torch.backends.",
                                          "torch._dynamo.config.",
                                          "torch._inductor.config.",
                                          "os.environ.",
                                          "sys.path",
                                          "sys.stdout",
                                          "sys.stderr",
                                          "warnings.",
                                          "logging.",
                                          "sys.modules."};

bool is_code_swap(const std::string& name) {
  for (const std::string_view end : {".__code__", ".__defaults__", ".__kwdefaults__", ".__class__", ".__globals__"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

// What ctypes is told of a function of a library that it has loaded.
bool declares_signature(const std::string& name) {
  if (!name.starts_with("ctypes.")) return false;
  return name.ends_with(".restype") || name.ends_with(".argtypes") || name.ends_with(".errcheck");
}

// A function or method of the framework that exists, by the names that the tables know.
bool is_framework_function(const std::string& name) {
  if (!name.starts_with("torch.")) return false;
  const auto kind = facts::classify(name).kind;
  using Kind = facts::OperationKind;
  return kind != Kind::kUnknown && kind != Kind::kUnclassified && kind != Kind::kHarmless && kind != Kind::kModule;
}

// torch.mine: a name that no table knows. What is new replaces nothing.
bool is_new_to_framework(const std::string& name) {
  return name.starts_with("torch.") && name.rfind('.') == 5 && !name.starts_with("torch._") && !name.ends_with(".*") &&
         !name.ends_with(".?") && facts::classify(name).kind == facts::OperationKind::kUnclassified;
}

// What stands between a search of the process and the attribute that is stored to.
std::string described_find(const std::string& name) {
  const std::string path = name.substr(facts::kFound.size());
  const std::size_t search = path.find(".__subclasses__");
  if (search == std::string::npos) return "an attribute of a module that it looks for in sys.modules";
  return last_part(name) + " of what " + path.substr(0, search) + ".__subclasses__() finds";
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  void add(const std::string& name, const SourceSpan& span, const std::string& phase, bool function,
           const std::string& how) {
    const bool setting = matches(name, kSettings) && !matches(name, kMeasuring);
    if (setting) return;
    if (name.starts_with(facts::kFound)) {
      Finding* found = once_at(span, "The candidate replaces " + described_find(name) + " " + how + phase + ".");
      if (found == nullptr || name.find(".__subclasses__") != std::string::npos) return;
      soften(*found, Effect::kReview);  // it may be its own
      found->severity = Severity::kWarning;
      return;
    }
    const bool module_method = name.starts_with("torch.nn.") && name.ends_with(".forward");
    const bool certain = matches(name, kMeasuring) || is_framework_function(name) || module_method ||
                         (is_code_swap(name) && name.find('.') != std::string::npos);
    if (!certain && !function) return;
    if (!certain && is_new_to_framework(name)) {
      Finding* finding =
          once_at(span, "The candidate adds " + name + ", which the framework does not have, " + how + phase + ".");
      if (finding == nullptr) return;
      soften(*finding, Effect::kNote);
      finding->severity = Severity::kNote;
      finding->confidence = Confidence::kMedium;
      return;
    }
    const bool unnamed = name.ends_with(".?") || name.ends_with(".*");
    const std::string what = unnamed ? "an attribute of " + name.substr(0, name.size() - 2) : name;
    Finding* finding = once_at(span, "The candidate replaces " + what + " " + how + phase + ".");
    if (finding == nullptr || certain) return;
    soften(*finding, Effect::kReview);
    finding->severity = Severity::kWarning;
    finding->confidence = Confidence::kMedium;
  }

  void stores() {
    for (const facts::ForeignStore& store : model_.run().foreign_stores) {
      const facts::Statement* statement = model_.statement(store.where);
      if (statement == nullptr) continue;
      bool function = std::any_of(store.value.objects.begin(), store.value.objects.end(), [&](facts::ObjectId id) {
        const auto kind = model_.run().object(id).kind;
        return kind == facts::ObjectKind::kFunction || kind == facts::ObjectKind::kSymbol ||
               kind == facts::ObjectKind::kClass;
      });
      if (statement->value != kNone) function = function || model_.value(statement->value).function != kNone;
      if (store.name.starts_with("ext:") || declares_signature(store.name)) continue;
      add(store.name, statement->span, when(store.phase), function, "");
    }
  }

  // mock.patch("torch.allclose", …), patch.object(torch, "allclose", …), object.__setattr__(torch, …).
  void patching_calls() {
    static constexpr std::string_view by_path[] = {"unittest.mock.patch", "mock.patch"};
    static constexpr std::string_view by_object[] = {
        "unittest.mock.patch.object",   "mock.patch.object",           "pytest.MonkeyPatch.setattr",
        "builtins.object.__setattr__",  "builtins.type.__setattr__",   "builtins.setattr",
        "wrapt.patch_function_wrapper", "wrapt.wrap_function_wrapper", "forbiddenfruit.curse"};
    for (const Ran& call : ran(model_, by_path)) {
      const std::string path = text_of(model_, argument(*call.statement, 0, "target"));
      if (!path.empty()) add(path, call.statement->span, when(*call.record), true, "through " + call.name + " ");
    }
    for (const Ran& call : ran(model_, by_object)) {
      const Id object = argument(*call.statement, 0, "target");
      std::string owner = symbol_of(model_, object);
      if (owner.empty()) owner = text_of(model_, object);
      if (owner.empty()) continue;
      const std::string attribute = text_of(model_, argument(*call.statement, 1, "attribute"));
      if (attribute.empty()) {
        static constexpr std::string_view roots[] = {"torch",  "torch.",  "time",     "numpy",
                                                     "numpy.", "triton.", "builtins", "random"};
        if (matches(owner, roots))
          add("an attribute of " + owner, call.statement->span, when(*call.record), true, "through " + call.name + " ");
        continue;
      }
      add(owner + "." + attribute, call.statement->span, when(*call.record), true, "through " + call.name + " ");
    }
  }

  // torch.__setattr__("allclose", f), vars(time).update(perf_counter=f).
  void dictionary_calls() {
    // A helper may be called for several packages, with one finding for the place: what is certain goes first.
    for (const bool measuring : {true, false}) dictionary_calls(measuring);
  }

  void dictionary_calls(bool measuring) {
    const auto wanted = [](const std::string& name) {
      static constexpr std::string_view changes[] = {".update", ".__setitem__", ".setdefault", ".pop", ".clear"};
      if (name.ends_with(".__setattr__")) return true;
      return std::any_of(std::begin(changes), std::end(changes), [&](std::string_view change) {
        if (!name.ends_with(change)) return false;
        const std::string_view table = std::string_view(name).substr(0, name.size() - change.size());
        // What a function falls back on, or sees.
        const bool of_function = table.ends_with(".__kwdefaults__") || table.ends_with(".__globals__");
        return of_function || (table.ends_with(".__dict__") && (change == ".update" || change == ".__setitem__"));
      });
    };
    for (const Ran& call : ran(model_, wanted)) {
      static constexpr std::string_view roots[] = {"torch.", "time.", "numpy.", "triton.", "random.", "__main__."};
      if (!matches(call.name, roots)) continue;
      const Id on = call.statement->receiver;
      if (on != facts::kNone && symbol_of(model_, on).empty()) continue;  // an object's own attribute
      std::string owner = call.name.substr(0, call.name.rfind('.'));
      if (owner.ends_with(".__dict__")) owner.resize(owner.size() - 9);
      if (matches(owner + ".*", kMeasuring) != measuring) continue;
      const std::string attribute = text_of(model_, argument(*call.statement, 0));
      if (!call.statement->keywords.empty()) {
        for (const auto& [name, value] : call.statement->keywords)
          add(owner + "." + name, call.statement->span, when(*call.record), true, "");
      } else if (!attribute.empty()) {
        add(owner + "." + attribute, call.statement->span, when(*call.record), true, "");
      } else {
        add(owner + ".*", call.statement->span, when(*call.record), true, "");
      }
    }
  }

  // A method of an own loader that stores into the modules it is handed, or into what it finds there.
  bool changes_loaded_modules() const {
    for (const facts::Class& each : model_.facts().classes) {
      for (const auto& [name, method] : each.methods) {
        if (name != "exec_module" && name != "load_module" && name != "create_module") continue;
        for (const facts::Block& block : model_.function(method).blocks) {
          for (const facts::Statement& s : block.statements) {
            if (s.kind == facts::StatementKind::kCall && s.callee == "builtins.setattr") return true;
            if (s.kind != facts::StatementKind::kStore || s.location.storage == kNone) continue;
            if (model_.facts().storages[static_cast<std::size_t>(s.location.storage)].kind ==
                facts::StorageKind::kOtherAttribute)
              return true;
          }
        }
      }
    }
    return false;
  }

  // sys.meta_path.insert(0, finder): every module that is imported from then on goes through the candidate's code.
  void import_hooks() {
    const auto hooks = [](const std::string& name) {
      return (name.starts_with("sys.meta_path.") || name.starts_with("sys.path_hooks.")) &&
             (name.ends_with(".insert") || name.ends_with(".append") || name.ends_with(".extend"));
    };
    const auto note = [&](const SourceSpan& span, const std::string& phase) {
      const bool changes = changes_loaded_modules();
      Finding* finding = once_at(span, "The candidate hooks into the import of modules " + phase +
                                           (changes ? ", and changes what they define." : "."));
      if (finding == nullptr || changes) return;
      soften(*finding, Effect::kReview);
      finding->severity = Severity::kWarning;
      finding->confidence = Confidence::kMedium;
    };
    for (const Ran& call : ran(model_, hooks)) note(call.statement->span, when(*call.record));
    for (const facts::ForeignStore& store : model_.run().foreign_stores) {
      const facts::Statement* statement = model_.statement(store.where);
      if (statement != nullptr && (store.name.starts_with("sys.meta_path") || store.name.starts_with("sys.path_hooks")))
        note(statement->span, when(store.phase));
    }
  }

  // TORCH_LIBRARY_IMPL(aten, CUDA, m) { m.impl("mm", own); }
  void native_operators() {
    for (const facts::Binding& each : model_.facts().bindings) {
      const bool own = each.function != kNone && model_.native(each.function);
      if (own && each.extension == "torch.ops.aten")
        once_at(each.span, "C++ code registers its own function as the framework's operator aten::" + each.name +
                               " when it is loaded.");
    }
  }

  // torch.nn.modules.module.register_module_forward_pre_hook(f): every module runs f, the reference's too.
  void hooks_of_all_modules() {
    const auto registers = [](const std::string& name) {
      return name.starts_with("torch.nn.modules.module.register_module_") && name.ends_with("_hook");
    };
    const auto waits = [&](Id hook) {
      const Id function = hook == kNone ? kNone : model_.value(hook).function;
      if (function == kNone) return false;
      const auto& blocks = model_.function(function).blocks;
      return std::any_of(blocks.begin(), blocks.end(), [](const facts::Block& block) {
        return std::any_of(block.statements.begin(), block.statements.end(),
                           [](const facts::Statement& s) { return s.callee.starts_with("time."); });
      });
    };
    for (const Ran& call : ran(model_, registers)) {
      const bool slows = waits(argument(*call.statement, 0, "hook"));
      Finding* finding = once_at(call.statement->span, "The candidate registers a hook " + when(*call.record) +
                                                           " that every module runs, the reference's as well" +
                                                           (slows ? ", and that looks at the clock." : "."));
      if (finding == nullptr || slows) continue;
      soften(*finding, Effect::kReview);
      finding->severity = Severity::kWarning;
    }
  }

  // Modes and dispatcher entries that change what everybody's operations do.
  void overriding_calls() {
    static constexpr std::string_view modes[] = {"torch.overrides.TorchFunctionMode.__enter__",
                                                 "torch.utils._python_dispatch.TorchDispatchMode.__enter__"};
    for (const Ran& call : ran(model_, modes)) {
      once_at(call.statement->span, "The candidate enters a mode " + when(*call.record) +
                                        " that every operation of the framework then goes through.");
    }
    static constexpr std::string_view libraries[] = {"torch.library.Library", "torch.library.impl",
                                                     "torch.library.register_kernel"};
    for (const Ran& call : ran(model_, libraries)) {
      const std::string space = text_of(model_, argument(*call.statement, 0, "ns"));
      if (space == "aten" || space.starts_with("aten::"))
        once_at(call.statement->span, "The candidate registers its own implementation of operators of " + space + " " +
                                          when(*call.record) + ".");
    }
    static constexpr std::string_view tracers[] = {"sys.settrace", "sys.setprofile", "threading.settrace",
                                                   "threading.setprofile"};
    for (const Ran& call : ran(model_, tracers)) {
      Finding* finding = once_at(call.statement->span, "The candidate installs a trace function with " + call.name +
                                                           " " + when(*call.record) + ".");
      if (finding == nullptr) continue;
      soften(*finding, Effect::kReview);
      finding->severity = Severity::kWarning;
    }
  }
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.stores();
  checker.patching_calls();
  checker.dictionary_calls();
  checker.overriding_calls();
  checker.hooks_of_all_modules();
  checker.native_operators();
  checker.import_hooks();
  return checker.take();
}

}  // namespace

const Rule& harness_patch() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
