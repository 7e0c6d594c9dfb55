#include "analysis/engine_json.h"

#include <gtest/gtest.h>

namespace kernel_audit::analysis {
namespace {

TEST(EngineJson, ReadsWhatItWrites) {
  AnalysisResult result;
  Finding finding;
  finding.code = "KA301";
  finding.slug = "side-stream";
  finding.effect = Effect::kCheat;
  finding.message = "m";
  finding.span = {"a.py", 1, 2, 1, 2, 1, 3};
  finding.notes.push_back({finding.span, "n"});
  Metric metric;
  metric.id = "share";
  metric.value = 0.5;
  finding.evidence.push_back(metric);
  result.findings = {finding};
  result.witness = {"kernel k"};
  result.opaque = true;
  result.inconclusive = {"why"};
  result.directives = {{"allow KA301 x", finding.span, 7}};
  const Json json = result_to_json(result);
  const auto again = result_from_json(json, "test");
  ASSERT_TRUE(again.ok()) << again.error().describe();
  EXPECT_EQ(result_to_json(*again), json);
  EXPECT_EQ(again->directives[0].line, 7);
}

TEST(EngineJson, RefusesWhatIsOff) {
  const Json good = result_to_json(AnalysisResult{});
  for (const char* field : {"findings", "has_witness", "witness", "opaque", "inconclusive", "directives"}) {
    Json bad = good;
    bad.erase(field);
    EXPECT_FALSE(result_from_json(bad, "test").ok()) << field;
    bad = good;
    bad[field] = 5;
    EXPECT_FALSE(result_from_json(bad, "test").ok()) << field;
  }
  EXPECT_FALSE(result_from_json(Json(), "test").ok());
}

}  // namespace
}  // namespace kernel_audit::analysis
