#include "filters/evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "filters/rules/test_support.h"
#include "filters/tolerance.h"

namespace kernel_audit::filters {
namespace {

TEST(Evidence, SurvivesJson) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].axis_std_max.push_back(std::nullopt);
  evidence.missing[kParameterInfluence] = "no time";
  evidence.extra["output_range"] = false;
  const Json json = Json::parse(Json(evidence).dump());
  const auto read = read_json<TaskEvidence>(json, "evidence");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(Json(*read), json);
  EXPECT_EQ(read->outputs[0].axis_std_max, evidence.outputs[0].axis_std_max);
  EXPECT_EQ(read->influences[0].seed_std_max, evidence.influences[0].seed_std_max);
  EXPECT_FALSE(read->influences[0].max_change.has_value());
}

TEST(Evidence, NumbersThatAreNotFiniteBecomeAbsent) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].minimum = std::nan("");
  evidence.outputs[0].maximum = std::numeric_limits<double>::infinity();
  const auto read = read_json<TaskEvidence>(Json(evidence), "evidence");
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->outputs[0].minimum.has_value());
  EXPECT_FALSE(read->outputs[0].maximum.has_value());
}

TEST(Evidence, MalformedJsonIsAnError) {
  Json json = Json(sound_evidence());
  json["outputs"][0].erase("elements");
  EXPECT_FALSE(read_json<TaskEvidence>(json, "evidence").ok());
  json = Json(sound_evidence());
  json["seeds"] = "five";
  EXPECT_FALSE(read_json<TaskEvidence>(json, "evidence").ok());
}

TEST(Tolerance, FollowsTheBenchmark) {
  EXPECT_DOUBLE_EQ(benchmark_tolerance("kernelbench", "float32")->atol, 1e-4);
  EXPECT_DOUBLE_EQ(benchmark_tolerance("kernelbench", "bfloat16")->rtol, 1e-2);
  EXPECT_DOUBLE_EQ(benchmark_tolerance("kernelbench-v0", "float32")->atol, 1e-2);
  EXPECT_FALSE(benchmark_tolerance("unheard-of", "float32").ok());
}

}  // namespace
}  // namespace kernel_audit::filters
