// KA613: environment variables, the command line or a clock decide what is returned.
#include <algorithm>
#include <set>

#include "analysis/facts/surroundings.h"
#include "analysis/rules/amounts.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/native_names.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Surroundings;

const RuleInfo kInfo{"KA613",
                     "environment-sniff",
                     "environment, command line or clock decide what is computed",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {77}};

bool settings_or_clock(Surroundings kind) { return kind == Surroundings::kSettings || kind == Surroundings::kClock; }

struct Sniff {
  const Node* node = nullptr;
  SourceSpan guard;
  facts::Id function, block;
  bool in_forward = false;
};

// Blocks whose condition looks at the surroundings and that decide about a store which outlives the import,
// or about a launch or a return.
std::vector<Sniff> sniffs(const Model& model) {
  std::vector<Sniff> found;
  for (const auto& [place, nodes] : model.run().conditions) {
    const auto& [function, block] = place;
    const Node* source = nullptr;
    model.provenance().walk(nodes, [&](const Node& node, NodeId) {
      if (node.kind == NodeKind::kSurroundings && settings_or_clock(facts::surroundings_of(node.name))) source = &node;
      return true;
    });
    if (source == nullptr) continue;
    const auto& body = model.function(function);
    SourceSpan span = model.value(body.blocks[static_cast<std::size_t>(block)].condition).span;
    found.push_back({source, span, function, block, model.reached(function, facts::Phase::kForward)});
  }
  return found;
}

bool guards_a_way(const Model& model, const SourceSpan& guard) {
  for (const facts::Alternative& way : model.alternatives()) {
    for (const facts::Guard& each : way.guards) {
      if (each.kind == facts::GuardKind::kSurroundings && each.span == guard) return true;
    }
  }
  const std::vector<LaunchChoice> choices = launch_choices(model);
  return std::any_of(choices.begin(), choices.end(), [&](const LaunchChoice& choice) {
    return choice.guard.kind == facts::GuardKind::kSurroundings && choice.guard.span == guard;
  });
}

// What the system tells of a process: how it was called, and by whom.
bool tells_of_process(const std::string& path) {
  if (!path.starts_with("/proc/")) return false;
  return one_of(path.substr(path.rfind('/') + 1), {"cmdline", "environ", "comm", "exe", "cwd"});
}

// Whether a condition depends on what is read from files in a function.
bool decides(const Model& model, facts::Id reader) {
  return std::any_of(model.run().conditions.begin(), model.run().conditions.end(), [&](const auto& condition) {
    bool found = false;
    model.provenance().walk(condition.second, [&](const Node& node, NodeId) {
      found = found || (node.kind == NodeKind::kSurroundings && node.where.function == reader &&
                        facts::surroundings_of(node.name) == Surroundings::kFile);
      return !found;
    });
    return found;
  });
}

// C++ code that reads how the process was called. No kernel needs that; a decision by it is one about who is asking.
std::vector<Finding> process_files(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const OpenedFile& file : opened_files(model)) {
    if (!tells_of_process(file.path)) continue;
    const bool decided = decides(model, file.call.where.function);
    Finding finding = make_finding(kInfo, policy,
                                   std::string(caller_text(file.call)) + " reads " + file.path + " " +
                                       phase_text(file.call) + (decided ? ", and what it says decides." : "."));
    if (decided && policy.effects.count(kInfo.code) == 0) {
      finding.effect = Effect::kCheat;
      finding.severity = Severity::kError;
    }
    finding.span = model.span(file.call.where);
    add_route_notes(model, file.call.where, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

// What is read, as a finding at `span`; how the process was called is no setting of a kernel.
Finding sniffed(const Model& model, const Policy& policy, const Node& source, const SourceSpan& span,
                const std::string& message) {
  Finding finding = make_finding(kInfo, policy, message);
  const bool command_line = source.name.starts_with("sys.") || source.name.starts_with("argparse.");
  if (command_line && policy.effects.count(kInfo.code) == 0) {
    finding.effect = Effect::kCheat;
    finding.severity = Severity::kError;
    finding.confidence = Confidence::kHigh;
  }
  finding.span = span;
  const SourceSpan read = source.where.known() ? model.span(source.where) : span_of_symbol(model, source.name);
  if (read.known()) finding.notes.push_back({read, source.name + " is read here"});
  return finding;
}

// Whether a kernel that takes part in what forward returns is come to by a call.
bool leads_to_result(const Model& model, const facts::StatementRef& call) {
  const auto by_call = [&](NodeId launch) {
    const Node& node = model.provenance().at(launch);
    for (facts::ContextId at = node.context; at > 0; at = model.provenance().context_at(at).parent) {
      if (model.provenance().context_at(at).call == call) return true;
    }
    return node.where == call;
  };
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const facts::Alternative& way) {
    return std::any_of(way.launches.begin(), way.launches.end(), by_call);
  });
}

// Calls of one of several functions, or of a method of one of several objects, that was chosen before.
void chosen_functions(const Model& model, const Policy& policy, Once& once, std::set<const Node*>& told,
                      std::vector<Finding>& findings) {
  for (const auto& [where, nodes] : model.run().chosen_callees) {
    const Node* source = nullptr;
    model.provenance().walk(nodes, [&](const Node& node, NodeId) {
      if (node.kind == NodeKind::kSurroundings && settings_or_clock(facts::surroundings_of(node.name))) source = &node;
      return true;
    });
    if (source == nullptr || !leads_to_result(model, where) || once.seen(model.span(where))) continue;
    if (!told.insert(source).second) continue;
    findings.push_back(sniffed(
        model, policy, *source, model.span(where),
        "What " + source->name + " says decides which function computes what " + entry_name(model) + " returns."));
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings = process_files(model, policy);
  Once once;
  std::set<const Node*> told;  // what decides is said once, not of all that follows from it
  for (const Sniff& sniff : sniffs(model)) {
    if (!sniff.in_forward) continue;
    if (!guards_a_way(model, sniff.guard) && !chooses_bound(model, sniff.function, sniff.block)) continue;
    if (once.seen(sniff.guard) || !told.insert(sniff.node).second) continue;
    findings.push_back(sniffed(model, policy, *sniff.node, sniff.guard,
                               "What " + sniff.node->name + " says decides what " + entry_name(model) + " returns."));
  }
  chosen_functions(model, policy, once, told, findings);
  for (const Amount& amount : amounts_from_around(model, settings_or_clock)) {
    const Node& source = model.provenance().at(amount.source);
    if (told.contains(&source) || once.seen(model.span(amount.where))) continue;
    findings.push_back(sniffed(model, policy, source, model.span(amount.where),
                               "Of what " + source.name + " says, " + amount.what + " is computed."));
  }
  return findings;
}

}  // namespace

const Rule& environment_sniff() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
