// KA323: C++ code makes a context of its own, computes which device to use, or copies between devices.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::NodeKind;

const RuleInfo kInfo{"KA323",
                     "own-context",
                     "C++ code works in a CUDA context or on a device of its own choice",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {29}};

bool makes_context(std::string_view name) {
  return starts_with_any(name, {"cuCtxCreate", "cuGreenCtxCreate", "cudaExecutionCtxCreate"});
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

// Whether the argument is the result of arithmetic.
bool is_computed(const Model& model, const NativeCall& call) {
  const facts::Statement* statement = model.statement(call.where);
  if (statement == nullptr || statement->args.empty()) return false;
  for (const facts::Block& block : model.function(call.where.function).blocks) {
    for (const facts::Statement& s : block.statements) {
      if (s.result == statement->args[0]) {
        return starts_with_any(s.callee, {"operator.add", "operator.sub", "operator.mul", "operator.mod",
                                          "operator.floordiv", "operator.xor", "operator.and_"});
      }
    }
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const NativeCall& call, const std::string& message) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  };
  for (const NativeCall& call : native_calls(model, [](std::string_view name) { return name == "cudaSetDevice"; })) {
    const auto& arguments = model.run().call_arguments.at(call.where);
    if (arguments.empty() || number_argument(model, call, 0)) continue;
    if (is_computed(model, call) && !asked(model, arguments[0]))
      add(call, "C++ code computes which device cudaSetDevice makes current.");
  }
  for (const NativeCall& call : native_calls(model, makes_context)) {
    add(call, "C++ code makes or selects a CUDA context of its own with " + call.name + " " + phase_text(call) + ".");
  }
  for (const NativeCall& call : native_calls(model, copies_to_peer)) {
    add(call, "C++ code copies between devices with " + call.name + ".");
  }
  return findings;
}

}  // namespace

const Rule& own_context() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
