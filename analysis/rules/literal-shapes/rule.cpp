// KA812: a size, or a seed, that is written into the source decides what the result is: not which kernel computes it,
// but whether it is computed.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::Model;
using facts::NodeKind;

const RuleInfo kInfo{"KA812",
                     "literal-shapes",
                     "a size or seed written into the source decides what the result is",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {75}};

constexpr double kTiny = 8;  // tests for empty inputs, single rows, numbers of dimensions

bool large_number(const Slice& slice) {
  return std::any_of(slice.numbers.begin(), slice.numbers.end(), [](double number) { return number > kTiny; });
}

bool asks_seed(const Slice& slice) { return slice.names_any({"initial_seed", "get_rng_state"}); }

// What no work made: a constant, memory as it was, an argument as it is, what an earlier call left.
const char* idle(const Model& model, const Alternative& way) {
  switch (model.provenance().at(way.node).kind) {
    case NodeKind::kConstant:
      return "a constant";
    case NodeKind::kAllocation:
      return "memory that nothing has written";
    case NodeKind::kArgument:
      return "an argument as it is";
    case NodeKind::kState:
      return "what an earlier call left";
    default:
      return way.depends_on_contents ? nullptr : "what depends on no argument";
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const Alternative& way : model.alternatives()) {
    const char* what = idle(model, way);
    if (what == nullptr || !way.unknown.empty()) continue;
    const facts::Node& top = model.provenance().at(way.node);
    for (const Guard& guard : way.guards) {
      const bool size = decides_by_size(model, guard);
      if (!size && guard.kind != facts::GuardKind::kSetting) continue;
      const Slice slice = slice_of(model, guard);
      const bool seed = !size && asks_seed(slice);
      if (!seed && (!size || !large_number(slice))) continue;
      const bool other =
          leaves_another_way(model, guard, way.returned, 0) || leaves_another_way(model, guard, top.where, top.context);
      if (!other || once.seen(guard.span)) continue;
      Finding finding = make_finding(kInfo, policy,
                                     std::string(seed ? "The seed" : "A size that is compared with a number") +
                                         " decides that " + entry_name(model) + " returns " + what + ".");
      if (size && !slice.names_any({"eq", "ne", "contains", "not_contains"})) {
        soften(finding, Effect::kNote);  // from some size on: mostly a path for small inputs
        finding.severity = Severity::kNote;
      }
      finding.span = guard.span;
      finding.notes.push_back({model.span(way.returned), "returned here"});
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& literal_shapes() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
