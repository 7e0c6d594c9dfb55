#include "filters/engine.h"

#include <gtest/gtest.h>

#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

TEST(Engine, SoundTaskIsKept) {
  const StageSummary summary = summarize(sound_evidence(), default_policy());
  EXPECT_TRUE(summary.ran);
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_EQ(filter_verdict(summary), Verdict::kKeep);
}

TEST(Engine, DegenerateTaskIsDropped) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = 0.0;
  EXPECT_EQ(filter_verdict(summarize(evidence, default_policy())), Verdict::kDrop);
}

TEST(Engine, AProbeThatDidNotRunIsNeverKept) {
  for (const char* probe : {kSeedsProbe, kInfluenceProbe, kParameterInfluence, kTrivialProbe}) {
    TaskEvidence evidence = sound_evidence();
    evidence.missing[probe] = "no time";
    EXPECT_EQ(filter_verdict(summarize(evidence, default_policy())), Verdict::kReview) << probe;
  }
}

TEST(Engine, ATaskThatCouldNotBeMeasuredIsNotRunWithTheNumber) {
  TaskEvidence evidence;
  evidence.missing[kWholeTask] = "the inputs need 17179869184 bytes";
  const StageSummary summary = summarize(evidence, default_policy());
  EXPECT_FALSE(summary.ran);
  EXPECT_NE(summary.reason.find("17179869184"), std::string::npos);
  EXPECT_EQ(filter_verdict(summary), Verdict::kNotRun);
  for (const Metric& metric : metrics(evidence)) {
    EXPECT_FALSE(metric.value.has_value()) << metric.id;
    EXPECT_FALSE(metric.missing_reason.empty()) << metric.id;
  }
}

TEST(Engine, AFaultIsNotRun) {
  const StageSummary summary = summarize_fault({ErrorKind::kMemory, "The process grew over its limit.", "", "", ""});
  EXPECT_EQ(filter_verdict(summary), Verdict::kNotRun);
  EXPECT_FALSE(summary.reason.empty());
}

TEST(Engine, PolicyChangesTheEffect) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = 0.0;
  Policy policy = default_policy();
  policy.effects["KA002"] = Effect::kNote;
  EXPECT_EQ(filter_verdict(summarize(evidence, policy)), Verdict::kKeep);
}

TEST(Engine, APolicyWithoutThresholdsUsesTheDefaultPreset) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = 0.0;
  EXPECT_EQ(filter_verdict(summarize(evidence, Policy{})), Verdict::kDrop);
}

TEST(Engine, MetricsStandForTheWorstOutput) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs.push_back(sound_output());
  evidence.outputs[1].seed_std_max = 0.5;
  for (const Metric& metric : metrics(evidence)) {
    if (metric.id == "seed_std_max") {
      EXPECT_EQ(metric.value, 0.5);
    }
    EXPECT_EQ(metric.value.has_value(), metric.missing_reason.empty()) << metric.id;
  }
}

}  // namespace
}  // namespace kernel_audit::filters
