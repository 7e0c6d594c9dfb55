// KA501: forward returns one of its arguments, at most viewed or copied.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/returned_arguments.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA501",
                     "returned-argument",
                     "forward returns an argument unchanged",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {62, 67}};

// Work in place, and the caller gets its own memory back.
void written_in_place(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  const auto& entry = model.function(model.facts().entry_function);
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const int position : written_and_returned(model, returned)) {
      const std::size_t at = static_cast<std::size_t>(position) + (model.facts().entry_class != facts::kNone ? 1 : 0);
      const std::string name = at < entry.parameters.size() ? entry.parameters[at].name : std::to_string(position);
      Finding finding = make_finding(
          kInfo, policy,
          entry_name(model) + " returns the memory of its argument " + name + ", which it writes in place.");
      finding.span = model.span(returned.where);
      for (const auto& [where, written] : model.run().argument_writes) {
        if (written.contains(position)) finding.notes.push_back({model.span(where), "written here"});
      }
      findings.push_back(std::move(finding));
    }
  }
}

// Whether a condition is an attribute as it is, or its opposite.
bool plain_attribute(const Model& model, const Guard& guard) {
  const facts::Function& in = model.function(guard.function);
  facts::Id value = in.blocks[static_cast<std::size_t>(guard.block)].condition;
  for (int steps = 0; steps < 3; ++steps) {
    const facts::Statement* made = nullptr;
    for (const facts::Block& block : in.blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.result == value) made = &statement;
      }
    }
    if (made == nullptr) return false;
    if (made->kind == facts::StatementKind::kLoad)
      return !made->location.element && made->location.storage != facts::kNone &&
             model.facts().storages[static_cast<std::size_t>(made->location.storage)].kind ==
                 facts::StorageKind::kInstanceAttribute;
    if (made->callee != "operator.not_" || made->args.size() != 1) return false;
    value = made->args[0];
  }
  return false;
}

// Whether a guard tests a setting that the model is made with, as it is, and nothing is computed with that: a switch.
// Of a number, as the share that is dropped, the kernel makes something.
bool tests_a_switch(const Model& model, const Guard& guard) {
  const auto condition = model.run().conditions.find({guard.function, guard.block});
  if (guard.kind != GuardKind::kSetting || condition == model.run().conditions.end()) return false;
  if (!plain_attribute(model, guard)) return false;
  facts::NodeSet settings;
  model.provenance().walk(condition->second, [&](const Node& node, NodeId id) {
    if (node.kind == NodeKind::kConfiguration) settings.push_back(id);
    return true;
  });
  if (settings.empty()) return false;
  bool used = false;
  const auto look = [&](const facts::NodeSet& from) {
    model.provenance().walk(from, [&](const Node&, NodeId id) {
      used = used || std::find(settings.begin(), settings.end(), id) != settings.end();
      return !used;
    });
  };
  for (const Alternative& way : model.alternatives()) look({way.node});
  for (const auto& [where, arguments] : model.run().launch_arguments) {
    for (const facts::Abstract& argument : arguments) look(argument.nodes);
  }
  return !used;
}

// Where forward computes otherwise, and what decides is what the argument holds or a switch alone: the task's inputs
// may be all that are let through.
bool skips_work(const Model& model, const Alternative& way) {
  const auto mode = [&](const Guard& guard) {
    return guard.kind == GuardKind::kSetting && !tests_a_switch(model, guard);
  };
  const bool other_setting = std::any_of(way.guards.begin(), way.guards.end(), mode);
  return std::any_of(way.guards.begin(), way.guards.end(), [&](const Guard& guard) {
    const bool decides = decides_by_contents(model, guard) || (!other_setting && tests_a_switch(model, guard));
    return decides && leaves_another_way(model, guard, way.returned, 0);
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  written_in_place(model, policy, findings);
  const bool work = any_authored(model);
  for (const Alternative& way : model.alternatives()) {
    if (!way.is_argument) continue;
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " returns its " + model.name_of_node(way.node) + " as it is" +
                                       (work ? " on some paths." : ", without any work on it."));
    if (work && !skips_work(model, way)) {
      // A branch for an empty input, evaluation mode or a size without work.
      soften(finding, Effect::kNote);
      finding.severity = Severity::kNote;
    }
    finding.span = model.span(way.returned);
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
    break;
  }
  return findings;
}

}  // namespace

const Rule& returned_argument() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
