#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard work_after_return();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return work_after_return().check(e, Policy{}); }

void probe(EvalEvidence& e, Party party, bool idle) {
  for (ProvenWindow& window : e.windows) {
    if (window.party != party) continue;
    window.gap_checked = true;
    window.device_idle = idle;
  }
}

TEST(WorkAfterReturn, ADeviceBusyBehindAFrozenCandidateIsReview) {
  EvalEvidence e = honest_evidence();
  probe(e, Party::kBaseline, true);
  probe(e, Party::kCandidate, false);
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kReview);
}

TEST(WorkAfterReturn, AForeignProcessIsInconclusiveAndAnIdleDeviceIsNothing) {
  EvalEvidence e = honest_evidence();
  probe(e, Party::kNull, false);
  probe(e, Party::kCandidate, false);
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kInconclusive);
  EvalEvidence idle = honest_evidence();
  probe(idle, Party::kCandidate, true);
  EXPECT_TRUE(run(idle).empty());
}

}  // namespace
}  // namespace kernel_audit::eval::guards
