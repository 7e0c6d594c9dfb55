// Rules over single operator calls, on hand-made evidence: two calls, of which each test spoils one.
#include <gtest/gtest.h>

#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

OperatorCall call(int position, const std::string& op, double flops) {
  OperatorCall result;
  result.position = position;
  result.op = op;
  result.module = "layers." + std::to_string(position);
  result.module_type = "Layer";
  result.kind = call_kind::kCompute;
  result.flops = flops;
  result.bytes_read = result.bytes_written = 1024;
  result.verdict = call_verdict::kNeeded;
  result.draws_tried = 2;
  return result;
}

TaskEvidence with_calls() {
  TaskEvidence evidence = sound_evidence();
  evidence.calls = {call(0, "aten::linear", 900), call(1, "aten::clamp", 100)};
  MutationEvidence& mutation = evidence.mutation.emplace();
  mutation.mutants = 12;
  mutation.noticed = mutation.noticed_exact = 12;
  mutation.score = mutation.score_exact = 1.0;
  evidence.usage.emplace();
  CostEvidence& cost = evidence.cost.emplace();
  cost.flops = 1000;
  cost.bytes = 4096;
  cost.eager_ms = 1.0;
  cost.compile_ms = 0.8;
  cost.roofline_ms = 0.5;
  cost.eager_over_roofline = 2;
  return evidence;
}

void spoil(OperatorCall& target, const char* verdict, const std::string& why, bool exact) {
  target.verdict = verdict;
  target.why = why;
  target.exact = exact;
}

TEST(OperatorRules, SoundCallsAreFine) {
  for (const Rule& rule : {dead_computation_rule(), redundant_operation_rule(), unused_input_rule(),
                           inefficient_baseline_rule(), low_mutation_score_rule()}) {
    EXPECT_TRUE(rule.check(with_calls(), default_policy()).empty()) << rule.info.slug;
    EXPECT_TRUE(rule.check(sound_evidence(), default_policy()).empty()) << rule.info.slug << ": not asked for";
  }
}

TEST(DeadComputation, IsNamedAndWeighed) {
  TaskEvidence evidence = with_calls();
  spoil(evidence.calls[1], call_verdict::kDead, "never used", true);
  auto findings = dead_computation_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("call 1 aten::clamp (layers.1, Layer)"), std::string::npos) << findings[0].message;
  EXPECT_NE(findings[0].message.find("10 % of the reference's FLOP"), std::string::npos) << findings[0].message;
  spoil(evidence.calls[0], call_verdict::kDead, "swallowed", true);
  findings = dead_computation_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
}

