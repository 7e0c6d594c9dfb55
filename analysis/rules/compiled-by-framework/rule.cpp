// KA111: the framework's compilers make the candidate's kernels.
#include <algorithm>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA111",
                     "compiled-by-framework",
                     "the framework's compiler makes the kernels",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {11},
                     Topic::kTorchCompile};

constexpr std::string_view kCompilers[] = {"torch.compile",
                                           "torch.jit.script",
                                           "torch.jit.trace",
                                           "torch.jit.trace_module",
                                           "torch.jit.script_method",
                                           "torch.jit.freeze",
                                           "torch.jit.optimize_for_inference",
                                           "torch._dynamo.optimize",
                                           "torch._inductor.compile",
                                           "torch._inductor.compile_fx",
                                           "torch._inductor.compile_fx.compile_fx",
                                           "torch._inductor.aoti_compile_and_package",
                                           "torch._export.aot_compile",
                                           "torch.compiler.compile",
                                           "torch.nn.Module.compile",
                                           "functorch.compile.aot_function",
                                           "torch_tensorrt.compile",
                                           "onnxruntime.InferenceSession",
                                           "jax.jit"};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const bool authored = any_authored(model);
  const bool framework = std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const auto& way) {
    return way.launches.empty() && !real_compute(model, way.framework).empty();
  });
  for (const Ran& call : ran(model, kCompilers)) {
    if (once.seen(call.statement->span)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "The candidate hands code to " + call.name + " " + when(*call.record) +
                         (authored ? ", beside kernels of its own."
                                   : ", and no kernel of the candidate takes part in a value that it returns."));
    if (authored && !framework) {
      // Helpers that are compiled beside the kernels.
      soften(finding, Effect::kNote);
      finding.severity = Severity::kNote;
    }
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& compiled_by_framework() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
