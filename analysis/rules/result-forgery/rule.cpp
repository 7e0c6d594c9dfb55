// KA614: the candidate writes where the verdict is made: raw descriptors, exit handlers, result files.
#include <algorithm>

#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;

const RuleInfo kInfo{"KA614",          "result-forgery",  "raw descriptors, exit handlers or result files are written",
                     Severity::kError, Confidence::kHigh, Stage::kAnalysis,
                     Effect::kCheat,   {83, 90, 91}};

constexpr std::string_view kRawWrites[] = {"os.write", "os.writev", "os.pwrite", "os.sendfile", "posix.write"};
constexpr std::string_view kDescriptors[] = {"os.dup2", "os.dup", "os.fdopen", "os.pipe", "os.openpty"};
constexpr std::string_view kExits[] = {"os._exit", "sys.exit",  "os.abort",
                                       "os.kill",  "os.killpg", "signal.raise_signal"};
constexpr std::string_view kOpens[] = {"builtins.open", "io.open", "os.open", "codecs.open", "pathlib.Path.open"};
constexpr std::string_view kWholeFiles[] = {"pathlib.Path.write_text",
                                            "pathlib.Path.write_bytes",
                                            "pathlib.Path.read_text",
                                            "pathlib.Path.read_bytes",
                                            "shutil.copy",
                                            "shutil.copyfile",
                                            "shutil.move",
                                            "os.replace",
                                            "os.rename",
                                            "os.remove",
                                            "os.unlink",
                                            "numpy.save",
                                            "torch.save",
                                            "json.dump"};

// Files that benchmarks keep their verdicts and baselines in.
bool is_result_file(const std::string& path) {
  // What Linux tells of its own or of the machine's state, where nothing can be forged.
  if (path.starts_with("/proc/")) {
    // Memory of processes is KA623's.
    static constexpr std::string_view harmless[] = {"mem",     "maps",   "smaps",  "pagemap", "syscall",
                                                    "statm",   "stat",   "status", "cpuinfo", "meminfo",
                                                    "loadavg", "uptime", "version"};
    const std::string file = path.substr(path.rfind('/') + 1);
    return std::find(std::begin(harmless), std::end(harmless), file) == std::end(harmless);
  }
  static constexpr std::string_view names[] = {"eval_result", "baseline_time", "timing/",    "leaderboard",
                                               "/proc/",      "score.json",    "reward",     "verdict",
                                               "runs/",       "expected_out",  "golden_out", "results/"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return path.find(name) != std::string::npos; });
}

bool is_outside(const std::string& path) {
  if (path.starts_with("/tmp/") || path.starts_with("/var/tmp/") || path.starts_with("/dev/null") ||
      path.starts_with("/dev/shm/"))
    return false;
  return path.starts_with('/') || path.starts_with("..") || path.find("/../") != std::string::npos ||
         path.starts_with('~');
}

