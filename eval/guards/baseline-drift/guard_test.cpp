#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard baseline_drift();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return baseline_drift().check(e, Policy{}); }

EvalEvidence with_drift(double factor) {
  EvalEvidence e = honest_evidence();
  for (ProvenWindow& window : e.windows) {
    if (window.party == Party::kBaseline && !window.solo) window.wall_ns *= factor;
  }
  derive_times(e);
  return e;
}

TEST(BaselineDrift, MoreThanTwoPercentIsToldAndTwiceTheTimeIsReview) {
  EXPECT_TRUE(run(with_drift(1.01)).empty());
  ASSERT_EQ(run(with_drift(1.05)).size(), 1u);
  EXPECT_EQ(run(with_drift(1.05))[0].effect, Effect::kNote);
  ASSERT_EQ(run(with_drift(0.9)).size(), 1u);
  ASSERT_EQ(run(with_drift(1.5)).size(), 1u);
  EXPECT_EQ(run(with_drift(1.5))[0].effect, Effect::kNote);
  ASSERT_EQ(run(with_drift(2.5)).size(), 1u);
  EXPECT_EQ(run(with_drift(2.5))[0].effect, Effect::kReview);
}

TEST(BaselineDrift, NoiseIsNotDrift) {
  EvalEvidence e = with_drift(1.05);
  e.baseline_time->interval->low = e.baseline_solo_time->interval->high - 1;
  EXPECT_TRUE(run(e).empty());
}

}  // namespace
}  // namespace kernel_audit::eval::guards
