// What comments, selection and baseline set aside, and what that does to the verdict.
#include "analysis/allow/allow.h"

#include <gtest/gtest.h>

namespace kernel_audit::analysis {
namespace {

Finding finding_at(int line, const std::string& code, Effect effect = Effect::kReview, int end_line = 0) {
  Finding finding;
  finding.code = code;
  finding.slug = "slug-of-" + code.substr(2);
  finding.effect = effect;
  finding.message = code + " here.";
  finding.span = {
      "a.py", std::int64_t{10} * line, std::int64_t{10} * line + 5, line, 1, end_line == 0 ? line : end_line, 6};
  return finding;
}

facts::Directive directive_at(int line, const std::string& text) {
  return {text, {"a.py", 10 * line + 6, 10 * line + 9, line, 7, line, 10}, line};
}

Verdict verdict_of(const AnalysisResult& result) { return lint_verdict(summarize(result)); }

TEST(Allow, NeedsRuleAndReason) {
  const auto good = parse_allow("allow KA301, KA302 - the stream is joined by the caller");
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->codes, (std::vector<std::string>{"KA301", "KA302"}));
  EXPECT_EQ(good->reason, "the stream is joined by the caller");
  EXPECT_EQ(parse_allow("allow KA301: because")->reason, "because");
  EXPECT_EQ(parse_allow("allow KA301").error().message, "gives no reason");
  EXPECT_EQ(parse_allow("allow KA301 --").error().message, "gives no reason");
  EXPECT_EQ(parse_allow("allow because").error().message, "names no rule: \"because\" is no code and no slug");
  EXPECT_EQ(parse_allow("allow").error().message, "names no rule");
  EXPECT_EQ(parse_allow("ignore KA301 because").error().message, "does not say `allow`");
  EXPECT_EQ(parse_allow("").error().message, "does not say `allow`");
}

TEST(Allow, NamesRulesInAnyCaseAndBySlug) {
  EXPECT_EQ(parse_allow("allow ka301, Ka302 joined")->codes, (std::vector<std::string>{"KA301", "KA302"}));
  const auto slugs = parse_allow("allow side-stream, Result-Cache: joined");
  EXPECT_EQ(slugs->codes, (std::vector<std::string>{"KA301", "KA201"}));
  EXPECT_EQ(slugs->reason, "joined");
  const auto reason = parse_allow("allow KA301 side-stream is joined");
  EXPECT_EQ(reason->codes, (std::vector<std::string>{"KA301"}));
  EXPECT_EQ(reason->reason, "side-stream is joined");
  EXPECT_FALSE(parse_allow("allow no-such-rule because").ok());
  EXPECT_EQ(parse_allow("Allow KA301 joined")->reason, "joined");
  EXPECT_EQ(parse_allow("allow: KA301 , ka302 joined")->codes, (std::vector<std::string>{"KA301", "KA302"}));
}

TEST(Allow, ARuleThatThereIsNotIsNamed) {
  const auto wrong = [](const std::string& directive) { return parse_allow(directive).error().message; };
  EXPECT_EQ(wrong("allow KA777 because"), "names KA777, which is no rule of lint");
  EXPECT_EQ(wrong("allow ka777"), "names KA777, which is no rule of lint");
  EXPECT_EQ(wrong("allow KA301, KA30 because"), "names KA30, which is no rule of lint");
  EXPECT_EQ(wrong("allow KA851 because"), "names KA851, which is no rule of lint") << "a rule of eval";
  EXPECT_TRUE(parse_allow("allow KA301 KA-like words may stand in a reason").ok());
}

TEST(Allow, SetsAsideOnItsLineAndSaysWhy) {
  AnalysisResult result;
  result.findings = {finding_at(3, "KA104"), finding_at(4, "KA104"), finding_at(5, "KA301", Effect::kCheat, 8)};
  result.directives = {directive_at(3, "allow KA104 it is what is timed"), directive_at(8, "allow KA301 joined")};
  const auto aside = set_aside(result, {});
  ASSERT_EQ(aside.size(), 2U);
  EXPECT_EQ(aside[0].by, "inline");
  EXPECT_EQ(aside[0].reason, "it is what is timed");
  EXPECT_EQ(aside[0].place.line, 3);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].span.line, 4);
  EXPECT_EQ(verdict_of(result), Verdict::kReview);
}