TEST(DeadComputation, WithinTheToleranceIsForReview) {
  TaskEvidence evidence = with_calls();
  spoil(evidence.calls[0], call_verdict::kDead, "swallowed", false);
  EXPECT_EQ(dead_computation_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
}

TEST(DeadComputation, WithoutFormulasBytesAreWeighed) {
  TaskEvidence evidence = with_calls();
  evidence.calls[0].flops.reset();
  spoil(evidence.calls[1], call_verdict::kDead, "never used", true);
  const auto findings = dead_computation_rule().check(evidence, default_policy());
  EXPECT_NE(findings.at(0).message.find("50 % of the reference's bytes"), std::string::npos) << findings[0].message;
}

TEST(DeadComputation, ALayerThatMayDrawRandomNumbersIsWorkToo) {
  TaskEvidence evidence = with_calls();
  evidence.calls[0].kind = call_kind::kRandom;
  spoil(evidence.calls[1], call_verdict::kDead, "never used", true);
  const auto findings = dead_computation_rule().check(evidence, default_policy());
  EXPECT_EQ(findings.at(0).effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("10 % of the reference's FLOP"), std::string::npos) << findings[0].message;
}

TEST(DeadComputation, CopiesAloneAreANote) {
  TaskEvidence evidence = with_calls();
  evidence.calls[1].kind = call_kind::kCopy;
  spoil(evidence.calls[1], call_verdict::kDead, "never used", true);
  EXPECT_EQ(dead_computation_rule().check(evidence, default_policy()).at(0).effect, Effect::kNote);
}

TEST(RedundantOperation, IsToldApartFromDead) {
  TaskEvidence evidence = with_calls();
  spoil(evidence.calls[1], call_verdict::kRedundant, "identity", true);
  const auto findings = redundant_operation_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("returns its argument unchanged"), std::string::npos);
  EXPECT_TRUE(dead_computation_rule().check(evidence, default_policy()).empty());
  evidence.calls.erase(evidence.calls.begin());
  EXPECT_EQ(redundant_operation_rule().check(evidence, default_policy()).at(0).effect, Effect::kDrop);
  evidence.calls[0].exact = false;
  EXPECT_EQ(redundant_operation_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
}

TEST(RedundantOperation, TinyOffsetsAreGuards) {
  TaskEvidence evidence = with_calls();
  const auto effects = [&](double offset, const char* why) {
    evidence.calls[1].offset = offset;
    evidence.calls[1].why = why;
    return redundant_operation_rule().check(evidence, default_policy()).size();
  };
  for (const bool exact : {true, false}) {
    spoil(evidence.calls[1], call_verdict::kRedundant, "identity", exact);
    EXPECT_EQ(effects(1e-12, "identity"), 0u);
    EXPECT_EQ(effects(1e-3, "identity"), 0u);
    EXPECT_EQ(effects(1.1e-3, "identity"), 1u);
    EXPECT_EQ(effects(0, "identity"), 1u);
    EXPECT_EQ(effects(1e-5, "constant result"), 1u);
  }
}

TEST(OperatorRules, ProbeThatDidNotRunIsInconclusive) {
  TaskEvidence evidence = sound_evidence();
  evidence.missing[kMutationProbe] = "no time";
  evidence.missing[kCostProbe] = "no time";
  for (const Rule& rule : {dead_computation_rule(), redundant_operation_rule(), inefficient_baseline_rule()}) {
    EXPECT_EQ(rule.check(evidence, default_policy()).at(0).effect, Effect::kInconclusive) << rule.info.slug;
  }
  evidence.usage.emplace().missing = "an operator escaped";
  EXPECT_EQ(unused_input_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

TEST(UnusedInput, SubmodulesAreForReviewAndIndicesANote) {
  TaskEvidence evidence = with_calls();
  evidence.usage->unused_submodules = {"fc"};
  evidence.usage->unused_parameters = {"fc.weight", "fc.bias"};
  evidence.usage->unused_results = {"3 aten::max_pool2d_with_indices result 1"};
  evidence.usage->unused_buffers = {"steps"};
  const auto findings = unused_input_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_NE(findings[0].message.find("submodule 'fc'"), std::string::npos);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_EQ(findings[1].effect, Effect::kReview);
  EXPECT_EQ(findings[2].effect, Effect::kNote);
  EXPECT_EQ(findings[3].effect, Effect::kNote);
  evidence.usage->unused_results = {"3 aten::lstm.input result 0"};
  EXPECT_EQ(unused_input_rule().check(evidence, default_policy()).at(2).effect, Effect::kReview);
}

std::vector<Finding> with_waste(double spent, double needed) {
  TaskEvidence evidence = with_calls();
  evidence.cost->waste = {{"diagonal-product", 0, "aten::mm", "", spent, needed, "FLOP", "One side is diagonal."}};
  return inefficient_baseline_rule().check(evidence, default_policy());
}

TEST(InefficientBaseline, WasteIsJudgedByItsShareOfTheWhole) {
  EXPECT_EQ(with_waste(950, 1).at(0).effect, Effect::kDrop);
  EXPECT_EQ(with_waste(900, 300).at(0).effect, Effect::kReview);
  EXPECT_EQ(with_waste(200, 0).at(0).effect, Effect::kNote);
  EXPECT_NE(with_waste(950, 1).at(0).message.find("spends 950 FLOP where 1 do"), std::string::npos);
}

TEST(InefficientBaseline, ABroadcastThatMayBeTheOutputIsANote) {
  TaskEvidence evidence = with_calls();
  evidence.cost->waste = {{"materialised-broadcast", 0, "aten::repeat", "", 3000, 10, "bytes", "Written twice."}};
  EXPECT_EQ(inefficient_baseline_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
  evidence.calls[0].output_shapes = {evidence.outputs[0].shape};
  EXPECT_EQ(inefficient_baseline_rule().check(evidence, default_policy()).at(0).effect, Effect::kNote);
}

TEST(InefficientBaseline, CompiledAndRooflineNeedTimeToBeJudged) {
  TaskEvidence evidence = with_calls();
  evidence.cost->compile_ms = 0.2;
  EXPECT_EQ(inefficient_baseline_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
  evidence.cost->eager_ms = 0.09;
  evidence.cost->compile_ms = 0.01;
  EXPECT_TRUE(inefficient_baseline_rule().check(evidence, default_policy()).empty()) << "launches";
  evidence = with_calls();
  evidence.cost->eager_over_roofline = 20;
  EXPECT_TRUE(inefficient_baseline_rule().check(evidence, default_policy()).empty()) << "on a CPU";
  evidence.device = "NVIDIA H200";
  EXPECT_EQ(inefficient_baseline_rule().check(evidence, default_policy()).at(0).effect, Effect::kReview);
  evidence.calls.resize(30, evidence.calls[0]);  // a millisecond for 30 operators is a matter of the host
  EXPECT_TRUE(inefficient_baseline_rule().check(evidence, default_policy()).empty()) << "launches";
}

TEST(LowMutationScore, NeedsEnoughMutants) {
  TaskEvidence evidence = with_calls();
  evidence.mutation->noticed = 5;
  evidence.mutation->score = 5.0 / 12;
  const auto findings = low_mutation_score_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kReview);
  EXPECT_NE(findings[0].message.find("notices 5 (41.67 %)"), std::string::npos) << findings[0].message;
  evidence.mutation->score = 0.5;
  EXPECT_TRUE(low_mutation_score_rule().check(evidence, default_policy()).empty());
  evidence.mutation->score = 0.2;
  evidence.mutation->mutants = 5;
  EXPECT_TRUE(low_mutation_score_rule().check(evidence, default_policy()).empty());
}

}  // namespace
}  // namespace kernel_audit::filters
