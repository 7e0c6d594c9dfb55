#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard subclass_output();

namespace {

TEST(SubclassOutput, AnyIsReviewAndNoneIsNothing) {
  EvalEvidence e = honest_evidence();
  EXPECT_TRUE(subclass_output().check(e, Policy{}).empty());
  e.subclass_outputs = 2;
  const std::vector<Finding> findings = subclass_output().check(e, Policy{});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_EQ(findings[0].origin, Origin::kCandidateProcess);
}

}  // namespace
}  // namespace kernel_audit::eval::guards
