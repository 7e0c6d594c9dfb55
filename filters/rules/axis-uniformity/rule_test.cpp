#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<Finding> run(std::vector<std::optional<double>> axes, const Policy& policy) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].axis_std_max = std::move(axes);
  return axis_uniformity_rule().check(evidence, policy);
}

TEST(AxisUniformity, SoundOutputIsFine) {
  EXPECT_TRUE(axis_uniformity_rule().check(sound_evidence(), default_policy()).empty());
  EXPECT_TRUE(axis_uniformity_rule().check(sound_evidence(), published_policy()).empty());
}

TEST(AxisUniformity, UniformAxisIsDroppedAndNamed) {
  const auto findings = run({2.0, 1.0, 0.0}, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
  EXPECT_NE(findings[0].message.find("axis 1 (size 32)"), std::string::npos);
}

TEST(AxisUniformity, NearTheLineIsForReview) {
  EXPECT_EQ(run({2.0, 1.0, 0.007}, default_policy()).at(0).effect, Effect::kReview);  // 1 % of 0.8 is 0.008
  EXPECT_TRUE(run({2.0, 1.0, 0.009}, default_policy()).empty());
}

TEST(AxisUniformity, SeedAxisCountsOnlyAsPublished) {
  EXPECT_TRUE(run({0.0, 1.0, 1.0}, default_policy()).empty());  // the business of seed-std
  const auto findings = run({0.0099, 1.0, 1.0}, published_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("seed axis"), std::string::npos);
  EXPECT_TRUE(run({0.0101, 1.0, 1.0}, published_policy()).empty());
}

TEST(AxisUniformity, AxesOfSizeOneAreSkipped) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].shape = {16, 1};
  evidence.outputs[0].axis_std_max = {2.0, 1.0, std::nullopt};
  EXPECT_TRUE(axis_uniformity_rule().check(evidence, default_policy()).empty());
  EXPECT_TRUE(axis_uniformity_rule().check(evidence, published_policy()).empty());
}

TEST(AxisUniformity, UndefinedSpreadIsInconclusive) {
  EXPECT_EQ(run({2.0, 1.0, std::nullopt}, default_policy()).at(0).effect, Effect::kInconclusive);
  EXPECT_TRUE(run({2.0, 1.0, std::nullopt}, published_policy()).empty());
  EXPECT_EQ(run({2.0, 0.0, std::nullopt}, default_policy()).at(0).effect, Effect::kDrop);
}

}  // namespace
}  // namespace kernel_audit::filters
