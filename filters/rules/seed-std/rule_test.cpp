#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<Finding> run(std::optional<double> spread, double scale, const Policy& policy) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = spread;
  evidence.outputs[0].mean_absolute = scale;
  return seed_std_rule().check(evidence, policy);
}

TEST(SeedStd, SoundOutputIsFine) {
  EXPECT_TRUE(seed_std_rule().check(sound_evidence(), default_policy()).empty());
  EXPECT_TRUE(seed_std_rule().check(sound_evidence(), published_policy()).empty());
}

TEST(SeedStd, ConstantIsDropped) {
  EXPECT_EQ(run(0.0, 1.0, default_policy()).at(0).effect, Effect::kDrop);
  EXPECT_EQ(run(0.0, 1.0, published_policy()).at(0).effect, Effect::kDrop);
  EXPECT_EQ(run(1.9e-4, 1.0, default_policy()).at(0).effect, Effect::kDrop);  // atol + rtol * 1
}

TEST(SeedStd, ScaleDecidesNotTheAbsoluteNumber) {
  // 0.005 is small against 2 and large against 0.01; the published limit knows no scale.
  EXPECT_EQ(run(0.005, 2.0, default_policy()).at(0).effect, Effect::kReview);
  EXPECT_TRUE(run(0.005, 0.01, default_policy()).empty());
  EXPECT_EQ(run(0.005, 0.01, published_policy()).size(), 1u);
  // 0.5 around 1000 is a spread of 0.05 %.
  EXPECT_EQ(run(0.5, 1000.0, default_policy()).at(0).effect, Effect::kReview);
  EXPECT_TRUE(run(0.5, 1000.0, published_policy()).empty());
}

TEST(SeedStd, NearMissIsFine) {
  EXPECT_TRUE(run(0.0101, 1.0, default_policy()).empty());
  EXPECT_TRUE(run(0.01, 1.0, published_policy()).empty());  // strictly below
}

TEST(SeedStd, UndefinedSpread) {
  EXPECT_EQ(run(std::nullopt, 1.0, default_policy()).at(0).effect, Effect::kInconclusive);
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = 0.0;
  evidence.outputs[0].seed_std_undefined = 1;
  EXPECT_TRUE(seed_std_rule().check(evidence, published_policy()).empty());
  EXPECT_EQ(seed_std_rule().check(evidence, default_policy()).size(), 1u);
}

TEST(SeedStd, ProbeThatDidNotRunIsInconclusive) {
  TaskEvidence evidence = sound_evidence();
  evidence.missing[kSeedsProbe] = "no time";
  EXPECT_EQ(seed_std_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

}  // namespace
}  // namespace kernel_audit::filters
