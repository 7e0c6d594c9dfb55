#include <gtest/gtest.h>

#include "filters/engine.h"
#include "filters/rules/rules.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

std::vector<Finding> run(const TrivialAnswer& answer, const Policy& policy) {
  TaskEvidence evidence = sound_evidence();
  evidence.trivial_answers.push_back(answer);
  return trivial_answer_accepted_rule().check(evidence, policy);
}

TEST(TrivialAnswerAccepted, SoundTaskIsFine) {
  EXPECT_TRUE(run({"input 1", false, 0, 5, 0.1, ""}, default_policy()).empty());
}

TEST(TrivialAnswerAccepted, AcceptedIsDroppedAndNamed) {
  const auto findings = run({"constant 0.25", true, 5, 5, 3e-5, ""}, default_policy());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
  EXPECT_NE(findings[0].message.find("constant 0.25 (largest error 3e-05)"), std::string::npos);
}

TEST(TrivialAnswerAccepted, OnSomeSeedsIsForReview) {
  EXPECT_EQ(run({"zeros", false, 2, 5, 2e-4, ""}, default_policy()).at(0).effect, Effect::kReview);
}

TEST(TrivialAnswerAccepted, AnswersAreReportedTogether) {
  TaskEvidence evidence = sound_evidence();
  evidence.trivial_answers.push_back({"constant 1", true, 5, 5, 0.0, ""});
  evidence.trivial_answers.push_back({"another seed's output", true, 4, 4, 0.0, ""});
  evidence.trivial_answers.push_back({"input 1", false, 1, 5, 0.1, ""});
  const auto findings = trivial_answer_accepted_rule().check(evidence, default_policy());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_NE(findings[0].message.find("constant 1"), std::string::npos);
  EXPECT_NE(findings[0].message.find("another seed's output"), std::string::npos);
  EXPECT_EQ(findings[0].effect, Effect::kDrop);
  EXPECT_NE(findings[1].message.find("input 1 on 1 of 5 seeds"), std::string::npos);
  EXPECT_EQ(findings[1].effect, Effect::kReview);
}

TEST(TrivialAnswerAccepted, NotPartOfThePublishedFlags) {
  TaskEvidence evidence = sound_evidence();
  evidence.trivial_answers.push_back({"zeros", true, 5, 5, 0.0, ""});
  EXPECT_TRUE(judge(evidence, published_policy()).empty());
  EXPECT_FALSE(judge(evidence, default_policy()).empty());
}

TEST(TrivialAnswerAccepted, ProbeThatDidNotRunIsInconclusive) {
  TaskEvidence evidence = sound_evidence();
  evidence.trivial_answers.clear();
  evidence.missing[kTrivialProbe] = "no time";
  EXPECT_EQ(trivial_answer_accepted_rule().check(evidence, default_policy()).at(0).effect, Effect::kInconclusive);
}

}  // namespace
}  // namespace kernel_audit::filters
