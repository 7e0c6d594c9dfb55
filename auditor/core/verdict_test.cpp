// The verdict table, enumerated: every combination of what stages can say is compared with a second,
// independent reading of the precedence (a ranked list), and the exit code of every pair of verdicts.
#include "auditor/core/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernel_audit {
namespace {

constexpr Verdict kAll[] = {Verdict::kNotRun,       Verdict::kBroken,       Verdict::kWrong,  Verdict::kCheat,
                            Verdict::kInvalidTask,  Verdict::kInconclusive, Verdict::kReview, Verdict::kNoSpeedup,
                            Verdict::kConfirmed,    Verdict::kClean,        Verdict::kKeep,   Verdict::kDrop,
                            Verdict::kNotComparable};
constexpr Effect kEffects[] = {Effect::kNote, Effect::kReview, Effect::kInconclusive,
                               Effect::kDrop, Effect::kCheat,  Effect::kWrong};

Finding with_effect(Effect effect) {
  Finding finding;
  finding.effect = effect;
  finding.message = to_string(effect);
  return finding;
}

StageSummary good_filters() {
  StageSummary stage;
  stage.ran = true;
  return stage;
}
StageSummary good_analysis() {
  StageSummary stage;
  stage.ran = true;
  stage.has_witness = true;
  return stage;
}
StageSummary good_eval(double low = 1.4, double high = 1.6) {
  StageSummary stage;
  stage.ran = true;
  stage.speedup = 1.5;
  stage.speedup_interval = Interval{low, high, 0.95};
  return stage;
}
VerdictInputs good() { return {good_filters(), good_analysis(), good_eval()}; }

TEST(FinalVerdict, ConfirmsOnlyWithEverythingInPlace) {
  EXPECT_EQ(final_verdict(good()), Verdict::kConfirmed);
  EXPECT_EQ(final_verdict({std::nullopt, std::nullopt, good_eval()}), Verdict::kConfirmed);
  EXPECT_EQ(final_verdict({}), Verdict::kNotRun);
  EXPECT_EQ(final_verdict({good_filters(), good_analysis(), std::nullopt}), Verdict::kInconclusive);
  VerdictInputs inputs = good();
  inputs.analysis->has_witness = false;
  EXPECT_EQ(final_verdict(inputs), Verdict::kInconclusive);
  inputs = good();
  inputs.eval->speedup.reset();
  EXPECT_EQ(final_verdict(inputs), Verdict::kInconclusive);
  inputs = good();
  inputs.eval->speedup_interval.reset();
  EXPECT_EQ(final_verdict(inputs), Verdict::kInconclusive);
}

TEST(FinalVerdict, SpeedupIsJudgedByItsWholeInterval) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto verdict = [](double low, double high) {
    return final_verdict({std::nullopt, std::nullopt, good_eval(low, high)});
  };
  EXPECT_EQ(verdict(1.0000001, 1.2), Verdict::kConfirmed);
  EXPECT_EQ(verdict(1.0, 1.2), Verdict::kNoSpeedup);
  EXPECT_EQ(verdict(0.9, 1.2), Verdict::kNoSpeedup);
  EXPECT_EQ(verdict(0.5, 0.6), Verdict::kNoSpeedup);
  EXPECT_EQ(verdict(nan, 1.2), Verdict::kInconclusive);
  EXPECT_EQ(verdict(1.2, nan), Verdict::kInconclusive);
  EXPECT_EQ(verdict(1.2, infinity), Verdict::kInconclusive);
  EXPECT_EQ(verdict(1.3, 1.2), Verdict::kInconclusive);
}

// What one stage can add in the enumeration below.
struct Condition {
  const char* name;
  Verdict verdict;  // what it leads to when nothing ranks above it
  void (*apply)(VerdictInputs&);
  bool of_the_filter = false;  // a filter that did not run yields to what the other stages prove
};

