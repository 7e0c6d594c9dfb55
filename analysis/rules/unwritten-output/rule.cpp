// KA531: forward returns memory that nothing has written.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::NodeKind;

const RuleInfo kInfo{"KA531",
                     "unwritten-output",
                     "forward returns memory that nothing has written",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {57}};

// n < 0: no size is.
bool never_holds(const Model& model, const facts::Statement& test) {
  const auto below = [&](std::size_t place, const char* name, double limit) {
    const Json* number = constant_of(model, test.args[place]);
    return test.callee == name && number != nullptr && number->is_number() && number->get<double>() <= limit;
  };
  return below(1, "operator.lt", 0) || below(1, "operator.le", -1) || below(1, "operator.eq", -1) ||
         below(0, "operator.gt", 0) || below(0, "operator.ge", -1);
}

// n == 0, blocks > 0, !n, done < n: what tells whether anything is there, or left, to be computed.
bool tests_empty(const Model& model, const Guard& guard) {
  if (guard.kind != GuardKind::kShape) return false;
  const facts::Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const facts::Statement* test = maker(model, guard.function, condition);
  if (test == nullptr || test->kind != facts::StatementKind::kCall || test->args.size() != 2) return true;
  if (never_holds(model, *test)) return false;
  const auto size = [&](facts::Id arg) { return asks_size(slice_of(model, guard.function, arg)); };
  if (std::all_of(test->args.begin(), test->args.end(), size)) return true;
  return std::any_of(test->args.begin(), test->args.end(), [&](facts::Id arg) {
    const Json* number = constant_of(model, arg);
    return number != nullptr && number->is_number_integer() && (*number == 0 || *number == 1);
  });
}

// Whether each kernel that makes the same return's other values has a guard that `wanted` accepts.
template <typename Wanted>
bool launches_guarded(const Model& model, const Alternative& way, const Wanted& wanted) {
  bool any = false;
  for (const Alternative& other : model.alternatives()) {
    if (!(other.returned == way.returned)) continue;
    for (const facts::NodeId launch : other.launches) {
      const auto& node = model.provenance().at(launch);
      const std::vector<Guard> guards = model.guards_of(node.where, node.context);
      if (std::none_of(guards.begin(), guards.end(), [&](const Guard& guard) { return wanted(guard, node); }))
        return false;
      any = true;
    }
  }
  return any;
}

// What is returned unwritten has no elements.
bool is_empty(const Model& model, const Alternative& way) {
  return holds_nothing(model, way) || launches_guarded(model, way, [&](const Guard& guard, const facts::Node& launch) {
           return unless_empty(model, guard, launch.where, launch.context);
         });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const bool authored = any_authored(model);
  const auto& problems = model.facts().problems;
  const bool unread = any_unknown(model) || std::any_of(problems.begin(), problems.end(),
                                                        [](const facts::Problem& p) { return p.blocks_clean; });
  const auto& blind = model.run().blind_launches;
  const auto unless = [&](const Guard& guard, const facts::Node&) { return tests_empty(model, guard); };
  for (const Alternative& way : model.alternatives()) {
    if (model.provenance().at(way.node).kind != NodeKind::kAllocation) continue;
    if (authored && is_empty(model, way)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns the result of " + model.name_of_node(way.node) + ", which nothing writes.");
    const bool by_shape = std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& guard) {
      return guard.kind == GuardKind::kShape || guard.kind == GuardKind::kDevice;
    });
    if (!blind.empty() && !authored) {
      // A kernel ran on buffers that were lost from sight: it may have written this.
      finding.effect = Effect::kInconclusive;
      finding.severity = Severity::kWarning;
      finding.confidence = Confidence::kLow;
      finding.message = "Nothing is seen to write what " + entry_name(model) + " returns from " +
                        model.name_of_node(way.node) + ", but a kernel is launched on buffers that were not followed.";
      finding.notes.push_back({model.span(*blind.begin()), "launched here"});
    } else if (authored || unread) {
      // Empty inputs and the like, beside a kernel that does the work.
      const Effect at_most =
          authored && (by_shape || launches_guarded(model, way, unless)) ? Effect::kNote : Effect::kReview;
      soften(finding, at_most);
      finding.severity = at_most == Effect::kNote ? Severity::kNote : Severity::kWarning;
      finding.confidence = Confidence::kMedium;
      finding.message = "On some paths " + finding.message;
    }
    finding.span = model.span_of(way.node);
    add_guard_notes(way.guards, finding.notes);
    if (!model.launches().empty() && !authored) {
      finding.notes.push_back({model.span(model.launches().front()), "this launch does not write it"});
    }
    finding.notes.push_back({model.span(way.returned), "returned here"});
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.message == finding.message; });
    if (!known) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& unwritten_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
