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

// Evidence with something in every part that the operator and numerics probes fill.
TaskEvidence full_evidence() {
  TaskEvidence evidence = sound_evidence();
  evidence.seed_limit = 100;
  evidence.seeds_stopped = "no verdict is near its threshold";
  evidence.trivial_answers[0].kind = "zeros";
  OperatorCall call;
  call.position = 3;
  call.op = "aten::softmax.int";
  call.module = "encoder.layers.3.norm1";
  call.module_type = "LayerNorm";
  call.kind = call_kind::kCompute;
  call.input_shapes = {{2, 3}, {}};
  call.output_shapes = {{2, 3}};
  call.dtype = "float32";
  call.bytes_read = 24;
  call.verdict = call_verdict::kRedundant;
  call.why = "identity";
  call.exact = true;
  call.draws_tried = 2;
  call.unused_results = {1};
  call.mutants.push_back({"noise", 0.1, "axis 1", false, true, true, false, 0.5, ""});
  call.mutants.push_back({"zero", {}, "", true, false, {}, {}, {}, "no time"});
  evidence.calls = {call};
  evidence.mutation = MutationEvidence{0.5, std::nullopt, 4, 2, 3, 1, 2, false, "a thread"};
  evidence.cost.emplace();
  evidence.cost->flops = 12;
  evidence.cost->peaks.device = "H200";
  evidence.cost->no_formula = {"aten::sort"};
  evidence.cost->missing["compile_ms"] = "not asked for";
  evidence.cost->waste.push_back({"diagonal-product", 3, "aten::matmul", "fc", 100, 10, "FLOP", "It is diagonal."});
  evidence.numerics.emplace();
  evidence.numerics->fp64_rejected = 7;
  evidence.numerics->deterministic = false;
  evidence.numerics->peak_device_bytes = 1 << 20;
  evidence.numerics->missing["repeat_max_change"] = "no time";
  evidence.usage = UsageEvidence{{"1"}, {"fc.weight"}, {"mean"}, {"fc"}, {"12 aten::max.dim result 1"}, "none"};
  evidence.inputs.push_back({"0", "float32", {2, 3}, 0.0, 1.0, 0.5, std::nullopt, {"non-negative"}});
  DistributionResult distribution;
  distribution.name = "randn";
  distribution.inputs = {"drawn"};
  distribution.spread_max = 1;
  distribution.accepted_answers = {"zeros"};
  distribution.still_unnoticed = {3};
  distribution.noticed = {4};
  evidence.distributions = {distribution};
  evidence.input_properties.push_back({"non-negative", "call 1 is the identity", "randn", "draw from randn"});
  return evidence;
}

TEST(Evidence, EveryPartSurvivesJson) {
  const TaskEvidence evidence = full_evidence();
  const Json json = Json::parse(Json(evidence).dump());
  const auto read = read_json<TaskEvidence>(json, "evidence");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(Json(*read), json);
  ASSERT_EQ(read->calls.size(), 1u);
  EXPECT_FALSE(read->calls[0].flops.has_value());
  EXPECT_EQ(read->calls[0].mutants[0].noticed_exact, std::optional<bool>(false));
  EXPECT_FALSE(read->calls[0].mutants[1].noticed.has_value());
  EXPECT_FALSE(read->mutation->score_exact.has_value());
  EXPECT_FALSE(read->numerics->repeat_max_change.has_value());
  EXPECT_EQ(read->cost->waste[0].needed, 10);
}

TEST(Evidence, PartsThatWereNotMeasuredStayAbsent) {
  const auto read = read_json<TaskEvidence>(Json(sound_evidence()), "evidence");
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->mutation.has_value());
  EXPECT_FALSE(read->cost.has_value());
  EXPECT_FALSE(read->numerics.has_value());
  EXPECT_FALSE(read->usage.has_value());
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
