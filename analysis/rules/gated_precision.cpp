#include "analysis/rules/gated_precision.h"

#include <map>
#include <set>

#include "analysis/facts/flow_graph.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/narrowing.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

namespace {

// Parameters of a Triton kernel that say how precise its products are, or whether it narrows what it reads.
std::set<std::size_t> precision_parameters(const Model& model, const facts::Function& kernel) {
  std::set<std::size_t> found;
  DeviceFlow flow(model, kernel);
  const facts::FlowGraph graph(kernel);
  const auto add = [&](facts::Id value) {
    const facts::Statement* made = value == facts::kNone ? nullptr : flow.made(value);
    if (made == nullptr || made->kind != facts::StatementKind::kLoad) return;
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
      if (kernel.parameters[p].storage == made->location.storage) found.insert(p);
    }
  };
  const facts::Statement* narrowing = narrowing_in(model, kernel).statement;
  for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
    for (const facts::Statement& s : kernel.blocks[b].statements) {
      if (&s == narrowing) {
        for (const facts::Id decider : graph.deciders(static_cast<facts::Id>(b)))
          add(kernel.blocks[static_cast<std::size_t>(decider)].condition);
      }
      if (s.callee != "triton.language.dot") continue;
      for (const auto& [name, value] : s.keywords) {
        if (name == "input_precision" || name == "allow_tf32") add(value);
      }
    }
  }
  return found;
}

}  // namespace

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
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const facts::Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || launch->launch->kernel_function == facts::kNone) continue;
    const facts::Function& kernel = model.function(launch->launch->kernel_function);
    for (const std::size_t parameter : precision_parameters(model, kernel)) {
      facts::Id given = parameter < launch->args.size() ? launch->args[parameter] : facts::kNone;
      for (const auto& [name, value] : launch->keywords) {
        if (name == kernel.parameters[parameter].name) given = value;
      }
      if (given != facts::kNone) places.push_back({where, 0, "kernel " + kernel.qualified_name, given});
    }
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
