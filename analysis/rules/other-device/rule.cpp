// KA352: work is put on a device or context that the arguments are not on.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::NodeKind;

const RuleInfo kInfo{"KA352",
                     "other-device",
                     "the candidate works on a device or context of its own choice",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {29}};

bool selects_device(std::string_view name) {
  return one_of(name, {"cudaSetDevice", "c10::cuda::set_device", "at::cuda::set_device", "cudaInitDevice",
                       "c10::cuda::CUDAGuard::CUDAGuard", "at::cuda::CUDAGuard::CUDAGuard",
                       "c10::cuda::OptionalCUDAGuard::OptionalCUDAGuard", "at::cuda::OptionalCUDAGuard::OptionalCUDAGuard",
                       "at::Tensor::cuda"});
}

bool makes_context(std::string_view name) {
  return starts_with_any(name, {"cuCtxCreate", "cuGreenCtxCreate", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent",
                                "cuCtxSetCurrent", "cudaExecutionCtxCreate"});
}

bool copies_to_peer(std::string_view name) {
  return starts_with_any(name, {"cudaMemcpyPeer", "cudaMemcpy3DPeer", "cuMemcpyPeer"});
}

// Whether the number was asked of a tensor or of the runtime: x.get_device(), cudaGetDevice(&d).
bool asked(const Model& model, const facts::Abstract& value) {
  bool metadata = false, computed = false;
  model.provenance().walk(value.nodes, [&](const facts::Node& node, facts::NodeId) {
    metadata = metadata || node.kind == NodeKind::kMetadata;
    computed = computed || node.kind == NodeKind::kState || node.kind == NodeKind::kScalar;
    return true;
  });
  return metadata && !computed;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const NativeCall& call, const std::string& message, bool sure) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    if (!sure) {
      finding.severity = Severity::kWarning;
      finding.confidence = Confidence::kMedium;
      soften(finding, Effect::kReview);
    }
    findings.push_back(std::move(finding));
  };
  for (const NativeCall& call : native_calls(model, selects_device)) {
    const auto& arguments = model.run().call_arguments.at(call.where);
    const std::size_t at = call.name == "at::Tensor::cuda" ? 1 : 0;
    if (at >= arguments.size()) continue;
    if (const auto device = number_argument(model, call, at)) {
      if (*device > 0) {
        add(call, "C++ code makes device " + std::to_string(*device) + " current with " + call.name + " " +
                      phase_text(call) + ", whatever device the arguments are on.",
            call.in_forward);
      }
    } else if (call.name == "cudaSetDevice" && arguments[at].nodes.size() > 0 && !asked(model, arguments[at])) {
      add(call, "C++ code computes which device " + call.name + " makes current.", false);
    }
  }
  for (const NativeCall& call : native_calls(model, makes_context)) {
    add(call, "C++ code makes or selects a CUDA context of its own with " + call.name + " " + phase_text(call) + ".",
        false);
  }
  for (const NativeCall& call : native_calls(model, copies_to_peer)) {
    add(call, "C++ code copies between devices with " + call.name + ".", false);
  }
  return findings;
}

}  // namespace

const Rule& other_device() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
