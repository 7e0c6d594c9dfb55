// KA614: the candidate writes where the verdict is made: raw descriptors, exit handlers, result files.
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

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

constexpr std::string_view kPrints[] = {"builtins.print",
                                        "os.write",
                                        "builtins.open",
                                        "json.dump",
                                        "sys.stdout.write",
                                        "sys.stderr.write",
                                        "sys.stdout.flush",
                                        "sys.__stdout__.write",
                                        "os._exit",
                                        "write",
                                        "writev",
                                        "pwrite",
                                        "dprintf",
                                        "vdprintf",
                                        "printf",
                                        "std::printf",
                                        "vprintf",
                                        "puts",
                                        "std::puts",
                                        "putchar",
                                        "std::print",
                                        "std::println",
                                        "fopen",
                                        "std::fopen"};

// The call by which a function, or one that it calls, prints or writes: what is run at the end and does so forges a
// result. What goes to the stream of errors does not.
const facts::Statement* written_by(const Model& model, Id function, int depth = 0) {
  constexpr int kDeepest = 4;
  if (function == kNone || depth > kDeepest) return nullptr;
  const auto names = [&](const facts::Statement& s, std::string_view symbol) {
    return std::any_of(s.args.begin(), s.args.end(), [&](Id arg) { return symbol_of(model, arg) == symbol; });
  };
  for (const auto& block : model.function(function).blocks) {
    for (const auto& statement : block.statements) {
      static constexpr std::string_view to_stream[] = {"fprintf", "std::fprintf", "fputs",    "std::fputs",
                                                       "fwrite",  "std::fwrite",  "vfprintf", "std::vfprintf"};
      if (statement.kind != facts::StatementKind::kCall) continue;
      if (matches(statement.callee, kPrints)) return &statement;
      if (matches(statement.callee, to_stream) && !names(statement, "stderr")) return &statement;
      if (statement.callee == "operator.lshift" && names(statement, "std::cout")) return &statement;
      if (statement.target == function) continue;
      if (const facts::Statement* inner = written_by(model, statement.target, depth + 1)) return inner;
    }
  }
  return nullptr;
}