const Condition kConditions[] = {
    {"filters not run", Verdict::kNotRun, [](VerdictInputs& in) { in.filters->ran = false; }, true},
    {"reference crashed", Verdict::kNotRun, [](VerdictInputs& in) { in.filters->broken = true; }, true},
    {"analysis not run", Verdict::kNotRun, [](VerdictInputs& in) { in.analysis->ran = false; }},
    {"eval not run", Verdict::kNotRun, [](VerdictInputs& in) { in.eval->ran = false; }},
    {"candidate crashed", Verdict::kBroken, [](VerdictInputs& in) { in.eval->broken = true; }},
    {"wrong", Verdict::kWrong, [](VerdictInputs& in) { in.eval->findings.push_back(with_effect(Effect::kWrong)); }},
    {"cheat in source", Verdict::kCheat,
     [](VerdictInputs& in) { in.analysis->findings.push_back(with_effect(Effect::kCheat)); }},
    {"cheat at run time", Verdict::kCheat,
     [](VerdictInputs& in) { in.eval->findings.push_back(with_effect(Effect::kCheat)); }},
    {"degenerate task", Verdict::kInvalidTask,
     [](VerdictInputs& in) { in.filters->findings.push_back(with_effect(Effect::kDrop)); }},
    {"not comparable", Verdict::kNotComparable, [](VerdictInputs& in) { in.eval->not_comparable = true; }},
    {"inconclusive finding", Verdict::kInconclusive,
     [](VerdictInputs& in) { in.analysis->findings.push_back(with_effect(Effect::kInconclusive)); }},
    {"extractor crashed", Verdict::kInconclusive, [](VerdictInputs& in) { in.analysis->broken = true; }},
    {"no speedup value", Verdict::kInconclusive, [](VerdictInputs& in) { in.eval->speedup.reset(); }},
    {"review finding", Verdict::kReview,
     [](VerdictInputs& in) { in.filters->findings.push_back(with_effect(Effect::kReview)); }},
    {"interval at 1", Verdict::kNoSpeedup, [](VerdictInputs& in) { in.eval->speedup_interval->low = 1; }},
    {"note", Verdict::kConfirmed, [](VerdictInputs& in) { in.eval->findings.push_back(with_effect(Effect::kNote)); }},
};

// The documented order, written down a second time.
constexpr Verdict kOrder[] = {Verdict::kNotRun,        Verdict::kBroken,       Verdict::kWrong,
                              Verdict::kCheat,         Verdict::kInvalidTask,  Verdict::kNotRun,
                              Verdict::kNotComparable, Verdict::kInconclusive, Verdict::kReview,
                              Verdict::kNoSpeedup,     Verdict::kConfirmed};

TEST(FinalVerdict, FirstOfEveryCombinationOfConditionsApplies) {
  const std::size_t count = std::size(kConditions);
  for (std::size_t mask = 0; mask < (std::size_t{1} << count); ++mask) {
    VerdictInputs inputs = good();
    std::size_t expected = std::size(kOrder) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      if ((mask >> i & 1) == 0) continue;
      kConditions[i].apply(inputs);
      const auto rank = static_cast<std::size_t>(
          std::find(std::begin(kOrder) + kConditions[i].of_the_filter, std::end(kOrder), kConditions[i].verdict) -
          std::begin(kOrder));
      expected = std::min(expected, rank);
    }
    const Decision decision = decide(inputs);
    ASSERT_STREQ(to_string(decision.verdict), to_string(kOrder[expected])) << "mask " << mask;
    ASSERT_FALSE(decision.reason.empty());
  }
}

TEST(FinalVerdict, EveryEffectCountsInEveryStage) {
  for (const Effect effect : kEffects) {
    for (int stage = 0; stage < 3; ++stage) {
      VerdictInputs inputs = good();
      (stage == 0   ? inputs.filters
       : stage == 1 ? inputs.analysis
                    : inputs.eval)
          ->findings.push_back(with_effect(effect));
      const Verdict expected = effect == Effect::kNote           ? Verdict::kConfirmed
                               : effect == Effect::kReview       ? Verdict::kReview
                               : effect == Effect::kInconclusive ? Verdict::kInconclusive
                               : effect == Effect::kDrop         ? Verdict::kInvalidTask
                               : effect == Effect::kCheat        ? Verdict::kCheat
                                                                 : Verdict::kWrong;
      EXPECT_STREQ(to_string(final_verdict(inputs)), to_string(expected)) << to_string(effect) << stage;
    }
  }
}

TEST(FinalVerdict, MissingWitnessBlocksConfirmedButYieldsToReview) {
  VerdictInputs inputs = good();
  inputs.analysis->has_witness = false;
  inputs.analysis->findings.push_back(with_effect(Effect::kReview));
  EXPECT_EQ(final_verdict(inputs), Verdict::kReview);
  inputs.analysis->findings.clear();
  inputs.eval->speedup_interval->low = 0.9;
  EXPECT_EQ(final_verdict(inputs), Verdict::kInconclusive);
}

