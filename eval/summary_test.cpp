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

// Walls of one party's windows in the rounds, changed by `change(round, wall)`; times derived again.
template <typename Change>
EvalEvidence changed(EvalEvidence e, Party party, Change change) {
  for (ProvenWindow& window : e.windows) {
    if (window.party == party && !window.solo) window.wall_ns = change(window.round, window.wall_ns);
  }
  derive_times(e);
  return e;
}

TEST(Summary, AnIntervalThatCannotTellASpeedupFromNoneIsInconclusive) {
  // The candidate takes between half and twice the baseline's time.
  const EvalEvidence wide = changed(honest_evidence(), Party::kCandidate,
                                    [](int round, double) { return 300e3 + (round % 2 == 0 ? 2e6 : 8e6); });
  const StageSummary summary = summarize(wide, Policy{});
  EXPECT_FALSE(summary.speedup.has_value());
  EXPECT_NE(summary.reason.find("cannot tell a speedup from none"), std::string::npos) << summary.reason;
  EXPECT_EQ(verdict_of(wide), Verdict::kInconclusive);
  EXPECT_EQ(disturbance(wide, Policy{}), "");  // the candidate's doing is no reason to measure again
  Policy coarse;
  coarse.thresholds["eval.speedup.resolution"] = 3;
  EXPECT_TRUE(summarize(wide, coarse).speedup.has_value());
}

TEST(Summary, ABaselineThatChangedItsSpeedLeavesNoSpeedupUndecided) {
  const auto slower = [](double factor, double candidate_ns) {
    return changed(honest_evidence(candidate_ns), Party::kBaseline,
                   [=](int, double wall) { return 300e3 + factor * (wall - 300e3); });
  };
  EXPECT_EQ(disturbance(honest_evidence(), Policy{}), "");
  EXPECT_EQ(disturbance(slower(1.05, 2e6), Policy{}), "");
  EXPECT_NE(disturbance(slower(1.5, 2e6), Policy{}), "");
  EXPECT_NE(disturbance(slower(0.8, 2e6), Policy{}), "");
  // Twice as fast as the baseline alone: the faster figure counts, and suffices.
  EXPECT_EQ(verdict_of(slower(1.5, 2e6)), Verdict::kConfirmed);
  // Faster than the baseline beside it, slower than the baseline alone: the machine may have slowed down.
  EXPECT_EQ(verdict_of(slower(1.5, 5e6)), Verdict::kInconclusive);
  EXPECT_EQ(verdict_of(slower(1.5, 9e6)), Verdict::kNoSpeedup);
}

TEST(Summary, AnUnsteadyBaselineIsADisturbance) {
  const EvalEvidence unsteady = changed(honest_evidence(4e6, 4e6), Party::kBaseline,
                                        [](int round, double) { return 300e3 + (round % 2 == 0 ? 3.5e6 : 4.5e6); });
  EXPECT_NE(disturbance(unsteady, Policy{}), "");
  EXPECT_EQ(verdict_of(unsteady), Verdict::kInconclusive);
  EvalEvidence few = unsteady;
  few.windows.resize(9);
  EXPECT_EQ(disturbance(few, Policy{}), "");
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