// Past the streams of the program.
bool writes_raw(const facts::Statement& call) {
  return one_of(call.callee, {"write", "writev", "pwrite", "dprintf", "vdprintf", "os.write", "os._exit"});
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

  // sys.exit(1) where an import has failed: nothing is run that could be said to have passed.
  bool gives_up(const Ran& call) const {
    if (call.name != "sys.exit" || !call.record->at_import) return false;
    const Json* code = constant_of(model_, argument(*call.statement, 0));
    const bool fails = code != nullptr && (code->is_string() || (code->is_number() && code->get<double>() != 0));
    const auto guards = model_.guards_of(call.where, 0);
    return fails && std::any_of(guards.begin(), guards.end(),
                                [](const auto& guard) { return guard.kind == facts::GuardKind::kHandler; });
  }

  void exits() {
    for (const Ran& call : ran(model_, kExits)) {
      if (gives_up(call)) continue;
      add(call,
          "The candidate ends or signals the process that runs it with " + call.name + " " + when(*call.record) + ".",
          call.name == "os._exit");
    }
    static constexpr std::string_view handlers[] = {"atexit.register", "weakref.finalize", "signal.signal"};
    for (const Ran& call : ran(model_, handlers)) {
      const std::size_t at = call.name == "atexit.register" ? 0 : 1;
      const Id given = argument(*call.statement, at, "func");
      Id function = given == kNone ? kNone : model_.value(given).function;
      if (function == kNone && given != kNone) function = function_behind(call.where.function, given);
      const std::string library = symbol_of(model_, given);  // weakref.finalize(object, print, text)
      const bool forges = written_by(model_, function) != nullptr || matches(library, kPrints);
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

  // What a path is made of, also where own functions return or yield it, or are handed it.
  void made_of(Id function, Id path, std::vector<const facts::Statement*>& made, std::set<std::pair<Id, Id>>& seen) {
    if (function == kNone || path == kNone || !seen.insert({function, path}).second) return;
    const Slice& slice = slice_of(model_, function, path);
    made.insert(made.end(), slice.statements.begin(), slice.statements.end());
    const auto& functions = model_.facts().functions;
    for (const facts::Statement* s : slice.statements) {
      if (s->kind != facts::StatementKind::kCall || s->target == kNone) continue;
      for (const auto& block : functions[static_cast<std::size_t>(s->target)].blocks) {
        for (const auto& inner : block.statements) {
          if (inner.kind == facts::StatementKind::kReturn) made_of(s->target, inner.value, made, seen);
        }
      }
    }
    const auto& parameters = functions[static_cast<std::size_t>(function)].parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (!slice.storages.contains(parameters[p].storage)) continue;
      for (std::size_t f = 0; f < functions.size(); ++f) {
        for (const auto& block : functions[f].blocks) {
          for (const auto& s : block.statements) {
            if (s.target != function) continue;
            const std::size_t at = p - (s.receiver != kNone && p > 0 ? 1 : 0);
            if (p > 0 || s.receiver == kNone) made_of(static_cast<Id>(f), s.args[at], made, seen);
          }
        }
      }
    }
  }

  // A file that a search came upon is not the candidate's own; what was searched for says whose it is.
  void found_file(const Ran& call, bool reading) {
    std::vector<Id> paths = call.statement->args;
    if (call.statement->receiver != kNone) paths.push_back(call.statement->receiver);
    for (const Id path : paths) {
      std::vector<const facts::Statement*> all;
      std::set<std::pair<Id, Id>> seen;
      made_of(call.where.function, path, all, seen);
      for (const facts::Statement* made : all) {
        const std::string search = last_part(made->callee);
        const bool lists = one_of(search, {"walk", "scandir", "listdir", "iterdir"});
        if (!lists && !one_of(search, {"glob", "iglob", "rglob"})) continue;
        std::string pattern = text_of(model_, argument(*made, 0));
        if (pattern.empty() && made->receiver != kNone) pattern = text_of(model_, made->receiver);
        if (lists && !pattern.empty() && !pattern.ends_with('/')) pattern += '/';
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

  // Whether an object of the class lasts until the program ends, and is destroyed then.
  bool lasts(const std::string& class_name) const {
    const auto& storages = model_.facts().storages;
    return std::any_of(storages.begin(), storages.end(), [&](const facts::Storage& storage) {
      if (storage.lifetime != facts::Lifetime::kStatic || storage.type.name.ends_with('*')) return false;
      const std::size_t at = storage.type.name.find(class_name);
      const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      if (at == std::string::npos || (at > 0 && part_of_name(storage.type.name[at - 1]))) return false;
      const std::size_t end = at + class_name.size();
      return end == storage.type.name.size() || !part_of_name(storage.type.name[end]);
    });
  }

  // What runs when the program ends, without being asked to: destructors of what lasts.
  void destructors() {
    const auto& functions = model_.facts().functions;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const facts::Function& function = functions[f];
      const Id id = static_cast<Id>(f);
      const bool python = !model_.native(id) && function.class_id != kNone && function.name == "__del__";
      const bool marked =
          std::find(function.decorators.begin(), function.decorators.end(), "destructor") != function.decorators.end();
      const bool of_object = function.class_id != kNone && function.name.starts_with('~') &&
                             lasts(model_.facts().classes[static_cast<std::size_t>(function.class_id)].qualified_name);
      if (!python && !marked && !of_object) continue;
      const facts::Statement* call = written_by(model_, id);
      if (call == nullptr) continue;
      add(call->span,
          function.qualified_name + " runs when the program ends, and prints or writes with " + call->callee + ".",
          writes_raw(*call) && !python);
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
      const bool forges = written_by(model_, model_.value(statement->args[0]).function) != nullptr;
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
  checker.destructors();
  return checker.take();
}

}  // namespace

const Rule& result_forgery() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
