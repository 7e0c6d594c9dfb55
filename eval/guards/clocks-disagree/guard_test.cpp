#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard clocks_disagree();

namespace {

std::vector<Finding> run(const EvalEvidence& e) { return clocks_disagree().check(e, Policy{}); }

// Claims of all calls: event, sync, host in nanoseconds.
EvalEvidence claims(CallTimes candidate, CallTimes baseline, double proven_ns) {
  EvalEvidence e = honest_evidence(proven_ns, 4e6);
  for (ClaimedCall& call : e.claimed) call.times = candidate;
  for (ClaimedCall& call : e.claimed_baseline) call.times = baseline;
  derive_times(e);
  return e;
}

const CallTimes kHonestBaseline = {4e6, 4.02e6, 30e3};

TEST(ClocksDisagree, EventsThatMissMostOfTheWorkAreACheat) {
  // The figures of a matrix product on a side stream.
  const auto findings = run(claims({54e3, 2.761e6, 60e3}, kHonestBaseline, 2.76e6));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].effect, Effect::kCheat);
  for (const char* id : {"event_time", "sync_time", "host_time", "proven_time"}) {
    EXPECT_TRUE(std::any_of(findings[0].evidence.begin(), findings[0].evidence.end(), [id](const Metric& metric) {
      return metric.id == id;
    })) << id;
  }
}

TEST(ClocksDisagree, SmallerDisagreementIsReviewAndLaunchOverheadIsNothing) {
  const auto review = run(claims({1.4e6, 2e6, 30e3}, kHonestBaseline, 2e6));
  ASSERT_FALSE(review.empty());
  EXPECT_EQ(review[0].effect, Effect::kReview);
  // Host-bound: 8 µs of device time in a call of 40 µs.
  EXPECT_TRUE(run(claims({8e3, 40e3, 30e3}, {15e3, 45e3, 30e3}, 2e6)).empty() ||
              run(claims({8e3, 40e3, 30e3}, {15e3, 45e3, 30e3}, 2e6))[0].effect != Effect::kCheat);
  EXPECT_TRUE(run(claims({1.97e6, 2e6, 30e3}, kHonestBaseline, 2e6)).empty());
}

TEST(ClocksDisagree, TheSwitchOfContextsIsNotHiddenWork) {
  // Measured on an H200: 23 µs of kernels, 166 µs up to the sync, a null worker of 0.48 ms.
  EvalEvidence e = honest_evidence(31e3, 137e3);
  e.device = "cuda";
  for (ClaimedCall& call : e.claimed) call.times = {22.7e3, 166.1e3, 157.5e3};
  for (ClaimedCall& call : e.claimed_baseline) call.times = {130e3, 170e3, 160e3};
  derive_times(e);
  for (const Finding& finding : run(e)) EXPECT_EQ(finding.effect, Effect::kNote) << finding.message;
}

TEST(ClocksDisagree, WhatTheBaselineShowsAlikeIsANote) {
  const auto findings = run(claims({54e3, 2.76e6, 60e3}, {100e3, 4e6, 60e3}, 2.76e6));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].effect, Effect::kNote);
}

TEST(ClocksDisagree, ASyncFarBelowTheProvenTimeIsReview) {
  const auto findings = run(claims({10e3, 12e3, 11e3}, kHonestBaseline, 3e6));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("far less time"), std::string::npos);
}

TEST(ClocksDisagree, ALargerMeasuredRatioIsSaidBesideTheProvenOne) {
  const auto findings = run(claims({1e6, 1.02e6, 1e6}, kHonestBaseline, 1.9e6));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kNote);
  EXPECT_NE(findings[0].message.find("Measured 4×, proven 2.11×"), std::string::npos) << findings[0].message;
  EXPECT_TRUE(run(claims({2e6, 2.02e6, 2e6}, kHonestBaseline, 2e6)).empty());
}

}  // namespace
}  // namespace kernel_audit::eval::guards