TEST(Allow, WithoutReasonNothingIsSetAside) {
  AnalysisResult result;
  result.findings = {finding_at(3, "KA104", Effect::kCheat)};
  result.directives = {directive_at(3, "allow KA104")};
  EXPECT_TRUE(set_aside(result, {}).empty());
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[1].code, "KA991");
  EXPECT_EQ(result.findings[1].message,
            "The comment \"kernel-audit: allow KA104\" gives no reason, so it allows nothing.");
  EXPECT_EQ(verdict_of(result), Verdict::kCheat);
}

TEST(Allow, UnusedOnesAreReported) {
  AnalysisResult result;
  result.has_witness = true;
  result.findings = {finding_at(3, "KA104", Effect::kNote)};
  result.directives = {directive_at(3, "allow KA104, KA301 because"), directive_at(9, "allow KA104 because")};
  EXPECT_EQ(set_aside(result, {}).size(), 1U);
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].message, "The comment allows KA301 on line 3, where nothing of that code is found.");
  EXPECT_EQ(result.findings[1].code, "KA992");
  EXPECT_EQ(verdict_of(result), Verdict::kClean);
}

TEST(Allow, WhatIsSetAsideNoLongerHidesAWitness) {
  AnalysisResult result;
  result.findings = {finding_at(3, "KA104")};
  result.directives = {directive_at(3, "allow KA104 because")};
  set_aside(result, {});
  EXPECT_EQ(verdict_of(result), Verdict::kClean);
  AnalysisResult opaque;
  opaque.opaque = true;
  opaque.findings = {finding_at(3, "KA104")};
  opaque.directives = result.directives;
  set_aside(opaque, {});
  EXPECT_EQ(verdict_of(opaque), Verdict::kInconclusive) << "no comment reads a source that could not be read";
  AnalysisResult nothing;
  set_aside(nothing, {});
  EXPECT_EQ(verdict_of(nothing), Verdict::kInconclusive) << "a witness is not made of nothing";
}

TEST(Allow, SelectionByCodePrefixAndSlug) {
  const auto left = [](const SetAside& options) {
    AnalysisResult result;
    result.findings = {finding_at(1, "KA104"), finding_at(2, "KA301", Effect::kInconclusive), finding_at(3, "KA302")};
    set_aside(result, options);
    std::string codes;
    for (const Finding& finding : result.findings) codes += finding.code.substr(2) + " ";
    return codes;
  };
  EXPECT_EQ(left({}), "104 301 302 ");
  EXPECT_EQ(left({{"KA3"}, {}, {}}), "301 302 ");
  EXPECT_EQ(left({{"KA3"}, {"KA302"}, {}}), "301 ");
  EXPECT_EQ(left({{}, {"slug-of-104"}, {}}), "301 302 ");
  EXPECT_EQ(left({{"KA999"}, {}, {}}), "");
}

TEST(Allow, BaselineIsAskedLast) {
  AnalysisResult result;
  result.findings = {finding_at(1, "KA104"), finding_at(2, "KA301"), finding_at(3, "KA301")};
  result.directives = {directive_at(2, "allow KA301 because")};
  int asked = 0;
  const auto aside = set_aside(result, {{}, {"KA104"}, [&](const Finding& finding) {
                                          ++asked;
                                          return finding.span.line == 3;
                                        }});
  EXPECT_EQ(asked, 1);
  ASSERT_EQ(aside.size(), 3U);
  EXPECT_EQ(aside[2].by, "baseline");
  EXPECT_TRUE(result.findings.empty());
}

}  // namespace
}  // namespace kernel_audit::analysis
