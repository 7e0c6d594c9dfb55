// The manifests that are published with this repository (tasks/manifests): each is one that `filter` could have
// written, names the benchmark and no place of a machine, judges the version of the benchmark that it says, and holds
// no code.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "tasks/manifest.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::tasks {
namespace {

namespace fs = std::filesystem;

// File → tasks of each level.
const std::map<std::string, std::map<int, int>> kShipped = {
    {"kernelbench-v0.json", {{1, 100}, {2, 100}, {3, 50}}},
    {"kernelbench-423217d.json", {{1, 100}, {2, 100}, {3, 50}}}};

int total(const DecisionCounts& counts) {
  int sum = 0;
  for (const auto& [decision, count] : counts) sum += count;
  return sum;
}

class ShippedManifest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Files, ShippedManifest, ::testing::Values("kernelbench-v0.json", "kernelbench-423217d.json"),
                         [](const auto& instance) {
                           return instance.param.find("v0") != std::string::npos ? "V0" : "Upstream";
                         });

TEST_P(ShippedManifest, IsWhatTheSchemaSays) {
  const std::string file = (fs::path(KA_SOURCE_DIR) / "tasks" / "manifests" / GetParam()).string();
  const Json schema =
      testing_support::read_json_file((fs::path(KA_SOURCE_DIR) / "reports/schema/manifest.schema.json").string());
  EXPECT_EQ(testing_support::schema_violations(schema, testing_support::read_json_file(file)),
            std::vector<std::string>());
  const auto manifest = read_manifest(file);
  ASSERT_TRUE(manifest.ok()) << manifest.error().describe();
  EXPECT_EQ(manifest->settings.preset, "default");
  EXPECT_NE(manifest->settings.device.find("H200"), std::string::npos);
  std::set<std::string> keys;
  for (const ManifestEntry& entry : manifest->tasks) {
    EXPECT_TRUE(keys.insert(entry.key).second) << entry.key << " is judged twice";
    EXPECT_EQ(entry.file.rfind(manifest->source, 0), 0U) << entry.file;
    EXPECT_TRUE(entry.decision == Verdict::kKeep || !entry.reasons.empty()) << entry.key << " without a reason";
    for (const ManifestReason& reason : entry.reasons) {
      EXPECT_EQ(reason.message.find("class Model"), std::string::npos) << entry.key;
      EXPECT_EQ(reason.message.find("/root/"), std::string::npos) << entry.key;
    }
  }
  EXPECT_NE(manifest->source.front(), '/');
  std::map<int, int> levels;
  for (const auto& [level, counts] : count_by_level(*manifest)) levels[level] = total(counts);
  EXPECT_EQ(levels, kShipped.at(GetParam()));
}

TEST(ShippedManifests, AreAllNamedHere) {
  for (const auto& entry : fs::directory_iterator(fs::path(KA_SOURCE_DIR) / "tasks" / "manifests")) {
    if (entry.path().extension() == ".json") {
      EXPECT_TRUE(kShipped.contains(entry.path().filename().string())) << entry;
    }
  }
}

}  // namespace
}  // namespace kernel_audit::tasks
