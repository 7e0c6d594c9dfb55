#include "analysis/rules/gated_precision.h"

#include <set>

#include "analysis/rules/narrowing.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

std::vector<PrecisionPlace> precision_places(const Model& model) {
  std::vector<PrecisionPlace> places;
  std::set<NodeId> seen;
  std::map<facts::Id, bool> narrow_kernels;
  for (const facts::Alternative& way : model.alternatives()) {
    model.provenance().walk({way.node}, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
      bool narrows = narrowing_copy(model, node);
      if (node.kind == NodeKind::kLaunch && node.kernel != facts::kNone) {
        const auto [known, fresh] = narrow_kernels.try_emplace(node.kernel, false);
        if (fresh) known->second = narrowing_in(model, model.function(node.kernel)).statement != nullptr;
        narrows = known->second;
      }
      if (narrows && node.phase == facts::Phase::kForward && seen.insert(id).second)
        places.push_back({node.where, node.context, model.name_of_node(id), facts::kNone});
      return true;
    });
  }
  for (const facts::ForeignStore& store : model.run().foreign_stores) {
    const facts::Statement* statement = model.statement(store.where);
    const std::string last = last_part(store.name);
    const bool flag = last == "allow_tf32" || last == "fp32_precision" || last.starts_with("allow_fp16") ||
                      last.starts_with("allow_bf16");
    if (flag && statement != nullptr && store.phase == facts::Phase::kForward)
      places.push_back({store.where, store.context, store.name, statement->value});
  }
  const auto wanted = [](const std::string& name) {
    return name == "torch.autocast" || name == "torch.amp.autocast" || name.starts_with("torch.cuda.amp.autocast") ||
           name == "torch.set_float32_matmul_precision";
  };
  for (const Ran& call : ran(model, wanted)) {
    if (!call.record->in_forward) continue;
    facts::Id setting = argument(*call.statement, 99, "enabled");
    if (setting == facts::kNone && call.name == "torch.set_float32_matmul_precision")
      setting = argument(*call.statement, 0);
    places.push_back({call.where, 0, call.name, setting});
  }
  return places;
}

}  // namespace kernel_audit::analysis::rules
