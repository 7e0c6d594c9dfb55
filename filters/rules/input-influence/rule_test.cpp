#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<Finding> run(const std::vector<Influence>& more, const Policy& policy) {
  TaskEvidence evidence = sound_evidence();
  evidence.influences.insert(evidence.influences.end(), more.begin(), more.end());
  return input_influence_rule().check(evidence, policy);
}

TEST(InputInfluence, SoundTaskIsFine) {
  EXPECT_TRUE(run({}, default_policy()).empty());
  EXPECT_TRUE(run({}, published_policy()).empty());
}

TEST(InputInfluence, DeadInputIsDropped) {
  const auto findings =
      run({influence("input", "1", "resample", 0.0), influence("input", "1", "scale", 1e-4)}, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
  EXPECT_NE(findings[0].message.find("input '1' alone (resample, scale)"), std::string::npos);
  EXPECT_TRUE(run({influence("input", "1", "resample", 0.0)}, published_policy()).empty());
}

TEST(InputInfluence, OneVariationThatMovesTheOutputIsEnough) {
  EXPECT_TRUE(run({influence("input", "1", "shift", 0.0), influence("input", "1", "resample", 2e-4)}, default_policy())
                  .empty());
}

TEST(InputInfluence, DeadParameterIsForReviewDeadBufferIsANote) {
  const auto findings =
      run({influence("parameter", "bias", "resample", 0.0), influence("buffer", "running_mean", "shift", 0.0)},
          default_policy());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_EQ(findings[1].effect, Effect::kNote);
}

TEST(InputInfluence, DeadParametersAreReportedTogether) {
  const auto findings = run(
      {influence("parameter", "a", "resample", 0.0), influence("parameter", "b", "resample", 1e-5)}, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("parameters 'a', 'b'"), std::string::npos) << findings[0].message;
}

TEST(InputInfluence, WhereNoInputMattersNoneIsNamed) {
  TaskEvidence evidence = sound_evidence();
  evidence.influences[0].seed_std_max = 0.0;
  evidence.influences[1].max_change = 0.0;
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).size(), 1u);
}

TEST(InputInfluence, AllInputsTogether) {
  TaskEvidence evidence = sound_evidence();
  evidence.influences[0].seed_std_max = 0.0;
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).at(0).effect, Effect::kDrop);
  evidence.influences[0].seed_std_max = 0.007;  // below 1 % of 0.8
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
  EXPECT_EQ(input_influence_rule().check(evidence, published_policy()).at(0).effect, Effect::kDrop);
  evidence.influences[0].seed_std_max = 0.0101;
  EXPECT_TRUE(input_influence_rule().check(evidence, default_policy()).empty());
  EXPECT_TRUE(input_influence_rule().check(evidence, published_policy()).empty());
}

TEST(InputInfluence, WhatWasNotMeasuredIsInconclusive) {
  Influence opaque = influence("input", "2", "resample", 0.0);
  opaque.max_change.reset();
  opaque.missing = "it is an opaque object";
  EXPECT_EQ(run({opaque}, default_policy()).at(0).effect, Effect::kInconclusive);

  TaskEvidence evidence = sound_evidence();
  evidence.missing[kParameterInfluence] = "31 forward passes need about 90 s";
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
  evidence.influences.clear();
  evidence.missing = {{kInfluenceProbe, "no time"}};
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
  evidence.missing.clear();
  EXPECT_EQ(input_influence_rule().check(evidence, published_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(InputInfluence, UndefinedSpreadIsNotBelowThePublishedLimit) {
  TaskEvidence evidence = sound_evidence();
  evidence.influences[0].seed_std_max.reset();
  evidence.influences[0].missing = kUndefinedSpread;
  EXPECT_TRUE(input_influence_rule().check(evidence, published_policy()).empty());
  EXPECT_EQ(input_influence_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

}  // namespace
}  // namespace kernel_audit::filters
