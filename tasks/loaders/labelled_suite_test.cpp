#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tasks/loaders/loader.h"
#include "tasks/loaders/temp_tree.h"
#include "tasks/matching.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LabelledSuite, GivesTasksAndLabelledCandidates) {
  const TempTree tree;
  tree.write("s/tasks/1_One.py", "one");
  tree.write("s/tasks/2_Two.py", "two");
  tree.write("s/candidates/fast.py", "fast");
  tree.write("s/labels.json", R"({"schema_version": 1, "suite": "mine", "candidates": [
      {"candidate": "candidates/fast.py", "task": "1_One", "expected": "confirmed", "device": "cpu"},
      {"candidate": "../secret.py", "task": "1_One", "expected": "cheat"},
      {"candidate": "candidates/fast.py", "task": "2_Two", "expected": "splendid"},
      {"candidate": "candidates/absent.py", "task": "2_Two", "expected": "cheat"}]})");
  const auto tasks = load_tasks(tree.path("s"), {});
  ASSERT_TRUE(tasks.ok()) << tasks.error().describe();
  ASSERT_EQ(tasks->tasks.size(), 2u);
  EXPECT_EQ(tasks->tasks[0].suite, "mine");
  EXPECT_EQ(tasks->tasks[0].key(), "1_One");
  const auto set = load_candidates(tree.path("s"), {});
  ASSERT_TRUE(set.ok());
  ASSERT_EQ(set->candidates.size(), 1u);
  EXPECT_EQ(set->candidates[0].name, "fast");
  EXPECT_EQ(set->candidates[0].task_key, "1_One");
  EXPECT_EQ(set->candidates[0].device, "cpu");
  EXPECT_EQ(set->candidates[0].expected_verdict, "confirmed");
  ASSERT_EQ(set->problems.size(), 3u);
  EXPECT_THAT(set->problems[0].describe(),
              HasSubstr("candidates[1]:candidate: \"../secret.py\" leads out of the suite"));
  EXPECT_THAT(set->problems[1].describe(), HasSubstr("candidates[2]:expected: \"splendid\" is no verdict"));
  EXPECT_THAT(set->problems[2].describe(), HasSubstr("absent.py: cannot be opened"));
}

TEST(LabelledSuite, RefusesOtherVersions) {
  const TempTree tree;
  tree.write("s/labels.json", R"({"schema_version": 2, "candidates": []})");
  EXPECT_THAT(load_candidates(tree.path("s"), {}).error().describe(), HasSubstr("labels file of version 1"));
}

Task task(int level, int id, const std::string& name) {
  Task result;
  result.level = level;
  result.id = id;
  result.name = name;
  return result;
}

Candidate candidate(const std::string& name, const std::string& key) {
  Candidate result;
  result.name = name;
  result.task_key = key;
  return result;
}

TEST(Matching, FindsTasksByKeyNameNumberAndAsTheOnlyOne) {
  const std::vector<Task> tasks = {task(1, 9, "9_Nine"), task(1, 3, "3_Three"), task(2, 3, "3_Other")};
  std::vector<Candidate> candidates = {
      candidate("a", "1/9"),     candidate("sub/3_Other.cu", ""), candidate("9_x", ""),          candidate("3_x", ""),
      candidate("b", "3_Three"), candidate("c", "7/7"),           candidate("9_stranger", "7/7")};
  match_candidates(candidates, tasks);
  std::vector<std::string> keys;
  for (const Candidate& c : candidates) keys.push_back(c.task_key);
  EXPECT_THAT(keys, ElementsAre("1/9", "2/3", "1/9", "", "1/3", "", ""));
  EXPECT_EQ(candidates[3].note, "no task for it: 3_x is not among the tasks");
  EXPECT_EQ(candidates[5].note, "no task for it: 7/7 is not among the tasks");
  std::vector<Candidate> lone = {candidate("anything", "")};
  match_candidates(lone, {task(0, 0, "only")});
  EXPECT_EQ(lone[0].task_key, "only");
}

}  // namespace
}  // namespace kernel_audit::tasks
