#include "eval/summary.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval {
namespace {

Verdict verdict_of(const EvalEvidence& evidence) {
  VerdictInputs inputs;
  inputs.eval = summarize(evidence, Policy{});
  return final_verdict(inputs);
}

TEST(Summary, AnHonestSpeedupIsConfirmedAndASlowCandidateIsNot) {
  EXPECT_EQ(verdict_of(honest_evidence()), Verdict::kConfirmed);
  EXPECT_EQ(verdict_of(honest_evidence(4e6, 2e6)), Verdict::kNoSpeedup);
  EXPECT_EQ(verdict_of(honest_evidence(4e6, 4e6)), Verdict::kNoSpeedup);
}

TEST(Summary, RefusedOutputsAreWrongHoweverFast) {
  EvalEvidence e = honest_evidence();
  refuse(e, refused_check(4, 0));
  EXPECT_EQ(verdict_of(e), Verdict::kWrong);
  EXPECT_FALSE(summarize(e, Policy{}).speedup.has_value());
}

TEST(Summary, ARefusedOutputThatIsOnlyCountedIsNotConfirmedEither) {
  EvalEvidence e = honest_evidence();
  ++e.checks_total;
  EXPECT_EQ(verdict_of(e), Verdict::kInconclusive);
}

TEST(Summary, UncheckedOutputsProveNothing) {
  EvalEvidence e = honest_evidence();
  e.checks_total = e.checks_accepted = 0;
  EXPECT_EQ(verdict_of(e), Verdict::kInconclusive);
}

TEST(Summary, TheOracleAcquits) {
  EvalEvidence e = honest_evidence();
  CheckResult check = refused_check(4, 0);
  check.oracle_accepts = true;
  e.checks.push_back(check);
  EXPECT_EQ(verdict_of(e), Verdict::kConfirmed);
}

TEST(Summary, FaultsOfTheCandidateBreakItAndOthersAreInconclusive) {
  EvalEvidence e = honest_evidence();
  e.faults = {{Party::kCandidate, "run", "signal", "died by signal 11 (SIGSEGV)"}};
  EXPECT_EQ(verdict_of(e), Verdict::kBroken);
  e.faults = {{Party::kCandidate, "run", "protocol", "short packet"}};
  EXPECT_EQ(verdict_of(e), Verdict::kInconclusive);
  e.faults = {{Party::kCandidate, "run", to_string(CallStatus::kDtype), "Output 0 is float64."}};
  EXPECT_EQ(verdict_of(e), Verdict::kWrong);
  e.faults = {{Party::kBaseline, "run", "memory", "over its limit"}};
  EXPECT_EQ(verdict_of(e), Verdict::kInconclusive);
  e.faults = {{Party::kCandidate, "run", "tool", "the arena could not be made"}};
  EXPECT_EQ(verdict_of(e), Verdict::kInconclusive);
}

TEST(Summary, FewerRoundsThanPlannedMayOnlyLose) {
  EvalEvidence fast = honest_evidence();
  fast.rounds_planned = 20;
  EXPECT_EQ(verdict_of(fast), Verdict::kInconclusive);
  EvalEvidence slow = honest_evidence(40e6, 4e6);
  slow.rounds_planned = 20;
  EXPECT_EQ(verdict_of(slow), Verdict::kNoSpeedup);
}

TEST(Summary, RandomReferencesAreNotComparableWhereOutputsDiffer) {
  EvalEvidence e = honest_evidence();
  e.outputs_vary_for_equal_input = true;
  EXPECT_EQ(verdict_of(e), Verdict::kConfirmed);
  refuse(e, refused_check(4, 0));
  EXPECT_EQ(verdict_of(e), Verdict::kNotComparable);
  EvalEvidence stateful = honest_evidence();
  stateful.not_comparable = "The forward keeps state.";
  EXPECT_EQ(verdict_of(stateful), Verdict::kNotComparable);
}

TEST(Summary, GraphReplaysCarryTheVerdictOfHostBoundWork) {
  EvalEvidence e = honest_evidence(4e6, 4e6);
  Metric graph = *e.speedup;
  graph.id = "graph_speedup";
  graph.value = 3;
  graph.interval = Interval{2.9, 3.1};
  e.graph_speedup = graph;
  EXPECT_EQ(verdict_of(e), Verdict::kConfirmed);
}

}  // namespace
}  // namespace kernel_audit::eval
