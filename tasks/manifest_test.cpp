#include "tasks/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auditor/core/digest.h"
#include "tasks/loaders/temp_tree.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Task task(int id, const std::string& code) {
  Task result;
  result.suite = "kernelbench";
  result.level = 1;
  result.id = id;
  result.name = std::to_string(id) + "_Task";
  result.code = code;
  result.code_sha256 = sha256_hex(code);
  result.file = "kb/" + result.name + ".py";
  return result;
}

Finding finding(const std::string& code, Effect effect) {
  Finding result;
  result.code = code;
  result.effect = effect;
  result.message = "Message of " + code + ".";
  Metric metric;
  metric.id = "max_change";
  metric.unit = "1";
  metric.value = 0.5;
  result.evidence = {metric};
  return result;
}

Manifest example() {
  Manifest manifest;
  manifest.tool_version = "0.1.0";
  manifest.source = "kb";
  manifest.settings = {"kernelbench", "default", "kernelbench", "cpu", "2.11.0", {{"filters.seed-std.absolute", 0.01}}};
  manifest.created = "2026-01-02T03:04:05Z";
  manifest.tasks.push_back(make_manifest_entry(task(1, "one"), Verdict::kKeep, "", {}));
  manifest.tasks.back().seeds = 5;
  manifest.tasks.back().flags = {{"output_range", false}};
  manifest.tasks.push_back(make_manifest_entry(task(2, "two"), Verdict::kDrop, "",
                                               {finding("KA109", Effect::kNote), finding("KA101", Effect::kDrop)}));
  manifest.tasks.push_back(make_manifest_entry(task(3, "three"), Verdict::kNotRun, "It needs 16 GiB.", {}));
  Task nameless = task(0, "four");
  nameless.level = 0;
  nameless.configuration = {{"init", {{"features", 8}}}, {"inputs", Json::object()}};
  manifest.tasks.push_back(make_manifest_entry(nameless, Verdict::kReview, "", {finding("KA104", Effect::kReview)}));
  return manifest;
}

TEST(Manifest, FitsItsSchemaAndComesBack) {
  const Json schema = testing_support::read_json_file(KA_SOURCE_DIR "/reports/schema/manifest.schema.json");
  ASSERT_TRUE(schema.is_object());
  EXPECT_THAT(testing_support::undocumented_properties(schema), IsEmpty());
  const Json json = manifest_json(example());
  EXPECT_THAT(testing_support::schema_violations(schema, json), IsEmpty());
  EXPECT_EQ(json["counts"]["drop"], 1);
  ASSERT_EQ(json["levels"].size(), 2u);  // no level, then level 1
  EXPECT_TRUE(json["levels"][0]["level"].is_null());
  EXPECT_EQ(json["levels"][1]["counts"]["keep"], 1);
  EXPECT_EQ(json["tasks"][1]["reasons"][0]["evidence"][0]["value"], 0.5);
  EXPECT_EQ(json["tasks"][1]["reasons"][0]["rule"], "KA101");  // what decides comes first
  EXPECT_TRUE(json["tasks"][2]["reasons"][0]["rule"].is_null());
  EXPECT_TRUE(json["tasks"][3]["level"].is_null());
  Json broken = json;
  broken["tasks"][0]["decision"] = "confirmed";
  EXPECT_FALSE(testing_support::schema_violations(schema, broken).empty());

  const TempTree tree;
  ASSERT_TRUE(write_manifest(tree.path("manifest.json"), example()).ok());
  const auto back = read_manifest(tree.path("manifest.json"));
  ASSERT_TRUE(back.ok()) << back.error().describe();
  EXPECT_EQ(manifest_json(*back), json);
}

TEST(Manifest, SelectsKeptTasksByKeyAndCode) {
  TaskSet tasks;
  tasks.tasks = {task(1, "one"), task(2, "two"), task(5, "five")};
  const TaskSet kept = kept_tasks(example(), tasks);
  Manifest reviewed = example();
  reviewed.tasks[1].decision = Verdict::kReview;
  EXPECT_EQ(kept_tasks(reviewed, tasks).tasks.size(), 1u);
  EXPECT_EQ(kept_tasks(reviewed, tasks, /*with_review=*/true).tasks.size(), 2u);
  ASSERT_EQ(kept.tasks.size(), 1u);
  EXPECT_EQ(kept.tasks[0].id, 1);
  ASSERT_EQ(kept.problems.size(), 1u);
  EXPECT_THAT(kept.problems[0].message, HasSubstr("1/5 is not in the manifest"));
  tasks.tasks = {task(1, "one, changed")};
  const TaskSet changed = kept_tasks(example(), tasks);
  EXPECT_TRUE(changed.tasks.empty());
  EXPECT_THAT(changed.problems[0].message, HasSubstr("other code than the manifest judged"));
}

TEST(Manifest, RefusesOtherFiles) {
  EXPECT_THAT(manifest_from_json(Json::object(), "m").error().message, HasSubstr("not a manifest"));
  Json json = manifest_json(example());
  json["schema_version"] = 2;
  EXPECT_THAT(manifest_from_json(json, "m").error().describe(), HasSubstr("another version"));
  json = manifest_json(example());
  json["tasks"][0].erase("name");
  EXPECT_FALSE(manifest_from_json(json, "m").ok());
  json = manifest_json(example());
  json["tasks"][0]["decision"] = "cheat";
  EXPECT_THAT(manifest_from_json(json, "m").error().message, HasSubstr("no decision"));
  EXPECT_FALSE(write_manifest("/nonexistent/manifest.json", example()).ok());
}

}  // namespace
}  // namespace kernel_audit::tasks
