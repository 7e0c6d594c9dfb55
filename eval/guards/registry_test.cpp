#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "eval/guards/evidence_for_test.h"
#include "eval/guards/guard.h"

namespace kernel_audit::eval::guards {
namespace {

std::string_view readme_of(const std::string& slug) {
  for (const EmbeddedText& doc : eval_guard_docs()) {
    if (doc.name == slug + "/README.md") return doc.text;
  }
  return {};
}

TEST(GuardRegistry, EveryGuardIsNamedOnceSortedAndDocumented) {
  std::set<std::string> slugs;
  std::string previous;
  for (const Guard& guard : registry()) {
    const RuleInfo& info = guard.info;
    EXPECT_LT(previous, info.code);
    previous = info.code;
    EXPECT_TRUE(slugs.insert(info.slug).second) << info.slug;
    EXPECT_EQ(info.stage, Stage::kEval);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_EQ(info.summary.back(), '.');
    EXPECT_FALSE(info.catalogue.empty());
    EXPECT_TRUE(std::is_sorted(info.catalogue.begin(), info.catalogue.end())) << info.slug;
    const std::string_view readme = readme_of(info.slug);
    ASSERT_FALSE(readme.empty()) << info.slug;
    EXPECT_EQ(readme.substr(0, 2 + info.code.size() + 1 + info.slug.size()), "# " + info.code + " " + info.slug);
    std::size_t position = 0;
    for (const char* heading : {"## What it finds", "## Why it matters", "## Example", "## Not flagged",
                                "## Known misses", "## References"}) {
      position = readme.find(heading, position);
      EXPECT_NE(position, std::string_view::npos) << info.slug << " " << heading;
    }
  }
  EXPECT_EQ(slugs.size(), eval_guard_docs().size());
}

TEST(GuardRegistry, HonestEvidenceHasNoFindings) {
  for (const Guard& guard : registry()) {
    EXPECT_TRUE(guard.check(honest_evidence(), Policy{}).empty()) << guard.info.slug;
    EXPECT_TRUE(guard.check(EvalEvidence{}, Policy{}).empty()) << guard.info.slug;
  }
}

TEST(GuardRegistry, FindingsArePrefilledFromTheirGuard) {
  EvalEvidence e = honest_evidence();
  refuse(e, refused_check(1, 0));
  CheckResult stale = refused_check(2, 0);
  stale.stale = true;
  refuse(e, stale);
  for (const Guard& guard : registry()) {
    for (const Finding& finding : guard.check(e, Policy{})) {
      EXPECT_EQ(finding.code, guard.info.code);
      EXPECT_EQ(finding.slug, guard.info.slug);
      EXPECT_EQ(finding.message.back(), '.');
      EXPECT_FALSE(finding.evidence.empty());
    }
  }
}

}  // namespace
}  // namespace kernel_audit::eval::guards
