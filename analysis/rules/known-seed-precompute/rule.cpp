// KA211: an answer was computed at import or construction, from inputs that a known seed or the task's own function
// makes, and is returned.
#include <algorithm>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA211",
                     "known-seed-precompute",
                     "a result computed ahead of the calls, from inputs that are known in advance, is returned",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {18}};

bool makes_inputs(const std::string& name) {
  return name == "get_inputs" || name == "generate_input" || name == "make_inputs" || name == "generate_inputs";
}

// The functions that make the task's inputs, and those that they call.
std::set<facts::Id> input_makers(const Model& model) {
  std::set<facts::Id> makers;
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (!makes_inputs(functions[f].name)) continue;
    makers.insert(static_cast<facts::Id>(f));
    for (const facts::Block& block : functions[f].blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.target != kNone) makers.insert(s.target);
      }
    }
  }
  return makers;
}

// Whether the node was made inside of a function that makes the task's inputs.
bool from_task_inputs(const Model& model, const Node& node) {
  const std::set<facts::Id> makers = input_makers(model);
  const auto inside = [&](facts::Id function) { return makers.contains(function); };
  const auto chain = facts::call_chain(model.provenance(), node.where, node.context);
  return std::any_of(chain.begin(), chain.end(),
                     [&](const facts::CallSite& each) { return inside(each.where.function); });
}

bool is_compute(const Node& node) {
  return node.kind == NodeKind::kFramework || node.kind == NodeKind::kLaunch || node.kind == NodeKind::kVendor ||
         node.kind == NodeKind::kNativeLoop;
}

struct Ahead {
  NodeId random = -1;
  NodeId compute = -1;
  bool task_inputs = false;
};

// What a way that no argument reaches was computed from, when that is random numbers drawn before the first call, or
// in an earlier one. What weights were initialised with does not count.
Ahead made_ahead(const Model& model, const Alternative& way) {
  Ahead found;
  facts::NodeSet kept;
  const auto look = [&](const facts::NodeSet& from, bool earlier) {
    model.provenance().walk(from, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity || node.kind == NodeKind::kWeights)
        return false;
      if (node.kind == NodeKind::kState && !earlier) kept.push_back(id);
      const bool before = node.phase != facts::Phase::kForward || earlier;
      if (before && is_compute(node) && (found.compute < 0 || node.kind == NodeKind::kLaunch))
        found.compute = id;  // a kernel goes first
      if (before && node.kind == NodeKind::kRandom) {
        found.random = id;
        found.task_inputs = found.task_inputs || from_task_inputs(model, node);
      }
      return true;
    });
  };
  look({way.node}, false);
  look(facts::NodeSet(kept), true);  // the same may be made in this call where it is not kept yet
  return found;
}

// Whether forward runs the same kernel on what it is handed.
bool runs_on_arguments(const Model& model, NodeId ahead) {
  const auto& graph = model.provenance();
  const Node& made = graph.at(ahead);
  if (made.kind != NodeKind::kLaunch) return false;
  for (NodeId id = 0; id < static_cast<NodeId>(graph.size()); ++id) {
    const Node& node = graph.at(id);
    if (node.kind == NodeKind::kLaunch && node.phase == facts::Phase::kForward && node.name == made.name &&
        node.kernel == made.kernel && graph.reaches({id}, NodeKind::kArgument))
      return true;
  }
  return false;
}

std::string earlier_than_now(facts::Phase phase) {
  return phase == facts::Phase::kForward ? "in an earlier call" : when(phase);
}

std::vector<Ran> seeds(const Model& model) {
  return ran(model, [](const std::string& name) {
    const std::string last = last_part(name);
    return last == "manual_seed" || last == "manual_seed_all" || name == "random.seed" || name == "numpy.random.seed" ||
           name == "numpy.random.default_rng" || name == "numpy.random.RandomState";
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const Alternative& way : model.alternatives()) {
    const Ahead ahead = made_ahead(model, way);
    if (ahead.random < 0 || ahead.compute < 0) continue;
    if (way.depends_on_contents && !runs_on_arguments(model, ahead.compute)) continue;
    const std::vector<Ran> seeded = seeds(model);
    if (!ahead.task_inputs && seeded.empty()) continue;
    const SourceSpan returned = model.span(way.returned);
    if (once.seen(returned)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns what " + model.name_of_node(ahead.compute) + " computed " +
            earlier_than_now(model.provenance().at(ahead.compute).phase) + ", from " +
            (ahead.task_inputs ? "the task's own inputs, made ahead." : "random numbers of a known seed."));
    if (way.depends_on_contents && !ahead.task_inputs) {
      // Beside something of this call: it may be a table that the candidate makes with the kernel it also uses.
      soften_to_review(finding);
    }
    finding.span = returned;
    finding.notes.push_back({model.span_of(ahead.random), "these inputs are made ahead here"});
    if (!seeded.empty()) finding.notes.push_back({seeded.front().statement->span, "the seed is set here"});
    finding.notes.push_back({model.span_of(ahead.compute), "the result is computed here"});
    add_guard_notes(way.guards, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& known_seed_precompute() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
