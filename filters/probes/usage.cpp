// What forward leaves unused, from the trace of its calls.
#include "filters/probes/usage.h"

#include <algorithm>
#include <set>

namespace kernel_audit::filters {
namespace {

bool lies_in(const std::string& path, const std::string& folder) {
  return path == folder || path.rfind(folder + ".", 0) == 0;
}

bool is_used(const ModuleInfo& module, const CallTrace& trace, const std::set<std::string>& unused_state,
             const std::vector<std::string>& state_names) {
  bool any_call = false;
  for (const OperatorCall& call : trace.calls) {
    if (!lies_in(call.module, module.path)) continue;
    any_call = true;
    // Views, copies and updates of state are work of the module as much as its products are.
    if (call.reaches_output || call.kind == call_kind::kStateUpdate || call.kind == call_kind::kView) return true;
  }
  for (const std::string& name : state_names) {
    if (lies_in(name, module.path) && unused_state.find(name) == unused_state.end()) return true;
  }
  return module.called && !any_call;  // it only hands its input on
}

bool is_in_unused(const std::string& path, const std::vector<std::string>& unused) {
  return std::any_of(unused.begin(), unused.end(), [&](const std::string& name) { return lies_in(path, name); });
}

}  // namespace

UsageEvidence usage_of(const CallTrace& trace, const std::vector<ModuleInfo>& modules,
                       const std::vector<worker::StateEntry>& state) {
  UsageEvidence usage;
  if (!trace.not_intercepted.empty()) {
    usage.missing = trace.not_intercepted;
    return usage;
  }
  if (trace.too_many) {
    usage.missing = "forward makes more than " + std::to_string(CallTrace::kMaxCalls) + " operator calls";
    return usage;
  }
  usage.unused_inputs = trace.unused_inputs;
  const std::set<std::string> unused_state(trace.unused_state.begin(), trace.unused_state.end());
  std::vector<std::string> names;
  for (const worker::StateEntry& entry : state) {
    names.push_back(entry.name);
    if (unused_state.find(entry.name) == unused_state.end()) continue;
    (entry.is_parameter ? usage.unused_parameters : usage.unused_buffers).push_back(entry.name);
  }
  // named_modules() lists a module before its children, so that the topmost is met first.
  for (const ModuleInfo& module : modules) {
    if (module.path.empty() || module.path.front() == '(' || is_in_unused(module.path, usage.unused_submodules))
      continue;
    if (module.children > 0 && module.parameters == 0 && !module.called) continue;  // a list of modules
    if (!is_used(module, trace, unused_state, names)) usage.unused_submodules.push_back(module.path);
  }
  for (const OperatorCall& call : trace.calls) {
    for (const int result : call.unused_results) {
      usage.unused_results.push_back(std::to_string(call.position) + " " + call.op + " result " +
                                     std::to_string(result));
    }
  }
  return usage;
}

}  // namespace kernel_audit::filters
