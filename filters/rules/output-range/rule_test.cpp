#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<Finding> run(double lowest, double highest, double mean, const Policy& policy) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].minimum = lowest;
  evidence.outputs[0].maximum = highest;
  evidence.outputs[0].mean_absolute = mean;
  return output_range_rule().check(evidence, policy);
}

TEST(OutputRange, SoundOutputIsFine) {
  EXPECT_TRUE(output_range_rule().check(sound_evidence(), default_policy()).empty());
  EXPECT_TRUE(output_range_rule().check(sound_evidence(), published_policy()).empty());
}

TEST(OutputRange, WithinToleranceIsDropped) {
  const auto findings = run(-9e-5, 1e-4, 5e-5, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
  EXPECT_EQ(findings[0].code, "KA001");
  EXPECT_FALSE(findings[0].evidence.empty());
}

TEST(OutputRange, NearTheLineIsForReview) {
  ASSERT_EQ(run(-9e-4, 9e-4, 5e-4, default_policy()).size(), 1u);
  EXPECT_EQ(run(-9e-4, 9e-4, 5e-4, default_policy())[0].effect, Effect::kReview);
  EXPECT_EQ(run(0, 0.5, 6e-5, default_policy()).at(0).effect, Effect::kReview);  // tiny mean, one clear winner
}

TEST(OutputRange, NearMissIsFine) { EXPECT_TRUE(run(-1.1e-3, 1.1e-3, 5e-4, default_policy()).empty()); }

TEST(OutputRange, PublishedLimitIsAbsoluteAndOpen) {
  EXPECT_EQ(run(-0.0099, 0.0099, 5e-3, published_policy()).size(), 1u);
  EXPECT_TRUE(run(-0.0099, 0.0101, 5e-3, published_policy()).empty());
  EXPECT_TRUE(run(-static_cast<double>(0.01f), 0.0, 5e-3, published_policy()).empty());
}

TEST(OutputRange, ValuesThatAreNotFinite) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].nan_count = 3;
  EXPECT_EQ(output_range_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
  evidence.outputs[0].minimum = evidence.outputs[0].maximum = 0.0;
  EXPECT_TRUE(output_range_rule().check(evidence, published_policy()).empty());
  evidence.outputs[0].minimum.reset();
  evidence.outputs[0].maximum.reset();
  EXPECT_EQ(output_range_rule().check(evidence, default_policy()).at(0).effect, Effect::kDrop);
}

TEST(OutputRange, OneOfSeveralOutputsIsForReview) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs.push_back(sound_output());
  evidence.outputs[1].minimum = evidence.outputs[1].maximum = 0.0;
  evidence.outputs[1].mean_absolute = 0.0;
  const auto findings = output_range_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
}

TEST(OutputRange, ProbeThatDidNotRunIsInconclusive) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs.clear();
  evidence.missing[kSeedsProbe] = "it would take 900 s";
  const auto findings = output_range_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kInconclusive);
  EXPECT_NE(findings[0].message.find("900 s"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::filters
