#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard tampered_protocol();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return tampered_protocol().check(e, Policy{}); }

TEST(TamperedProtocol, MalformedMessagesAreInconclusive) {
  EvalEvidence e = honest_evidence();
  e.faults.push_back({Party::kCandidate, "run", "protocol", "A done packet is shorter than its header."});
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kInconclusive);
  e.faults[0].kind = "signal";
  EXPECT_TRUE(run(e).empty());
}

TEST(TamperedProtocol, ImpossibleTimesAreInconclusive) {
  const auto with = [](CallTimes times) {
    EvalEvidence e = honest_evidence();
    e.claimed[3].times = times;
    return run(e);
  };
  EXPECT_EQ(with({-1, 1e6, 2e6}).size(), 1u);     // returned after the sync that followed
  EXPECT_EQ(with({3e6, 1e6, 1e3}).size(), 1u);    // more device time than passed
  EXPECT_EQ(with({-1, 90e6, 1e3}).size(), 1u);    // longer than the referee saw the window last
  EXPECT_TRUE(with({1.02e6, 1e6, 1e3}).empty());  // within the resolution of events
  EvalEvidence dropped = honest_evidence();
  dropped.impossible_claims = 1;
  EXPECT_EQ(run(dropped).size(), 1u);
}

TEST(TamperedProtocol, SubclassesOfTensorsAreReview) {
  EvalEvidence e = honest_evidence();
  e.subclass_outputs = 1;
  ASSERT_EQ(run(e).size(), 1u);
  EXPECT_EQ(run(e)[0].effect, Effect::kReview);
}

}  // namespace
}  // namespace kernel_audit::eval::guards
