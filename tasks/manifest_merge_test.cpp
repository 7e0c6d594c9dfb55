#include "tasks/manifest_merge.h"

#include <gtest/gtest.h>

namespace kernel_audit::tasks {
namespace {

ManifestEntry entry(int level, int id, Verdict decision, const std::string& hash = "h") {
  ManifestEntry made;
  made.key = std::to_string(level) + "/" + std::to_string(id);
  made.level = level;
  made.id = id;
  made.code_sha256 = hash;
  made.decision = decision;
  return made;
}

Manifest manifest(std::vector<ManifestEntry> entries, const std::string& created = "2026-01-01T00:00:00Z") {
  Manifest made;
  made.tool_version = "1";
  made.source = "tasks";
  made.created = created;
  made.settings.preset = "default";
  made.tasks = std::move(entries);
  return made;
}

TEST(MergeManifests, OrdersByNumberAndTakesTheLastThatRan) {
  const auto merged = merge_manifests(
      {{"a", manifest({entry(2, 1, Verdict::kKeep), entry(1, 10, Verdict::kReview)}, "2026-01-02T00:00:00Z")},
       {"b", manifest({entry(1, 9, Verdict::kNotRun), entry(1, 10, Verdict::kDrop), entry(2, 1, Verdict::kNotRun)})}});
  ASSERT_TRUE(merged.ok()) << merged.error().describe();
  ASSERT_EQ(merged->tasks.size(), 3u);
  EXPECT_EQ(merged->tasks[0].key, "1/9");
  EXPECT_EQ(merged->tasks[0].decision, Verdict::kNotRun);
  EXPECT_EQ(merged->tasks[1].key, "1/10");
  EXPECT_EQ(merged->tasks[1].decision, Verdict::kDrop);
  EXPECT_EQ(merged->tasks[2].decision, Verdict::kKeep) << "what did not run takes nothing back";
  EXPECT_EQ(merged->created, "2026-01-02T00:00:00Z");
}

TEST(MergeManifests, NamesTheBenchmarkAndNoPlaceOfThisMachine) {
  Manifest one = manifest({entry(1, 1, Verdict::kKeep)}), other = manifest({entry(1, 2, Verdict::kKeep)});
  one.source = "/home/me/a";
  one.tasks[0].file = "/home/me/a/level1/1_A.py";
  other.source = "/tmp/b.jsonl";
  other.tasks[0].file = "/tmp/b.jsonl:record 2";
  const auto merged = merge_manifests({{"a", one}, {"b", other}}, "Bench 1.0");
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged->source, "Bench 1.0");
  EXPECT_EQ(merged->tasks[0].file, "Bench 1.0/level1/1_A.py");
  EXPECT_EQ(merged->tasks[1].file, "Bench 1.0:record 2");
}

TEST(MergeManifests, RefusesWhatDoesNotBelongTogether) {
  const Manifest one = manifest({entry(1, 1, Verdict::kKeep)});
  EXPECT_FALSE(merge_manifests({}).ok());
  EXPECT_FALSE(merge_manifests({{"a", one}, {"b", manifest({entry(1, 1, Verdict::kKeep, "other")})}}).ok());
  Manifest other = one;
  other.tool_version = "2";
  EXPECT_FALSE(merge_manifests({{"a", one}, {"b", other}}).ok());
  other = one;
  other.settings.thresholds["filters.seed-std.absolute"] = 1;
  EXPECT_FALSE(merge_manifests({{"a", one}, {"b", other}}).ok());
  other = one;
  other.settings.device = "cuda";
  const auto refused = merge_manifests({{"a", one}, {"b", other}});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("device"), std::string::npos);
  EXPECT_EQ(refused.error().file, "b");
}

}  // namespace
}  // namespace kernel_audit::tasks