TEST(FinalVerdict, ReasonIsTheFindingOrTheStagesOwn) {
  VerdictInputs inputs = good();
  inputs.eval->findings.push_back(with_effect(Effect::kWrong));
  inputs.eval->findings.back().message = "Output 0 differs.";
  EXPECT_EQ(decide(inputs).reason, "Output 0 differs.");
  inputs.filters->ran = false;
  inputs.filters->reason = "It needs 16 GiB.";
  EXPECT_EQ(decide(inputs).reason, "Output 0 differs.");
  inputs.eval->findings.clear();
  EXPECT_EQ(decide(inputs).reason, "It needs 16 GiB.");
}

TEST(FilterVerdict, Table) {
  const Verdict expected[] = {Verdict::kKeep, Verdict::kReview, Verdict::kReview,
                              Verdict::kDrop, Verdict::kDrop,   Verdict::kDrop};
  for (std::size_t i = 0; i < std::size(kEffects); ++i) {
    StageSummary stage = good_filters();
    stage.findings.push_back(with_effect(Effect::kNote));
    stage.findings.push_back(with_effect(kEffects[i]));
    EXPECT_EQ(filter_verdict(stage), expected[i]) << to_string(kEffects[i]);
    stage.ran = false;
    EXPECT_EQ(filter_verdict(stage), Verdict::kNotRun);
  }
  StageSummary both = good_filters();
  both.findings = {with_effect(Effect::kReview), with_effect(Effect::kDrop)};
  EXPECT_EQ(filter_verdict(both), Verdict::kDrop);
  StageSummary crashed = good_filters();
  crashed.broken = true;
  EXPECT_EQ(filter_verdict(crashed), Verdict::kNotRun);
}

TEST(LintVerdict, Table) {
  const Verdict expected[] = {Verdict::kClean,  Verdict::kReview, Verdict::kInconclusive,
                              Verdict::kReview, Verdict::kCheat,  Verdict::kCheat};
  for (std::size_t i = 0; i < std::size(kEffects); ++i) {
    StageSummary stage = good_analysis();
    stage.findings.push_back(with_effect(kEffects[i]));
    EXPECT_EQ(lint_verdict(stage), expected[i]) << to_string(kEffects[i]);
  }
  StageSummary stage = good_analysis();
  stage.has_witness = false;
  EXPECT_EQ(lint_verdict(stage), Verdict::kInconclusive);
  stage.findings = {with_effect(Effect::kReview), with_effect(Effect::kInconclusive)};
  EXPECT_EQ(lint_verdict(stage), Verdict::kInconclusive);
  stage.findings.push_back(with_effect(Effect::kCheat));
  EXPECT_EQ(lint_verdict(stage), Verdict::kCheat);
  stage = good_analysis();
  stage.broken = true;
  EXPECT_EQ(lint_verdict(stage), Verdict::kInconclusive);
  stage.ran = false;
  EXPECT_EQ(lint_verdict(stage), Verdict::kNotRun);
}

int alone(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBroken:
    case Verdict::kWrong:
    case Verdict::kCheat:
    case Verdict::kInvalidTask:
    case Verdict::kDrop:
      return 1;
    case Verdict::kInconclusive:
    case Verdict::kNotRun:
    case Verdict::kReview:
    case Verdict::kNotComparable:
      return 3;
    default:
      return 0;
  }
}

TEST(ExitCode, OfEveryPairOfVerdictsAndFlags) {
  for (const Verdict first : kAll) {
    for (const Verdict second : kAll) {
      const bool one = alone(first) == 1 || alone(second) == 1;
      const bool three = alone(first) == 3 || alone(second) == 3;
      EXPECT_EQ(exit_code({false, false, false, {first, second}}), one ? 1 : three ? 3 : 0);
      EXPECT_EQ(exit_code({false, false, true, {first, second}}), 1);
      EXPECT_EQ(exit_code({false, true, true, {first, second}}), 2);
      EXPECT_EQ(exit_code({true, true, true, {first, second}}), 130);
    }
  }
  EXPECT_EQ(exit_code({}), 0);
}

TEST(Verdict, NamesAreUniqueAndGoBothWays) {
  for (const Verdict verdict : kAll) EXPECT_EQ(verdict_from_string(to_string(verdict)), verdict);
  EXPECT_FALSE(verdict_from_string("unknown").has_value());
}

}  // namespace
}  // namespace kernel_audit