// Whether a function prints or writes: what an exit handler does that forges a result.
bool writes(const Model& model, Id function) {
  if (function == kNone) return false;
  for (const auto& block : model.function(function).blocks) {
    for (const auto& statement : block.statements) {
      static constexpr std::string_view names[] = {"builtins.print",
                                                   "os.write",
                                                   "builtins.open",
                                                   "json.dump",
                                                   "sys.stdout.write",
                                                   "sys.stderr.write",
                                                   "sys.stdout.flush",
                                                   "os._exit",
                                                   "write",
                                                   "printf",
                                                   "std::printf",
                                                   "puts",
                                                   "fopen",
                                                   "std::fopen",
                                                   "fprintf"};
      if (statement.kind == facts::StatementKind::kCall && matches(statement.callee, names)) return true;
    }
  }
  return false;
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  void add(const Ran& call, const std::string& message, bool certain) { add(call.statement->span, message, certain); }

  void add(const SourceSpan& span, const std::string& message, bool certain) {
    Finding* finding = once_at(span, message);
    if (finding == nullptr || certain) return;
    soften(*finding, Effect::kReview);
    finding->severity = Severity::kWarning;
    finding->confidence = Confidence::kMedium;
  }

  // sys.stdout = an own object: what the harness prints goes through the candidate's code.
  void own_streams() {
    for (const facts::ForeignStore& store : model_.run().foreign_stores) {
      const facts::Statement* statement = model_.statement(store.where);
      if (statement == nullptr || (store.name != "sys.stdout" && store.name != "sys.stderr")) continue;
      const bool own = std::any_of(store.value.objects.begin(), store.value.objects.end(), [&](facts::ObjectId id) {
        const auto& object = model_.run().object(id);
        return object.kind == facts::ObjectKind::kInstance &&
               model_.run().find_method(object.class_id, "write") != kNone;
      });
      if (own)
        add(statement->span,
            "The candidate replaces " + store.name + " by an object of its own " + when(store.phase) + ".", false);
    }
  }

  void descriptors() {
    for (const Ran& call : ran(model_, kRawWrites))
      add(call, "The candidate writes to a raw file descriptor with " + call.name + " " + when(*call.record) + ".",
          true);
    for (const Ran& call : ran(model_, kDescriptors)) {
      const Json* to = constant_of(model_, argument(*call.statement, call.name == "os.dup2" ? 1 : 0));
      const bool standard = to != nullptr && to->is_number_integer() && to->get<int>() <= 2;
      std::string message = "The candidate takes hold of ";
      message += standard ? "a standard stream" : "a file descriptor";
      add(call, message + " with " + call.name + " " + when(*call.record) + ".", false);
    }
  }

  void exits() {
    for (const Ran& call : ran(model_, kExits))
      add(call,
          "The candidate ends or signals the process that runs it with " + call.name + " " + when(*call.record) + ".",
          call.name == "os._exit");
    static constexpr std::string_view handlers[] = {"atexit.register", "weakref.finalize", "signal.signal"};
    for (const Ran& call : ran(model_, handlers)) {
      const std::size_t at = call.name == "atexit.register" ? 0 : 1;
      const Id given = argument(*call.statement, at, "func");
      Id function = given == kNone ? kNone : model_.value(given).function;
      if (function == kNone && given != kNone) function = function_behind(call.where.function, given);
      const bool forges = writes(model_, function);
      if (!forges && call.name != "atexit.register") continue;
      add(call,
          "The candidate registers a function with " + call.name + " " + when(*call.record) +
              (forges ? " that prints or writes when the run ends." : " that runs when the process ends."),
          forges);
    }
  }

  void files() {
    for (const auto* names : {&kOpens_, &kWholeFiles_}) {
      for (const Ran& call : ran(model_, *names)) {
        std::string path = text_of(model_, argument(*call.statement, 0, "file"));
        if (path.empty() && call.statement->receiver != kNone) path = text_of(model_, call.statement->receiver);
        if (path.empty()) path = text_of(model_, argument(*call.statement, 1));
        std::string mode = text_of(model_, argument(*call.statement, 1, "mode"));
        if (mode.empty() && call.statement->receiver != kNone) mode = text_of(model_, argument(*call.statement, 0));
        const bool reading = call.name.find("read") != std::string::npos ||
                             (matches(call.name, kOpens_) && mode.find_first_of("wax+") == std::string::npos);
        if (path.empty()) {
          found_file(call, reading);
        } else if (is_result_file(path)) {
          add(call,
              "The candidate " + std::string(reading ? "reads " : "writes ") + path + " " + when(*call.record) +
                  ", a place where results or baselines are kept.",
              true);
        } else if (!reading && is_outside(path)) {
          add(call, "The candidate writes " + path + " " + when(*call.record) + ", outside of its own folder.", false);
        }
      }
    }
  }

  // A file that a search came upon is not the candidate's own; what was searched for says whose it is.
  void found_file(const Ran& call, bool reading) {
    std::vector<Id> paths = call.statement->args;
    if (call.statement->receiver != kNone) paths.push_back(call.statement->receiver);
    for (const Id path : paths) {
      for (const facts::Statement* made : slice_of(model_, call.where.function, path).statements) {
        static constexpr std::string_view searches[] = {"glob", "iglob", "rglob"};
        if (std::find(std::begin(searches), std::end(searches), last_part(made->callee)) == std::end(searches))
          continue;
        const std::string pattern = text_of(model_, argument(*made, 0));
        if (is_result_file(pattern)) {
          add(call,
              "The candidate " + std::string(reading ? "reads" : "writes") + " every file that " + pattern +
                  " matches " + when(*call.record) + ", a place where results or baselines are kept.",
              true);
        } else if (!reading &&
                   (pattern.ends_with(".json") || pattern.ends_with(".jsonl") || pattern.ends_with(".csv"))) {
          add(call, "The candidate writes files that it found by " + pattern + " " + when(*call.record) + ".", false);
        }
      }
    }
  }

  // The same from C++, and from Python through ctypes.
  void native() {
    const auto raw = [](std::string_view name) {
      return one_of(name,
                    {"write", "pwrite", "writev", "dup", "dup2", "dup3", "fdopen", "_exit", "_Exit", "quick_exit"});
    };
    for (const NativeCall& call : native_calls(model_, raw)) {
      const bool sure = one_of(call.name, {"write", "pwrite", "writev", "_exit", "_Exit"});
      add(model_.span(call.where),
          std::string(caller_text(call)) + " calls " + call.name + " " + phase_text(call) +
              ", past the streams of the program.",
          sure);
    }
    const auto handlers = [](std::string_view name) {
      return one_of(name, {"atexit", "std::atexit", "on_exit", "at_quick_exit", "std::at_quick_exit"});
    };
    for (const NativeCall& call : native_calls(model_, handlers)) {
      const facts::Statement* statement = model_.statement(call.where);
      if (statement == nullptr || statement->args.empty()) continue;
      const bool forges = writes(model_, model_.value(statement->args[0]).function);
      add(statement->span,
          std::string(caller_text(call)) + " registers a function with " + call.name + " " + phase_text(call) +
              (forges ? " that prints or writes when the run ends." : " that runs when the process ends."),
          forges);
    }
    const auto opens = [](std::string_view name) {
      return one_of(name, {"open", "open64", "openat", "fopen", "std::fopen", "std::ifstream::ifstream",
                           "std::ofstream::ofstream", "std::fstream::fstream", "std::ofstream::open", "rename",
                           "remove", "unlink", "std::rename", "std::remove"});
    };
    for (const NativeCall& call : native_calls(model_, opens)) {
      // The path comes first, or behind the stream or the folder that it is opened with.
      auto path = text_argument(model_, call, 0);
      if (!path) path = text_argument(model_, call, 1);
      if (!path || path->starts_with("/proc/") || !is_result_file(*path)) continue;
      add(model_.span(call.where),
          std::string(caller_text(call)) + " opens " + *path + " with " + call.name + " " + phase_text(call) +
              ", a place where results or baselines are kept.",
          true);
    }
  }

 private:
  // A local or global that holds one function.
  Id function_behind(Id in, Id value) const {
    const facts::Statement* made = maker(model_, in, value);
    if (made == nullptr || made->kind != facts::StatementKind::kLoad) return kNone;
    for (const auto& function : model_.facts().functions) {
      for (const auto& block : function.blocks) {
        for (const auto& statement : block.statements) {
          if (statement.kind != facts::StatementKind::kStore || statement.location.storage != made->location.storage ||
              statement.value == kNone)
            continue;
          return model_.value(statement.value).function;
        }
      }
    }
    return kNone;
  }

  const std::span<const std::string_view> kOpens_{kOpens};
  const std::span<const std::string_view> kWholeFiles_{kWholeFiles};
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.own_streams();
  checker.descriptors();
  checker.exits();
  checker.files();
  checker.native();
  return checker.take();
}

}  // namespace

const Rule& result_forgery() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
