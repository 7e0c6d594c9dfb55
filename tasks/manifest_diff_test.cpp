#include "tasks/manifest_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernel_audit::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ManifestEntry entry(int id, const std::string& code, Verdict decision, const std::string& rule = "") {
  ManifestEntry result;
  result.key = "1/" + std::to_string(id);
  result.level = 1;
  result.id = id;
  result.name = std::to_string(id) + "_" + code;
  result.code_sha256 = code;
  result.decision = decision;
  if (!rule.empty()) result.reasons.push_back({rule, decision == Verdict::kDrop ? "drop" : "review", "Because.", {}});
  return result;
}

Manifest of(std::vector<ManifestEntry> entries) {
  Manifest manifest;
  manifest.settings.preset = "default";
  manifest.tasks = std::move(entries);
  return manifest;
}

TEST(ManifestDiff, EqualManifestsHaveNone) {
  const Manifest one = of({entry(1, "a", Verdict::kKeep), entry(2, "b", Verdict::kDrop, "KA001")});
  const ManifestDiff diff = diff_manifests(one, one);
  EXPECT_TRUE(diff.empty());
  EXPECT_TRUE(diff.settings.empty());
  EXPECT_EQ(diff.unchanged, 2);
}

TEST(ManifestDiff, NamesWhatChanged) {
  Manifest before = of({entry(1, "a", Verdict::kDrop, "KA001"), entry(2, "b", Verdict::kKeep),
                        entry(3, "c", Verdict::kReview, "KA002"), entry(4, "gone", Verdict::kKeep)});
  Manifest after = of({entry(1, "a", Verdict::kKeep), entry(2, "b", Verdict::kKeep),
                       entry(3, "c", Verdict::kReview, "KA003"), entry(9, "new", Verdict::kDrop, "KA005")});
  after.tasks[1].code_sha256 = "b, edited";
  after.settings.thresholds["filters.seed-std.absolute"] = 0.02;
  const ManifestDiff diff = diff_manifests(before, after);
  ASSERT_EQ(diff.changed.size(), 3u);
  EXPECT_TRUE(diff.changed[0].decision);
  EXPECT_THAT(diff.changed[0].gone_rules, ElementsAre("KA001 drop"));
  EXPECT_TRUE(diff.changed[1].code);
  EXPECT_FALSE(diff.changed[1].decision);
  EXPECT_THAT(diff.changed[2].new_rules, ElementsAre("KA003 review"));
  ASSERT_EQ(diff.added.size(), 1u);
  EXPECT_EQ(diff.added[0].after->key, "1/9");
  ASSERT_EQ(diff.removed.size(), 1u);
  EXPECT_EQ(diff.removed[0].before->key, "1/4");
  EXPECT_THAT(diff.settings, ElementsAre("filters.seed-std.absolute: none → 0.02"));
  for (const DiffFormat format : {DiffFormat::kText, DiffFormat::kMarkdown}) {
    const std::string text = render_diff(diff, format);
    EXPECT_THAT(text, HasSubstr("1/1 1_a"));
    EXPECT_THAT(text, HasSubstr("drop → keep; no longer KA001 drop"));
    EXPECT_THAT(text, HasSubstr("still keep; other code"));
    EXPECT_THAT(text, HasSubstr("KA005: Because."));
    EXPECT_THAT(text, HasSubstr("3 changed, 1 added, 1 removed, 0 unchanged"));
  }
  const Json json = Json::parse(render_diff(diff, DiffFormat::kJson));
  EXPECT_EQ(json["changed"][0]["before"]["decision"], "drop");
  EXPECT_TRUE(json["added"][0]["before"].is_null());
}

TEST(ManifestDiff, ARenumberedTaskIsOneChange) {
  ManifestEntry moved = entry(7, "a", Verdict::kKeep);
  const Manifest before = of({entry(1, "a", Verdict::kKeep)}), after = of({moved});
  const ManifestDiff diff = diff_manifests(before, after);
  ASSERT_EQ(diff.changed.size(), 1u);
  EXPECT_TRUE(diff.changed[0].key);
  EXPECT_TRUE(diff.added.empty());
  EXPECT_THAT(render_diff(diff, DiffFormat::kText), HasSubstr("was 1/1 1_a"));
}

TEST(ManifestDiff, ANumberThatNamesAnotherTaskIsRemovedAndAdded) {
  const Manifest before = of({entry(50, "product", Verdict::kDrop, "KA001")});
  const Manifest after = of({entry(50, "conv", Verdict::kKeep)});
  const ManifestDiff diff = diff_manifests(before, after);
  EXPECT_TRUE(diff.changed.empty());
  EXPECT_EQ(diff.added.size(), 1u);
  EXPECT_EQ(diff.removed.size(), 1u);
}

TEST(ManifestDiff, TextOfRecordsCannotBreakTheTable) {
  ManifestEntry hostile = entry(1, "a", Verdict::kKeep);
  hostile.name = "x | y\n| z";
  const Manifest before = of({}), after = of({hostile});
  const std::string text = render_diff(diff_manifests(before, after), DiffFormat::kMarkdown);
  EXPECT_THAT(text, HasSubstr("x \\| y \\| z"));
  EXPECT_THAT(text, Not(HasSubstr("\n| z")));
}

}  // namespace
}  // namespace kernel_audit::tasks
