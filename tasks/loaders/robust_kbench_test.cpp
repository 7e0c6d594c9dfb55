#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tasks/loaders/temp_tree.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kConfig = R"({
  "single_init_configs": [{"features": 4}], "single_input_configs": [{"batch": 2}], "single_shared_configs": [{}],
  "multi_init_configs": [{"features": 4}, {"features": 8}], "multi_input_configs": [{"batch": 2}],
  "multi_shared_configs": [{}]})";

TEST(RobustKbench, ATaskFolderIsOneTaskPerConfiguration) {
  const TempTree tree;
  tree.write("tasks/norm/func_forward.py", "code of norm");
  tree.write("tasks/norm/config_forward.json", kConfig);
  tree.write("tasks/norm/forward.cu", "kernel");
  tree.write("tasks/norm/backward.cu", "kernel");
  tree.write("tasks/norm/func_backward.py", "code");
  LoadOptions options;
  auto set = load_tasks(tree.path("tasks"), options);
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_EQ(set->tasks.size(), 1u);
  EXPECT_THAT(set->problems, IsEmpty());
  EXPECT_EQ(set->tasks[0].name, "norm");
  EXPECT_EQ(set->tasks[0].code, "code of norm");
  EXPECT_EQ(set->tasks[0].configuration["inputs"]["batch"], 2);

  options.configurations = "all";
  set = load_tasks(tree.path("tasks/norm"), options);
  ASSERT_TRUE(set.ok());
  ASSERT_EQ(set->tasks.size(), 2u) << "what both lists hold is loaded once";
  EXPECT_EQ(set->tasks[0].name, "norm@1");
  EXPECT_EQ(set->tasks[1].configuration["init"]["features"], 8);
  EXPECT_NE(set->tasks[0].code_sha256, set->tasks[1].code_sha256);

  options.ids = {"norm"};
  EXPECT_EQ(load_tasks(tree.path("tasks"), options)->tasks.size(), 2u);
  options.ids = {"norm@2"};
  EXPECT_EQ(load_tasks(tree.path("tasks"), options)->tasks.size(), 1u);

  const auto candidates = load_candidates(tree.path("tasks"), {});
  ASSERT_TRUE(candidates.ok()) << candidates.error().describe();
  ASSERT_EQ(candidates->candidates.size(), 1u);
  EXPECT_EQ(candidates->candidates[0].name, "norm/forward");
  EXPECT_EQ(candidates->candidates[0].task_key, "norm");
}

TEST(RobustKbench, LevelAndNumberComeFromTheFolders) {
  const TempTree tree;
  for (const char* task : {"task_1", "task_12"}) {
    tree.write(std::string("kernelbench/level_2/") + task + "/func_forward.py", task);
    tree.write(std::string("kernelbench/level_2/") + task + "/12_Original.py", "not the task");
  }
  const auto set = load_tasks(tree.path(), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_EQ(set->tasks.size(), 2u);
  EXPECT_EQ(set->tasks[0].key(), "2/1");
  EXPECT_EQ(set->tasks[1].key(), "2/12");
  EXPECT_EQ(set->tasks[1].configuration["init"], Json::object());
}

TEST(RobustKbench, ABrokenConfigurationIsAProblem) {
  const TempTree tree;
  tree.write("a/func_forward.py", "code");
  tree.write("a/config_forward.json", "{");
  tree.write("b/func_forward.py", "code");
  tree.write("b/config_forward.json", R"({"single_init_configs": 1})");
  tree.write("c/func_forward.py", "code");
  const auto set = load_tasks(tree.path(), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  EXPECT_EQ(set->tasks.size(), 1u);
  ASSERT_EQ(set->problems.size(), 2u);
  EXPECT_THAT(set->problems[0].file, HasSubstr("a/config_forward.json"));
  EXPECT_THAT(set->problems[1].field, HasSubstr("single_init_configs"));
}

}  // namespace
}  // namespace kernel_audit::tasks
