#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard wrong_output();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return wrong_output().check(e, Policy{}); }

TEST(WrongOutput, WhatToleranceAndOracleRefuseIsWrong) {
  EvalEvidence e = honest_evidence();
  refuse(e, refused_check(6, 1));
  const auto findings = run(e);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kWrong);
  EXPECT_EQ(findings[0].confidence, Confidence::kHigh);
  EXPECT_EQ(findings[0].origin, Origin::kRefereeMemory);
}

TEST(WrongOutput, WithoutTheOracleTheBenchmarkDecidesWithLessConfidence) {
  EvalEvidence e = honest_evidence();
  CheckResult check = refused_check(6, 1);
  check.oracle_ran = false;
  refuse(e, check);
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kWrong);
  EXPECT_EQ(run(e)[0].confidence, Confidence::kMedium);
}

TEST(WrongOutput, AtLeastAsAccurateAsTheReferenceIsNeverWrong) {
  EvalEvidence e = honest_evidence();
  CheckResult check = refused_check(6, 1);
  check.oracle_accepts = true;
  refuse(e, check);
  EXPECT_TRUE(run(e).empty());
}

TEST(WrongOutput, StaleOnesExplainFewOthersButNotMost) {
  EvalEvidence e = honest_evidence();
  for (int i = 0; i < 3; ++i) {
    CheckResult stale = refused_check(1, i);
    stale.stale = true;
    refuse(e, stale);
  }
  refuse(e, refused_check(2, 0));
  EXPECT_TRUE(run(e).empty());
  for (int i = 0; i < 3; ++i) refuse(e, refused_check(3, i));
  EXPECT_EQ(run(e).size(), 1u);
}

TEST(WrongOutput, ARefusedBaselineTakesTheAccusationBack) {
  EvalEvidence e = honest_evidence();
  refuse(e, refused_check(6, 1));
  CheckResult baseline = refused_check(6, 1);
  baseline.party = Party::kBaseline;
  e.checks.push_back(baseline);
  const auto findings = run(e);
  ASSERT_EQ(findings.size(), 2u);
  for (const Finding& finding : findings) EXPECT_EQ(finding.effect, Effect::kInconclusive);
}

TEST(WrongOutput, OutputsOfAnotherFormAreWrongAndExceptionsAreNot) {
  EvalEvidence e = honest_evidence();
  e.faults.push_back({Party::kCandidate, "run", to_string(CallStatus::kShape), "Output 0 has shape [3]."});
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kWrong);
  e.faults[0].kind = to_string(CallStatus::kException);
  EXPECT_TRUE(run(e).empty());
}

TEST(WrongOutput, OnlyReviewAfterWeightsHadToBeCopied) {
  EvalEvidence e = honest_evidence();
  e.weights_copied = true;
  refuse(e, refused_check(6, 1));
  EXPECT_EQ(run(e).at(0).effect, Effect::kReview);
}

}  // namespace
}  // namespace kernel_audit::eval::guards
