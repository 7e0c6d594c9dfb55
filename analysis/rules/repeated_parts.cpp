#include "analysis/rules/repeated_parts.h"

#include <algorithm>
#include <optional>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/partial_work.h"

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
      const auto elements = host.elements(repeat->result, host.frame_by_caller(where.function));
      if (!elements || *elements < *all) continue;
      found.push_back({repeat->span, model.span(reads.parts.begin()->first), argument, *taken, *all});
      break;
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
