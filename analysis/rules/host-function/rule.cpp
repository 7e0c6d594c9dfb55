// KA322: a host function is put into a stream, where device timers do not see what it does.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA322",
                     "host-function",
                     "a host function runs in stream order, unseen by device timers",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {33}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto wanted = [](std::string_view name) {
    return one_of(name, {"cudaLaunchHostFunc", "cuLaunchHostFunc", "cudaStreamAddCallback", "cuStreamAddCallback",
                         "cudaGraphAddHostNode", "cuGraphAddHostNode"});
  };
  for (const NativeCall& call : native_calls(model, wanted)) {
    Finding finding = make_finding(kInfo, policy, "");
    std::string started;
    const auto arguments = model.run().call_arguments.find(call.where);
    if (arguments != model.run().call_arguments.end()) {
      for (const facts::Abstract& argument : arguments->second) {
        for (const facts::ObjectId id : argument.objects) {
          const auto& object = model.run().object(id);
          if (object.kind != facts::ObjectKind::kFunction || object.function == facts::kNone) continue;
          started = model.function(object.function).qualified_name;
          finding.notes.push_back({model.function(object.function).name_span, started + " runs on the host"});
        }
      }
    }
    finding.message = "The stream runs the host function " +
                      (started.empty() ? "that " + call.name + " is given" : started) + ", put there by " + call.name +
                      " " + phase_text(call) + ".";
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& host_function() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
