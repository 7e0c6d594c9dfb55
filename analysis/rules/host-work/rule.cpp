// KA312: what forward returns was computed on the host, from contents that were copied off the device.
#include <algorithm>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA312",
                     "host-work",
                     "the returned value is computed on the host",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {33}};

bool on_host_library(const std::string& name) {
  return name.starts_with("numpy.") || name.starts_with("scipy.") || name.starts_with("numba.");
}

// `x.cpu()`, `x.to("cpu")`, `x.numpy()`.
bool leaves_device(const Model& model, const Node& node) {
  if (node.kind != NodeKind::kCopy) return false;
  const std::string last = last_part(node.name);
  if (last == "cpu" || last == "tolist") return true;
  if (node.name == "cudaMemcpy" || node.name == "cudaMemcpyAsync") {
    constexpr int kDeviceToHost = 2;
    const facts::Statement* copy = model.statement(node.where);
    const Json* kind = copy == nullptr ? nullptr : constant_of(model, argument(*copy, 3));
    return kind != nullptr && *kind == Json(kDeviceToHost);
  }
  if (last != "to" && last != "_to_copy") return false;
  const facts::Statement* statement = model.statement(node.where);
  if (statement == nullptr) return false;
  std::vector<facts::Id> given = statement->args;
  for (const auto& [name, value] : statement->keywords) given.push_back(value);
  return std::any_of(given.begin(), given.end(), [&](facts::Id id) {
    if (text_of(model, id) == "cpu") return true;
    const facts::Statement* device = maker(model, node.where.function, behind(model, node.where.function, id));
    return device != nullptr && device->callee == "torch.device" && text_of(model, argument(*device, 0)) == "cpu";
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const auto& graph = model.provenance();
  for (const Alternative& way : model.alternatives()) {
    if (excused_by_device(way)) continue;
    NodeId copied = -1, computed = -1;
    for (const NodeId id : way.framework) {
      const Node& node = graph.at(id);
      if (on_host_library(node.name)) {
        computed = id;
        break;
      }
      // Compute on what a copy to the host gave, and was not brought back in between.
      for (const auto& slot : node.slots) {
        for (const NodeId operand : slot) {
          if (leaves_device(model, graph.at(operand)) && graph.reaches({operand}, NodeKind::kArgument)) {
            copied = operand;
            computed = id;
          }
        }
      }
    }
    // Loops of C++ over what was copied to the host, and no kernel.
    const auto looped = [&](NodeId id) { return graph.at(id).kind == facts::NodeKind::kNativeLoop; };
    if (computed < 0 && std::all_of(way.launches.begin(), way.launches.end(), looped)) {
      for (const NodeId id : way.launches) {
        graph.walk({id}, [&](const Node& node, NodeId below) {
          if (!leaves_device(model, node) || !graph.reaches({below}, facts::NodeKind::kArgument)) return true;
          copied = below, computed = id;
          return false;
        });
      }
    }
    if (computed < 0 || once.seen(model.span_of(computed))) continue;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns a value that " + model.name_of_node(computed) + " computes on the host.");
    finding.span = model.span_of(computed);
    if (copied >= 0)
      finding.notes.push_back({model.span_of(copied), model.name_of_node(copied) + " copies to the host here"});
    finding.notes.push_back({model.span(way.returned), "returned here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& host_work() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
