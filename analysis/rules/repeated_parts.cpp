#include "analysis/rules/repeated_parts.h"

#include <algorithm>
#include <optional>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/partial_work.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

namespace {

// How many elements the parts have that are taken of an argument, all together.
std::optional<double> elements_taken(const Model& model, HostNumbers& host,
                                     const facts::Interpreter::InputReads& reads) {
  if (reads.whole || reads.other || reads.parts.empty()) return std::nullopt;
  double taken = 0;
  for (const auto& [where, context] : reads.parts) {
    const facts::Statement* part = model.statement(where);
    if (part == nullptr || repeated(model, where, context)) return std::nullopt;
    const auto elements = host.elements(part->result, host.frame(where, context));
    if (!elements) return std::nullopt;
    taken += *elements;
  }
  return taken;
}

bool made_of(const Model& model, const facts::NodeSet& nodes, int argument) {
  bool found = false;
  model.provenance().walk(nodes, [&](const Node& node, NodeId) {
    found = found || (node.kind == NodeKind::kArgument && node.argument == argument);
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
  });
  return found;
}

// Whether what a call repeats takes part in what forward returns.
bool returned(const Model& model, const facts::NodeSet& nodes) {
  const auto repeats = [&](NodeId id) { return std::binary_search(nodes.begin(), nodes.end(), id); };
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const facts::Alternative& way) {
    bool found = false;
    model.provenance().walk({way.node}, [&](const Node&, NodeId id) {
      found = found || repeats(id);
      return !found;
    });
    return found;
  });
}

// out[:], out[:, :]
bool takes_all(const Model& model, facts::Id function, facts::Id key) {
  const facts::Statement* made = key == facts::kNone ? nullptr : maker(model, function, key);
  if (made == nullptr || (made->callee != "builtins.slice" && made->callee != "builtins.tuple")) return false;
  return std::all_of(made->args.begin(), made->args.end(), [&](facts::Id each) {
    if (made->callee == "builtins.tuple") return takes_all(model, function, each);
    const Json* bound = constant_of(model, each);
    return bound != nullptr && bound->is_null();
  });
}

// Elements of the tensor that a variable holds, whose elements are stored to; where it is set once.
std::optional<double> elements_behind(const Model& model, HostNumbers& host, facts::Id function, facts::Id value,
                                      int frame) {
  const facts::Statement* load = value == facts::kNone ? nullptr : maker(model, function, value);
  if (load == nullptr || load->kind != facts::StatementKind::kLoad) return std::nullopt;
  const facts::Statement* only = nullptr;
  for (const facts::Block& block : model.function(function).blocks) {
    for (const facts::Statement& s : block.statements) {
      const bool sets =
          s.kind == facts::StatementKind::kStore && !s.location.element && s.location.storage == load->location.storage;
      if (sets && only != nullptr) return std::nullopt;
      if (sets) only = &s;
    }
  }
  return only == nullptr ? std::nullopt : host.elements(only->value, frame);
}

}  // namespace

std::vector<RepeatedPart> repeated_parts(const Model& model) {
  std::vector<RepeatedPart> found;
  HostNumbers host(model);
  if (!host.knows_inputs() || model.run().repeats.empty()) return found;
  for (const auto& [argument, reads] : model.run().input_reads) {
    const auto all = argument < 0 ? std::nullopt : host.input_elements(static_cast<std::size_t>(argument));
    const auto taken = all ? elements_taken(model, host, reads) : std::nullopt;
    if (!taken || *taken >= *all) continue;
    for (const auto& [where, nodes] : model.run().repeats) {
      const facts::Statement* repeat = model.statement(where);
      if (repeat == nullptr || !made_of(model, nodes, argument) || !returned(model, nodes)) continue;
      const int frame = host.frame_by_caller(where.function);
      const bool stored = repeat->kind == facts::StatementKind::kStore;  // one row to all rows
      if (stored && !takes_all(model, where.function, repeat->location.key)) continue;
      const auto elements = stored ? elements_behind(model, host, where.function, repeat->location.base, frame)
                                   : host.elements(repeat->result, frame);
      const auto given = stored ? host.elements(repeat->value, frame) : std::nullopt;
      if (!elements || *elements < *all || (stored && (!given || *given >= *elements))) continue;
      found.push_back({repeat->span, model.span(reads.parts.begin()->first), argument, *taken, *all});
      break;
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
