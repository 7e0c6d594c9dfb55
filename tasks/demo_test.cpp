// The demo suite as the loaders see it: every label leads to a file and a task, and says what it should.
#include <gtest/gtest.h>

#include <set>

#include "auditor/core/verdict.h"
#include "tasks/loaders/listing.h"
#include "tasks/matching.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::tasks {
namespace {

const std::string kDemo = KA_SOURCE_DIR "/tasks/demo";

TEST(Demo, IsLoadedWithoutProblems) {
  const auto tasks = load_tasks(kDemo, {});
  ASSERT_TRUE(tasks.ok()) << tasks.error().describe();
  EXPECT_TRUE(tasks->problems.empty());
  EXPECT_EQ(tasks->tasks.size(), 6u);
  auto set = load_candidates(kDemo, {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  EXPECT_TRUE(set->problems.empty());
  std::size_t on_cpu = 0, on_cuda = 0;
  std::set<std::string> used, verdicts;
  for (const Candidate& candidate : set->candidates) {
    ASSERT_EQ(candidate.files.size(), 1u) << candidate.name;
    const bool in_cuda_folder = candidate.files[0].file.find("/candidates_cuda/") != std::string::npos;
    EXPECT_EQ(candidate.device, in_cuda_folder ? "cuda" : "cpu") << candidate.name;
    ++(in_cuda_folder ? on_cuda : on_cpu);
    ASSERT_TRUE(candidate.expected_verdict) << candidate.name;
    if (!in_cuda_folder) verdicts.insert(*candidate.expected_verdict);
    used.insert(candidate.task_key);
  }
  EXPECT_EQ(on_cpu, 12u);
  EXPECT_GE(on_cuda, 5u);
  EXPECT_EQ(used.size(), 6u);
  EXPECT_EQ(verdicts, (std::set<std::string>{"cheat", "confirmed", "invalid-task", "no-speedup", "wrong"}));
  const auto keys_before = used;
  match_candidates(set->candidates, tasks->tasks);
  std::set<std::string> keys_after;
  for (const Candidate& candidate : set->candidates) keys_after.insert(candidate.task_key);
  EXPECT_EQ(keys_after, keys_before);  // every label names a task that is there
}

TEST(Demo, LabelsAreCompleteAndEveryFileHasOne) {
  const Json labels = testing_support::read_json_file(kDemo + "/labels.json");
  ASSERT_TRUE(labels.is_object());
  std::set<std::string> labelled;
  for (const Json& entry : labels["candidates"]) {
    const auto file = entry.at("candidate").get<std::string>();
    EXPECT_TRUE(labelled.insert(file).second) << file << " has two labels";
    EXPECT_FALSE(entry.at("why").get<std::string>().empty()) << file;
    const bool honest = file.find("honest") != std::string::npos;
    EXPECT_TRUE(honest || !entry.at("catalogue").empty()) << file;
    for (const Json& number : entry.at("catalogue")) {
      EXPECT_GE(number.get<int>(), 1) << file;
      EXPECT_LE(number.get<int>(), 109) << file;
    }
  }
  for (const char* folder : {"candidates", "candidates_cuda"}) {
    const auto listing = list_directory(kDemo + "/" + folder);
    ASSERT_TRUE(listing.ok());
    for (const std::string& name : listing->files) {
      EXPECT_TRUE(labelled.contains(std::string(folder) + "/" + name)) << name << " has no label";
    }
  }
}

}  // namespace
}  // namespace kernel_audit::tasks
