// The preset "metr": its three criteria, at their limits.
#include <gtest/gtest.h>

#include "filters/engine.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<std::string> found(double near_zero, double near_mean, double near_previous, double elements = 512,
                               const char* preset = "metr") {
  TaskEvidence evidence = sound_evidence();
  evidence.extra["shares"] = Json::array({{{"output", "output"},
                                           {"elements", elements},
                                           {"near_zero", near_zero},
                                           {"near_mean", near_mean},
                                           {"near_previous", near_previous}}});
  std::vector<std::string> codes;
  for (const Finding& finding : judge(evidence, find_preset(preset)->policy)) {
    codes.push_back(finding.code + " " + to_string(finding.effect));
  }
  return codes;
}

using Codes = std::vector<std::string>;

TEST(Metr, LimitsAreExclusive) {
  EXPECT_EQ(found(0.7, 0.7, 0.95), Codes());
  EXPECT_EQ(found(0.71, 0, 0), Codes({"KA001 drop"}));
  EXPECT_EQ(found(0, 0.71, 0), Codes({"KA003 drop"}));
  EXPECT_EQ(found(0, 0, 0.951), Codes({"KA002 drop"}));
}

TEST(Metr, SmallOutputsAreNotUniform) {
  EXPECT_EQ(found(0, 1, 0, 100), Codes());
  EXPECT_EQ(found(0, 1, 0, 101), Codes({"KA003 drop"}));
}

TEST(Metr, OneSoundOutputIsEnough) {
  TaskEvidence evidence = sound_evidence();
  const Json degenerate = {{"elements", 512}, {"near_zero", 1}, {"near_mean", 1}, {"near_previous", 1}};
  const Json sound = {{"elements", 512}, {"near_zero", 0.1}, {"near_mean", 0.1}, {"near_previous", 0}};
  evidence.extra["shares"] = Json::array({degenerate, sound});
  EXPECT_TRUE(judge(evidence, find_preset("metr")->policy).empty());
}

TEST(Metr, WhatWasNotMeasuredIsInconclusive) {
  const auto findings = judge(sound_evidence(), find_preset("metr")->policy);
  ASSERT_EQ(findings.size(), 3u);
  for (const Finding& finding : findings) EXPECT_EQ(finding.effect, Effect::kInconclusive);
}

TEST(Shares, AreForReviewByDefaultWhereNothingElseIsSaid) {
  const auto by_default = [](double zero, double mean, double previous, double elements = 512) {
    return found(zero, mean, previous, elements, "default");
  };
  EXPECT_EQ(by_default(0.7, 0.7, 0.95), Codes());
  EXPECT_EQ(by_default(0.71, 0, 0), Codes({"KA001 review"}));
  EXPECT_EQ(by_default(0, 0.71, 0), Codes({"KA003 review"}));
  EXPECT_EQ(by_default(0, 0.71, 0, 100), Codes());
  EXPECT_EQ(by_default(0, 0, 0.951), Codes({"KA002 review"}));
  EXPECT_EQ(found(1, 1, 1, 512, "robust-kbench"), Codes()) << "published definitions know no shares";
}

TEST(Metr, IsDefinedForThreeSeeds) { EXPECT_EQ(find_preset("metr")->seeds, 3); }

}  // namespace
}  // namespace kernel_audit::filters
