#include "analysis/rules/amounts.h"

#include <algorithm>
#include <set>

#include "analysis/facts/compiled_in.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::NodeSet;

namespace {

// What numbers are computed from: not what tensors among that hold.
std::set<NodeId> sources(const facts::Model& model, const NodeSet& from,
                         const std::function<bool(facts::Surroundings)>& wanted) {
  std::set<NodeId> found;
  model.provenance().walk(from, [&](const Node& node, NodeId id) {
    if (node.kind == NodeKind::kSurroundings && wanted(facts::surroundings_of(node.name))) found.insert(id);
    return node.kind == NodeKind::kScalar || node.kind == NodeKind::kMetadata || node.kind == NodeKind::kState ||
           node.kind == NodeKind::kSurroundings;
  });
  return found;
}

// A kernel that goes through its elements by as many blocks as it is given: the grid decides nothing.
bool asks_grid(const facts::Model& model, facts::Id kernel) {
  const auto& blocks = model.function(kernel).blocks;
  const auto names_grid = [&](facts::Id value) { return model.value(value).symbol.starts_with("gridDim"); };
  return std::any_of(blocks.begin(), blocks.end(), [&](const facts::Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(), [&](const facts::Statement& s) {
      return s.callee.ends_with(".num_programs") || s.callee.ends_with(".gridsize") || names_grid(s.result) ||
             std::any_of(s.args.begin(), s.args.end(), names_grid);
    });
  });
}

// A constant of a kernel's compilation that bounds what it does, and is no size of its blocks.
bool bounds_work(const facts::Model& model, facts::Id kernel, const facts::Parameter& parameter) {
  const KernelView& view = view_of(model, kernel);
  const auto is_it = [&](facts::Id value) {
    const facts::Statement* made = view.flow.made(value);
    return made != nullptr && made->kind == facts::StatementKind::kLoad && made->location.storage == parameter.storage;
  };
  bool bounds = false;
  for (const facts::Block& block : view.function.blocks) {
    for (const facts::Statement& s : block.statements) {
      if (std::none_of(s.args.begin(), s.args.end(), is_it)) continue;
      const std::string last = last_part(s.callee);
      if (last == "arange") return false;
      bounds = bounds || one_of(last, {"lt", "le", "gt", "ge"});
    }
  }
  return bounds;
}

using HandedOn = std::function<bool(const DeviceFlow&, facts::Id)>;

// Whether a value that `chosen` accepts is handed to a kernel that it bounds, from a function or those that it calls.
bool bounds_a_kernel(const facts::Model& model, facts::Id function, const HandedOn& chosen, int depth = 0) {
  constexpr int kDeepest = 3;
  const DeviceFlow flow(model, model.function(function));
  const auto& blocks = model.function(function).blocks;
  const auto bounds = [&](const facts::StatementRef& where, const facts::Statement& s, std::size_t place) {
    const bool launch = s.kind == facts::StatementKind::kLaunch;
    const facts::Id called = launch ? model.kernel_of(where) : s.target;
    if (called == facts::kNone || place >= model.function(called).parameters.size()) return false;
    const facts::Parameter& parameter = model.function(called).parameters[place];
    if (launch) return parameter.type.kind == facts::TypeKind::kInt && bounds_work(model, called, parameter);
    return depth < kDeepest && model.native(called) && called != function &&
           bounds_a_kernel(
               model, called,
               [&](const DeviceFlow& inner, facts::Id value) {
                 return inner.behind(value).variables.contains(parameter.storage);
               },
               depth + 1);
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < blocks[b].statements.size(); ++i) {
      const facts::Statement& s = blocks[b].statements[i];
      const facts::StatementRef where{function, static_cast<facts::Id>(b), static_cast<facts::Id>(i)};
      for (std::size_t a = 0; a < s.args.size(); ++a) {
        if (chosen(flow, s.args[a]) && bounds(where, s, a)) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool chooses_bound(const facts::Model& model, facts::Id function, facts::Id block) {
  const facts::Function& body = model.function(function);
  const facts::FlowGraph graph(body);
  std::set<facts::Id> made, variables, values;
  for (std::size_t b = 0; b < body.blocks.size(); ++b) {
    const auto& deciders = graph.deciders(static_cast<facts::Id>(b));
    const bool decided = std::find(deciders.begin(), deciders.end(), block) != deciders.end();
    for (const facts::Statement& s : body.blocks[b].statements) {
      if (decided && s.result != facts::kNone) made.insert(s.result);
      const bool stored = s.kind == facts::StatementKind::kStore && s.location.base == facts::kNone;
      if (decided && stored && !s.location.element) variables.insert(s.location.storage);
    }
  }
  for (const facts::Block& each : body.blocks) {
    for (const facts::Statement& s : each.statements) {
      if (s.kind == facts::StatementKind::kPhi && s.callee.empty() &&
          std::any_of(s.args.begin(), s.args.end(), [&](facts::Id arg) { return made.contains(arg); }))
        values.insert(s.result);
    }
  }
  const HandedOn chosen = [&](const DeviceFlow& flow, facts::Id value) {
    const DeviceFlow::Behind behind = flow.behind(value);
    const auto meets = [](const std::set<facts::Id>& a, const std::set<facts::Id>& b) {
      return std::any_of(a.begin(), a.end(), [&](facts::Id each) { return b.contains(each); });
    };
    return meets(variables, behind.variables) || meets(values, behind.values);
  };
  return (!variables.empty() || !values.empty()) && bounds_a_kernel(model, function, chosen);
}

std::vector<Amount> amounts_from_around(const facts::Model& model,
                                        const std::function<bool(facts::Surroundings)>& wanted) {
  std::vector<Amount> amounts;
  const auto add = [&](const NodeSet& nodes, const NodeSet& tuning, const facts::StatementRef& where,
                       const char* what) {
    const std::set<NodeId> excused = sources(model, tuning, wanted);
    for (const NodeId source : sources(model, nodes, wanted)) {
      if (excused.contains(source)) continue;
      amounts.push_back({source, where, what});
      return;
    }
  };
  for (const auto& [where, taken] : model.run().launch_amounts) {
    const std::size_t before = amounts.size();
    add(taken.arguments, {}, where, "a number that a kernel is handed");
    const facts::Id kernel = model.kernel_of(where);
    if (amounts.size() == before && (kernel == facts::kNone || !asks_grid(model, kernel)))
      add(taken.grid, taken.tuning, where, "the grid of a launch");
  }
  for (const auto& [place, given] : model.run().launch_arguments) {
    const facts::Id kernel = model.kernel_of(place.first);
    if (kernel == facts::kNone) continue;
    const auto& parameters = model.function(kernel).parameters;
    for (std::size_t p = 0; p < std::min(parameters.size(), given.size()); ++p) {
      if (parameters[p].type.name == facts::kCompiledIn && !sources(model, given[p].nodes, wanted).empty() &&
          bounds_work(model, kernel, parameters[p]))
        add(given[p].nodes, {}, place.first, "a bound of a kernel");
    }
  }
  for (const auto& [where, nodes] : model.run().parts_taken) add(nodes, {}, where, "which part of a tensor is taken");
  return amounts;
}

}  // namespace kernel_audit::analysis::rules
