// KA623: native calls, from C++ or through ctypes, rewrite code or memory of the process, or of another one.
#include "analysis/rules/native_names.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA623",
                     "native-patching",
                     "native calls make code writable, walk the loaded libraries, trace, or open process memory",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {84, 85, 86, 87}};

constexpr std::int64_t kProtExec = 4;
constexpr std::int64_t kSetSeccomp = 22;

// Paths of the kernel's process files: "/proc/self/mem", "/proc/1/maps".
bool process_memory(const std::string& path) {
  if (path.compare(0, 6, "/proc/") != 0) return false;
  const std::string file = path.substr(path.rfind('/') + 1);
  return file == "mem" || file == "maps" || file == "smaps" || file == "pagemap" || file == "syscall";
}

std::string system_call(std::int64_t number) {
  switch (number) {
    case 9:
      return "mmap";
    case 10:
      return "mprotect";
    case 56:
      return "clone";
    case 57:
      return "fork";
    case 101:
      return "ptrace";
    case 310:
      return "process_vm_readv";
    case 311:
      return "process_vm_writev";
    case 317:
      return "seccomp";
    case 319:
      return "memfd_create";
    case 329:
      return "pkey_mprotect";
    default:
      return "";
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const facts::StatementRef& where, const std::string& message, bool sure) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = model.span(where);
    if (!sure) {
      soften_to_review(finding);
    }
    add_route_notes(model, where, finding.notes);
    findings.push_back(std::move(finding));
  };
  const auto patches = [](std::string_view name) {
    return one_of(name, {"mprotect", "pkey_mprotect", "dl_iterate_phdr", "ptrace", "process_vm_readv",
                         "process_vm_writev", "seccomp", "userfaultfd", "dlinfo", "__clear_cache"});
  };
  for (const NativeCall& call : native_calls(model, patches)) {
    const bool reads = call.name == "dl_iterate_phdr" || call.name == "dlinfo";
    add(call.where, std::string(caller_text(call)) + " calls " + call.name + " " + phase_text(call) + ".", !reads);
  }
  for (const OpenedFile& file : opened_files(model)) {
    if (process_memory(file.path))
      add(file.call.where,
          std::string(caller_text(file.call)) + " opens " + file.path + " with " + file.call.name + ".", true);
  }
  static constexpr std::string_view python_opens[] = {
      "builtins.open",           "io.open", "os.open", "pathlib.Path.open", "pathlib.Path.read_bytes",
      "pathlib.Path.write_bytes"};
  for (const Ran& call : ran(model, python_opens)) {
    std::string path = text_of(model, argument(*call.statement, 0, "file"));
    if (path.empty() && call.statement->receiver != facts::kNone) path = text_of(model, call.statement->receiver);
    if (process_memory(path))
      add(call.where, "Python code opens " + path + " with " + call.name + " " + when(*call.record) + ".", true);
  }
  const auto raw = [](std::string_view name) { return name == "syscall"; };
  for (const NativeCall& call : native_calls(model, raw)) {
    const auto number = number_argument(model, call, 0);
    if (!number) {
      add(call.where, std::string(caller_text(call)) + " makes a system call whose number is not constant.", false);
    } else if (const std::string name = system_call(*number); !name.empty()) {
      add(call.where, std::string(caller_text(call)) + " makes the system call " + name + ".", true);
    }
  }
  const auto controls = [](std::string_view name) { return name == "prctl"; };
  for (const NativeCall& call : native_calls(model, controls)) {
    if (number_argument(model, call, 0) == kSetSeccomp)
      add(call.where, std::string(caller_text(call)) + " sets a filter of system calls with prctl.", true);
  }
  const auto maps = [](std::string_view name) { return name == "mmap" || name == "mmap64"; };
  for (const NativeCall& call : native_calls(model, maps)) {
    const auto protection = number_argument(model, call, 2);
    if (protection && (*protection & kProtExec) != 0)
      add(call.where, std::string(caller_text(call)) + " maps memory that can be executed, with " + call.name + ".",
          true);
  }
  const auto sets = [](std::string_view name) { return one_of(name, {"setenv", "putenv"}); };
  for (const NativeCall& call : native_calls(model, sets)) {
    const auto name = text_argument(model, call, 0);
    if (name && starts_with_any(*name, {"LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "CUDA_INJECTION64_PATH"}))
      add(call.where,
          std::string(caller_text(call)) + " sets the environment variable " + name->substr(0, name->find('=')) + ".",
          true);
  }
  for (const facts::Function& function : model.facts().functions) {
    if (!function.is_constructor_attribute || function.blocks.empty()) continue;
    Finding finding = make_finding(
        kInfo, policy,
        "The loader runs " + function.qualified_name + " when the extension is loaded, before anything calls it.");
    soften_to_review(finding);
    finding.span = function.name_span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& native_patching() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
