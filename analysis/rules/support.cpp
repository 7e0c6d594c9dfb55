#include "analysis/rules/support.h"

#include <algorithm>

namespace kernel_audit::analysis::rules {

using facts::Alternative;
using facts::Guard;
using facts::Model;
using facts::NodeId;

std::string name_list(const Model& model, const std::vector<NodeId>& nodes, std::size_t limit) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) {
    const std::string name = model.name_of_node(node);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  const std::size_t shown = std::min(limit, names.size());
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += (i + 1 == shown && shown == names.size()) ? " and " : ", ";
    text += names[i];
  }
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::vector<FlowNote> notes_for(const Model& model, const Alternative& way, const std::vector<NodeId>& nodes) {
  std::vector<FlowNote> notes;
  if (!nodes.empty()) model.add_call_notes(nodes.front(), notes);
  for (std::size_t i = 0; i < nodes.size() && i < 6; ++i) {
    notes.push_back({model.span_of(nodes[i]), model.name_of_node(nodes[i]) + " computes here"});
  }
  notes.push_back({model.span(way.returned), "returned here"});
  return notes;
}

void add_guard_notes(const std::vector<Guard>& guards, std::vector<FlowNote>& notes) {
  for (const Guard& guard : guards) {
    if (guard.span.known()) notes.push_back({guard.span, std::string("decided by ") + describe(guard.kind) + " here"});
  }
}

bool excused_by_device(const Alternative& way) {
  return std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& guard) { return guard.device_excused; });
}

bool any_authored(const Model& model) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(),
                     [](const Alternative& way) { return !way.launches.empty(); });
}

bool not_all_read(const Model& model) {
  const auto& problems = model.facts().problems;
  return any_unknown(model) || std::any_of(problems.begin(), problems.end(),
                                           [](const facts::Problem& problem) { return problem.blocks_clean; });
}

bool any_unknown(const Model& model) {
  if (!model.run().limits.empty() || model.run().own_parts) return true;
  return std::any_of(model.alternatives().begin(), model.alternatives().end(),
                     [](const Alternative& way) { return !way.unknown.empty(); });
}

bool nothing_followed(const Model& model) {
  const bool own_class = std::any_of(model.returns().begin(), model.returns().end(),
                                     [](const facts::EntryReturn& returned) { return !returned.instances.empty(); });
  return model.has_entry() && model.alternatives().empty() && !own_class;
}

std::string entry_name(const Model& model) {
  if (!model.has_entry()) return "the candidate";
  const auto& facts = model.facts();
  if (facts.entry_class != facts::kNone) {
    // The function may be what something stored over forward or __call__ later: users know it as forward.
    const bool has_forward = model.run().find_method(facts.entry_class, "forward") != facts::kNone;
    return facts.classes[static_cast<std::size_t>(facts.entry_class)].name + "." +
           (has_forward ? "forward" : model.function(facts.entry_function).name);
  }
  return model.function(facts.entry_function).qualified_name;
}

void soften(Finding& finding, Effect at_most) {
  const auto strength = [](Effect effect) { return effect == Effect::kNote ? 0 : effect == Effect::kReview ? 1 : 2; };
  if (strength(finding.effect) > strength(at_most)) finding.effect = at_most;
}

void soften_to_review(Finding& finding) {
  soften(finding, Effect::kReview);
  finding.confidence = Confidence::kMedium;
}

namespace {

// A function of the framework that is found under a name put together while it runs; under torch.ops it may be the
// candidate's own.
bool found_by_computed_name(const facts::Node& node) {
  const bool registered = node.name.starts_with("torch.ops.") && !node.name.starts_with("torch.ops.aten.");
  return node.name.ends_with(".?") && !registered;
}

}  // namespace

std::string argument_name(const Model& model, int position) {
  const auto& entry = model.function(model.facts().entry_function);
  const std::size_t at = static_cast<std::size_t>(position) + (model.facts().entry_class != facts::kNone ? 1 : 0);
  return at < entry.parameters.size() ? entry.parameters[at].name : std::to_string(position);
}

std::vector<NodeId> real_compute(const Model& model, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> kept;
  for (const NodeId id : nodes) {
    const auto& node = model.provenance().at(id);
    if ((!node.movement_only && !node.unclassified) || found_by_computed_name(node)) kept.push_back(id);
  }
  return kept;
}

double framework_share(const Model& model, const Alternative& way) {
  const auto compute = static_cast<double>(real_compute(model, way.framework).size());
  const double all = compute + static_cast<double>(way.launches.size() + way.vendor.size());
  return compute == 0 ? 0 : compute / all;
}

}  // namespace kernel_audit::analysis::rules
