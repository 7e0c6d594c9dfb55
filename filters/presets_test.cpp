#include "filters/presets.h"

#include <gtest/gtest.h>

#include "filters/rules/rule.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {
namespace {

std::string refused(const std::string& assignment) {
  std::map<std::string, double> thresholds;
  const Status status = set_threshold(assignment, thresholds);
  EXPECT_FALSE(status.ok()) << assignment;
  EXPECT_TRUE(thresholds.empty());
  return status.ok() ? "" : status.error().message;
}

TEST(SetThreshold, TakesEveryKnownIdWithOrWithoutItsPrefix) {
  for (const Preset& preset : presets()) {
    for (const Threshold& known : preset.thresholds) {
      std::map<std::string, double> thresholds;
      const std::string value = std::to_string(known.maximum.value_or(known.value));
      EXPECT_TRUE(set_threshold(known.id + "=" + value, thresholds).ok()) << known.id;
      EXPECT_TRUE(set_threshold(known.id.substr(8) + "=" + value, thresholds).ok()) << known.id;
      EXPECT_EQ(thresholds.size(), 1u);
    }
  }
}

TEST(SetThreshold, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(refused("seed-std.absolute").find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(refused("=1").find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(refused("seed-std.absolute=much").find("no number"), std::string::npos);
  EXPECT_NE(refused("seed-std.absolute=1x").find("no number"), std::string::npos);
  EXPECT_NE(refused("seed-std.absolute=inf").find("no number"), std::string::npos);
  EXPECT_NE(refused("seed-std.absolut=1").find("names no threshold"), std::string::npos);
  EXPECT_NE(refused("seed-std.absolute=-1").find("out of range"), std::string::npos);
  EXPECT_NE(refused("seed-std.enabled=2").find("neither on nor off"), std::string::npos);
}

TEST(SetThreshold, SwitchesRulesOff) {
  Policy policy;
  EXPECT_TRUE(rule_enabled(policy, "seed-std"));
  ASSERT_TRUE(set_threshold("seed-std.enabled=0", policy.thresholds).ok());
  EXPECT_FALSE(rule_enabled(policy, "seed-std"));
  apply_preset(*find_preset("default"), policy);
  EXPECT_FALSE(rule_enabled(policy, "seed-std"));
}

TEST(Preset, PublishedOnesJudgeByTheirOwnRulesAlone) {
  const Policy policy = find_preset("robust-kbench")->policy;
  int enabled = 0;
  for (const Rule& rule : registry()) enabled += rule_enabled(policy, rule.info.slug);
  EXPECT_EQ(enabled, 4);
  for (const Rule& rule : registry()) EXPECT_TRUE(rule_enabled(find_preset("default")->policy, rule.info.slug));
}

TEST(Tolerance, IsThatOfTheBenchmark) {
  EXPECT_EQ(benchmark_tolerance("kernelbench", "float32")->atol, 1e-4);
  EXPECT_EQ(benchmark_tolerance("kernelbench", "float16")->rtol, 1e-2);
  EXPECT_EQ(benchmark_tolerance("kernelbench-v0", "float32")->atol, 1e-2);
  EXPECT_EQ(benchmark_tolerance("robust-kbench", "float32")->atol, 1e-5);
  EXPECT_FALSE(benchmark_tolerance("hearsay", "float32").ok());
}

}  // namespace
}  // namespace kernel_audit::filters
