// Rules over precision, repetition, time and input distributions, on hand-made evidence.
#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

TaskEvidence with_numerics() {
  TaskEvidence evidence = sound_evidence();
  NumericsEvidence& numerics = evidence.numerics.emplace();
  numerics.fp64_max_error = 1e-6;
  numerics.fp64_rejected = 0;
  numerics.deterministic = true;
  numerics.repeat_max_change = 0;
  numerics.random_forward = numerics.changes_inputs = false;
  numerics.tolerance_over_spread = 1e-3;
  numerics.fastest_forward_ms = 1.0;
  return evidence;
}

TEST(NumericRules, SoundTasksAreFine) {
  for (const Rule& rule : {non_deterministic_rule(), tolerance_wider_than_signal_rule(), too_short_to_measure_rule(),
                           degenerate_inputs_rule(), unsound_numerics_rule()}) {
    EXPECT_TRUE(rule.check(with_numerics(), default_policy()).empty()) << rule.info.slug;
    EXPECT_TRUE(rule.check(sound_evidence(), default_policy()).empty()) << rule.info.slug << ": not asked for";
  }
}

TEST(NonDeterministic, BeyondTheToleranceIsDropped) {
  TaskEvidence evidence = with_numerics();
  evidence.numerics->deterministic = false;
  evidence.numerics->repeat_max_change = 0.5;
  EXPECT_EQ(non_deterministic_rule().check(evidence, default_policy()).at(0).effect, Effect::kDrop);
  evidence.numerics->repeat_max_change = 1e-6;
  EXPECT_EQ(non_deterministic_rule().check(evidence, default_policy()).at(0).effect, Effect::kNote);
  evidence.numerics->repeat_max_change.reset();
  EXPECT_EQ(non_deterministic_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(NonDeterministic, RandomForwardAndWrittenInputsAreForReview) {
  TaskEvidence evidence = with_numerics();
  evidence.numerics->random_forward = evidence.numerics->changes_inputs = true;
  const auto findings = non_deterministic_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 2u);
  for (const Finding& finding : findings) EXPECT_EQ(finding.effect, Effect::kReview);
}

TEST(NonDeterministic, ProbeThatDidNotRunIsInconclusive) {
  TaskEvidence evidence = sound_evidence();
  evidence.missing[kNumericsProbe] = "no time";
  EXPECT_EQ(non_deterministic_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(ToleranceWiderThanSignal, AtTheLimitIsForReview) {
  TaskEvidence evidence = with_numerics();
  evidence.numerics->tolerance_over_spread = 0.99;
  EXPECT_TRUE(tolerance_wider_than_signal_rule().check(evidence, default_policy()).empty());
  evidence.numerics->tolerance_over_spread = 1.0;
  EXPECT_EQ(tolerance_wider_than_signal_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
}

TEST(TooShortToMeasure, SaysHowShort) {
  TaskEvidence evidence = with_numerics();
  evidence.numerics->fastest_forward_ms = 0.005;
  const auto findings = too_short_to_measure_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("took 5 µs, below 20 µs"), std::string::npos) << findings[0].message;
  evidence.numerics->fastest_forward_ms.reset();
  EXPECT_EQ(too_short_to_measure_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(DegenerateInputs, NamesPropertyEffectsAndRepairOnce) {
  TaskEvidence evidence = with_numerics();
  evidence.input_properties = {
      {"non-negative", "call 0 aten::relu is the identity", "randn", "draw the inputs from randn"},
      {"non-negative", "the answer 'input 0' is accepted", "randn", "draw the inputs from randn"},
      {"small scale", "the answer 'zeros' is accepted", "scaled", "multiply the inputs by 8"}};
  const auto findings = degenerate_inputs_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("identity; the answer 'input 0' is accepted"), std::string::npos);
  EXPECT_NE(findings[0].message.find("Proposed repair: draw the inputs from randn."), std::string::npos);
  evidence.missing[kDistributionProbe] = "no time";
  EXPECT_EQ(degenerate_inputs_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(UnsoundNumerics, NanAndRefusedElementsAreForReview) {
  TaskEvidence evidence = with_numerics();
  evidence.outputs[0].nan_count = 3;
  evidence.numerics->fp64_rejected = 7;
  const auto findings = unsound_numerics_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_NE(findings[0].message.find("3 NaN"), std::string::npos);
  EXPECT_NE(findings[1].message.find("refuses 7 elements"), std::string::npos);
  for (const Finding& finding : findings) EXPECT_EQ(finding.effect, Effect::kReview);
}

}  // namespace
}  // namespace kernel_audit::filters
