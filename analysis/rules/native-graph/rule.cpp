// KA324: C++ code captures work into a CUDA graph and replays it.
#include <algorithm>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::GuardKind;
using facts::Model;

const RuleInfo kInfo{"KA324",
                     "native-graph",
                     "C++ code replays a captured CUDA graph",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {43, 44, 45},
                     Topic::kCudaGraphs};

// Whether the capture is made anew when another tensor comes along.
bool keyed_by_address(const Model& model) {
  const auto begins = [](std::string_view name) {
    return one_of(name, {"cudaStreamBeginCapture", "cuStreamBeginCapture", "at::cuda::CUDAGraph::capture_begin"});
  };
  for (const NativeCall& call : native_calls(model, begins)) {
    const auto guards = model.guards_of(call.where, 0);
    if (std::any_of(guards.begin(), guards.end(), [](const Guard& g) { return g.kind == GuardKind::kIdentity; }))
      return true;
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto wanted = [](std::string_view name) {
    return one_of(name, {"cudaGraphLaunch", "cuGraphLaunch", "at::cuda::CUDAGraph::replay"});
  };
  for (const NativeCall& call : native_calls(model, wanted)) {
    Finding finding = make_finding(kInfo, policy, "");
    finding.span = model.span(call.where);
    const auto& stale = model.run().stale_replays;
    if (std::find(stale.begin(), stale.end(), call.where) != stale.end() && !keyed_by_address(model)) {
      finding.severity = Severity::kError;
      if (finding.effect == Effect::kReview) finding.effect = Effect::kCheat;
      finding.message =
          "The graph that " + call.name +
          " replays reads nothing that this call was handed: what an earlier call passed is not replaced.";
    } else {
      finding.message = "C++ code replays a captured CUDA graph with " + call.name + " " + phase_text(call) + ".";
    }
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& native_graph() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
