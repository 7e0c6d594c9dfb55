// KA721: compiled device code or a library is loaded that the source does not show.
#include <algorithm>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/native_names.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA721",
                     "opaque-binary",
                     "compiled code is loaded at run time, which the source does not show",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kInconclusive,
                     {94}};

bool loads_device_code(std::string_view name) {
  return starts_with_any(name, {"cuModuleLoad", "cuLibraryLoad", "cudaLibraryLoad", "cuLinkAddData", "cuLinkAddFile"});
}

// What the wrappers of the driver in Python load modules with, and the launchers of code that a compiler cached.
bool loads_in_python(const std::string& name) {
  static constexpr std::string_view packages[] = {"cupy.",  "cupy_backends.", "pycuda.",  "cuda.",
                                                  "numba.", "triton.",        "torch._C."};
  static constexpr std::string_view loaders[] = {
      "module_from_file", "module_from_buffer", "load_file",         "moduleLoad",   "moduleLoadData",
      "moduleLoadDataEx", "load_binary",        "load_module_image", "from_cubin",   "from_fatbin",
      "from_ptx",         "from_object",        "from_library",      "_load_kernel", "Module.load"};
  return matches(name, packages) && std::any_of(std::begin(loaders), std::end(loaders), [&](std::string_view loader) {
           return name.ends_with("." + std::string(loader));
         });
}

// Libraries of the driver, the toolkit and the system: what they hold is known.
bool known_library(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  return starts_with_any(
      file, {"libcuda.so", "libcudart.so", "libnvrtc.so", "libc.so", "libm.so", "libpthread.so", "libdl.so", "libtorch",
             "libc10", "libcupti", "libnvidia-ml.so", "libcublas", "libcudnn"});
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const NativeCall& call, const std::string& message) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  };
  // What NVRTC makes of a source in the candidate is seen: the source is read.
  static constexpr std::string_view compilers[] = {"cuda.nvrtc.nvrtcCompileProgram",
                                                   "cuda.bindings.nvrtc.nvrtcCompileProgram"};
  const bool compiles = !ran(model, compilers).empty();
  for (const facts::Problem& problem : model.facts().problems) {
    if (problem.kind != "opaque-blob") continue;
    Finding finding = make_finding(kInfo, policy, problem.message);
    finding.span = problem.span;
    findings.push_back(std::move(finding));
  }
  for (const Ran& call : ran(model, loads_in_python)) {
    Finding finding = make_finding(
        kInfo, policy,
        "Python code loads compiled device code with " + call.name + ", which the analysis cannot see into.");
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  for (const NativeCall& call : native_calls(model, loads_device_code)) {
    if (loads_program(model, call, 1) || (call.in_python && compiles && open_argument(model, call, 0))) continue;
    add(call, std::string(caller_text(call)) + " loads compiled device code with " + call.name +
                  ", which the analysis cannot see into.");
  }
  const auto opens = [](std::string_view name) { return name == "dlopen" || name == "dlmopen"; };
  for (const NativeCall& call : native_calls(model, opens)) {
    const std::vector<std::string> paths = texts_argument(model, call, call.name == "dlopen" ? 0 : 1);
    const auto path = std::find_if_not(paths.begin(), paths.end(), known_library);
    if (!paths.empty() && path == paths.end()) continue;
    const auto handle = number_argument(model, call, 0);
    if (paths.empty() && !open_argument(model, call, 0) && !handle) continue;  // dlopen(nullptr): the program itself
    add(call, !paths.empty() ? "C++ code loads the library " + *path + ", which the analysis cannot see into."
                             : "C++ code loads a library whose name is not constant.");
  }
  const auto looks_up = [](std::string_view name) { return name == "dlsym" || name == "cuGetProcAddress"; };
  for (const NativeCall& call : native_calls(model, looks_up)) {
    if (!texts_argument(model, call, call.name == "dlsym" ? 1 : 0).empty()) continue;
    add(call, "C++ code looks a function up with " + call.name + " by a name that is not constant.");
  }
  return findings;
}

}  // namespace

const Rule& opaque_binary() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
