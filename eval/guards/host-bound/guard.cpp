// KA952: the calls are mostly launches, so the verdict rests on graph replays of both sides.
#include "eval/guards/guard.h"

#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard host_bound();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{"KA952",
                             "host-bound",
                             "The calls are mostly launches: both sides were proven once more as graph replays.",
                             Severity::kNote,
                             Confidence::kHigh,
                             Stage::kEval,
                             Effect::kNote,
                             {43, 96}};
  return rule;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  const auto& graph = evidence.graph_speedup;
  const auto& eager = evidence.speedup;
  if (!graph || !graph->value || !graph->interval) return {};
  std::string text =
      "Host-bound: replayed as graphs, the ratio is " + interval_text(*graph->interval) + ", which counts; ";
  if (!eager || !eager->interval) {
    text += "in eager use none could be told.";
  } else {
    text += "in eager use it is " + interval_text(*eager->interval) +
            (eager->interval->low > 1 ? "." : ": no wall-clock gain in eager use.");
  }
  Finding finding = make_finding(info(), policy, text);
  finding.origin = Origin::kRefereeClock;
  finding.evidence = {*graph};
  if (eager) finding.evidence.push_back(*eager);
  return {finding};
}

}  // namespace

Guard host_bound() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
