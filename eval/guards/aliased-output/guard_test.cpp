#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard aliased_output();

namespace {

std::vector<Finding> run(std::uint32_t candidate, std::uint32_t baseline) {
  EvalEvidence e = honest_evidence();
  e.aliased_outputs = candidate;
  e.baseline_aliased_outputs = baseline;
  return aliased_output().check(e, Policy{});
}

TEST(AliasedOutput, SharedStorageIsReviewUnlessTheReferenceSharesItToo) {
  EXPECT_TRUE(run(0, 0).empty());
  EXPECT_TRUE(run(0, 3).empty());
  ASSERT_EQ(run(3, 0).size(), 1u);
  EXPECT_EQ(run(3, 0)[0].effect, Effect::kReview);
  EXPECT_EQ(run(3, 0)[0].origin, Origin::kCandidateProcess);
  ASSERT_EQ(run(3, 1).size(), 1u);
  EXPECT_EQ(run(3, 1)[0].effect, Effect::kNote);
}

}  // namespace
}  // namespace kernel_audit::eval::guards
