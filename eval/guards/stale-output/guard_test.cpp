#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard stale_output();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return stale_output().check(e, Policy{}); }

TEST(StaleOutput, AnEarlierAnswerIsACheat) {
  EvalEvidence e = honest_evidence();
  e.accepted_before_failure = 5;
  CheckResult check = refused_check(2, 3);
  check.stale = true;
  refuse(e, check);
  const auto findings = run(e);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kCheat);
  EXPECT_NE(findings[0].message.find("output 0 of call 3 in round 2"), std::string::npos);
  EXPECT_NE(findings[0].message.find("5 outputs were right"), std::string::npos);
}

TEST(StaleOutput, UnwrittenFromTheStartIsWrongAndUnwrittenLaterIsACheat) {
  EvalEvidence e = honest_evidence();
  CheckResult check = refused_check(0, 0);
  check.unwritten = true;
  refuse(e, check);
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kWrong);
  e.accepted_before_failure = 3;
  EXPECT_EQ(run(e)[0].effect, Effect::kCheat);
}

TEST(StaleOutput, WorkAfterTheReturnIsACheatAndAnOverwrittenBufferIsReview) {
  EvalEvidence late = honest_evidence();
  CheckResult check = refused_check(1, 0);
  check.unwritten = check.right_on_recheck = true;
  refuse(late, check);
  ASSERT_EQ(run(late).size(), 1u);
  EXPECT_EQ(run(late)[0].effect, Effect::kCheat);
  EvalEvidence overwritten = honest_evidence();
  CheckResult changed = accepted_check(1, 0);
  changed.changed_after_return = true;
  overwritten.checks.push_back(changed);
  ASSERT_EQ(run(overwritten).size(), 1u);
  EXPECT_EQ(run(overwritten)[0].effect, Effect::kReview);
}

TEST(StaleOutput, PlainMismatchesTheBaselineAndWhatTheOracleAcceptsAreNotItsConcern) {
  EvalEvidence e = honest_evidence();
  refuse(e, refused_check(1, 0));
  CheckResult baseline = refused_check(1, 1);
  baseline.party = Party::kBaseline;
  baseline.stale = true;
  e.checks.push_back(baseline);
  CheckResult accurate = refused_check(1, 2);
  accurate.stale = accurate.oracle_accepts = true;
  e.checks.push_back(accurate);
  EXPECT_TRUE(run(e).empty());
}

TEST(StaleOutput, APolicyHasTheLastWord) {
  EvalEvidence e = honest_evidence();
  CheckResult check = refused_check(2, 3);
  check.stale = true;
  refuse(e, check);
  Policy policy;
  policy.effects["KA251"] = Effect::kReview;
  EXPECT_EQ(stale_output().check(e, policy).at(0).effect, Effect::kReview);
}

}  // namespace
}  // namespace kernel_audit::eval::guards
