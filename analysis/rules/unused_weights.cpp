#include "analysis/rules/unused_weights.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/rules/conditions.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/live_reads.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Abstract;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

namespace {

// Where a kernel compares floats that it reads through a parameter, and reads more memory on one side alone.
std::map<Id, const Statement*> deciding_pointers(const KernelView& kernel) {
  std::map<Id, const Statement*> deciding;  // by parameter
  const auto& blocks = kernel.function.blocks;
  for (std::size_t d = 0; d < blocks.size(); ++d) {
    const Statement* test = blocks[d].condition == kNone ? nullptr : kernel.flow.made(blocks[d].condition);
    if (test == nullptr || test->args.size() != 2 || !test->callee.starts_with("operator.")) continue;
    const bool floats = std::any_of(test->args.begin(), test->args.end(), [&](Id arg) {
      const auto& constant = kernel.model.value(arg).constant;
      return (constant && constant->is_number_float()) || kernel.model.value(arg).type.kind == facts::TypeKind::kFloat;
    });
    if (!floats) continue;
    bool more[2] = {false, false};
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto side = kernel.side(static_cast<Id>(d), static_cast<Id>(b));
      for (const Statement& s : blocks[b].statements) {
        const bool reads = (s.kind == StatementKind::kLoad && kernel.flow.deref(s)) || s.callee.starts_with("__ld") ||
                           s.callee == "triton.language.load";
        if (side && reads) more[*side ? 1 : 0] = true;
      }
    }
    if (more[0] == more[1]) continue;
    for (const Id value : kernel.flow.behind(blocks[d].condition).values) {
      const Statement* made = kernel.flow.made(value);
      if (made == nullptr) continue;
      const bool triton = made->callee == "triton.language.load" && !made->args.empty();
      const bool load = made->kind == StatementKind::kLoad && kernel.flow.deref(*made);
      if (triton || load) deciding.emplace(kernel.root(triton ? made->args[0] : made->location.base), test);
    }
  }
  return deciding;
}

constexpr std::string_view kTensors[] = {"Parameter", "Buffer",     "UninitializedParameter", "weight",
                                         "bias",      "parameters", "named_parameters",       "state_dict"};

std::string weight_of(const Model& model, const facts::NodeSet& nodes) {
  std::string name;
  bool weights = false, contents = false;
  model.provenance().walk(nodes, [&](const Node& node, NodeId id) {
    if (node.kind == NodeKind::kWeights && matches(last_part(node.name), kTensors)) {  // not a setting of a module
      weights = true;
      name = node.name;
    }
    contents = contents || node.kind == NodeKind::kArgument || node.kind == NodeKind::kState ||
               (node.kind == NodeKind::kLaunch && model.provenance().reaches({id}, NodeKind::kArgument));
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity && node.kind != NodeKind::kLaunch;
  });
  return weights && !contents ? (name.empty() ? "weight" : name) : "";
}

}  // namespace

std::vector<UnusedWeight> handed_and_unused(const Model& model) {
  std::vector<UnusedWeight> found;
  std::set<NodeId> used_elsewhere;
  std::map<NodeId, UnusedWeight> unused;  // by weight
  HostNumbers inputs(model);
  LiveReads live(model, &inputs);
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const Id id = model.kernel_of(place.first);
    if (id == kNone || model.function(id).blocks.empty()) continue;
    const facts::Function& kernel = model.function(id);
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      std::set<NodeId> weights;
      for (const NodeId node : arguments[p].nodes) {
        const Node& made = model.provenance().at(node);
        if (made.kind == NodeKind::kWeights && matches(last_part(made.name), kTensors)) weights.insert(node);
      }
      if (weights.empty()) continue;
      const bool uses = live.takes_part(place.first, place.second, p);
      for (const NodeId node : weights) {
        if (uses)
          used_elsewhere.insert(node);
        else
          unused.try_emplace(node, UnusedWeight{node, place.first, kernel.qualified_name, kernel.parameters[p].name});
      }
    }
  }
  for (std::size_t id = 0; id < model.provenance().size(); ++id) {
    const Node& node = model.provenance().at(static_cast<NodeId>(id));
    if (node.kind == NodeKind::kLaunch || node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity)
      continue;
    for (const facts::NodeSet& slot : node.slots) used_elsewhere.insert(slot.begin(), slot.end());
  }
  for (const auto& [node, handed] : unused) {
    if (!used_elsewhere.contains(node)) found.push_back(handed);
  }
  return found;
}

std::vector<DecidingWeight> deciding_weights(const Model& model) {
  std::vector<DecidingWeight> found;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const Id id = model.kernel_of(place.first);
    if (id == kNone) continue;
    const KernelView& kernel = view_of(model, id);
    std::set<Id> deciding;  // variables
    for (const facts::Block& block : kernel.function.blocks) {
      if (block.condition != kNone) deciding.merge(kernel.flow.behind(block.condition).variables);
      for (const Statement& s : block.statements) {
        if (s.callee == "builtins.range" || s.callee.ends_with("static_range")) {
          for (const Id arg : s.args) deciding.merge(kernel.flow.behind(arg).variables);
        }
      }
    }
    const auto pointers = deciding_pointers(kernel);
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      const auto compared = pointers.find(kernel.function.parameters[p].storage);
      const std::string gate = compared == pointers.end() ? "" : weight_of(model, arguments[p].nodes);
      if (!gate.empty()) {
        found.push_back({compared->second->span, "what kernel " + kernel.function.qualified_name + " reads", gate});
        break;
      }
      const bool tensor = std::any_of(
          arguments[p].objects.begin(), arguments[p].objects.end(),
          [&](facts::ObjectId each) { return model.run().object(each).kind == facts::ObjectKind::kTensor; });
      if (tensor || !deciding.contains(kernel.function.parameters[p].storage)) continue;
      const std::string weight = weight_of(model, arguments[p].nodes);
      if (weight.empty()) continue;
      found.push_back(
          {model.span(place.first), "how much work kernel " + kernel.function.qualified_name + " does", weight});
      break;
    }
  }
  for (const facts::Alternative& way : model.alternatives()) {
    if (!computes(model, way)) continue;
    const Node& top = model.provenance().at(way.node);
    for (const facts::Guard& guard : way.guards) {
      const auto condition = model.run().conditions.find({guard.function, guard.block});
      if (condition == model.run().conditions.end() || guard.kind == facts::GuardKind::kNoneCheck ||
          guard.kind == facts::GuardKind::kIdentity)
        continue;
      const std::string weight = weight_of(model, condition->second);
      if (weight.empty()) continue;
      if (leaves_another_way(model, guard, way.returned, 0) || leaves_another_way(model, guard, top.where, top.context))
        found.push_back({guard.span, "by which code the result is computed", weight});
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
