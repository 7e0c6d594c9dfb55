#include "tasks/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tasks/configuration.h"
#include "tasks/loaders/builders.h"
#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::tasks {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Task numbered(int level, int id, const std::string& name, const std::string& code) {
  return make_task("kernelbench", level, id, name, {"somewhere.py", "", code, Language::kPython});
}

Manifest manifest_of(const std::vector<Task>& tasks) {
  Manifest manifest;
  for (const Task& task : tasks) manifest.tasks.push_back(make_manifest_entry(task, Verdict::kKeep, "", {}));
  return manifest;
}

TEST(EmitTree, IsReadBackAsTheSameTasks) {
  const TempTree tree;
  std::vector<Task> tasks = {numbered(1, 3, "3_Three", "# \xEF\xBB\xBF odd bytes\r\n\ttab"),
                             numbered(2, 7, "Seven", "seven")};
  Task file = make_task("file", 0, 0, "sub/plain", {"", "", "plain", Language::kPython});
  tasks.push_back(file);
  const std::string out = tree.path("kept");
  ASSERT_TRUE(emit_tree(out, tasks, manifest_of(tasks)).ok());
  EXPECT_EQ(bytes_of(out + "/KernelBench/level1/3_Three.py"), tasks[0].code);
  EXPECT_EQ(bytes_of(out + "/KernelBench/level2/7_Seven.py"), "seven");
  EXPECT_EQ(bytes_of(out + "/sub/plain.py"), "plain");
  const auto back = load_tasks(out + "/KernelBench", {});
  ASSERT_TRUE(back.ok()) << back.error().describe();
  ASSERT_EQ(back->tasks.size(), 2u);
  EXPECT_EQ(back->tasks[0].code_sha256, tasks[0].code_sha256);
  EXPECT_TRUE(read_manifest(out).ok());
}

TEST(EmitTree, KeepsTheConfigurationOfATask) {
  const TempTree tree;
  Task task = make_task("robust-kbench", 0, 0, "layernorm@2", {"", "", "code", Language::kPython});
  task.configuration = {{"init", {{"features", 8}}}, {"inputs", {{"batch", 2}}}};
  task.code_sha256 = configured_digest(task.code, task.configuration);
  ASSERT_TRUE(emit_tree(tree.path("kept"), {task}, manifest_of({task})).ok());
  EXPECT_EQ(bytes_of(tree.path("kept/layernorm@2/func_forward.py")), "code");
  const auto back = load_tasks(tree.path("kept"), {});
  ASSERT_TRUE(back.ok()) << back.error().describe();
  ASSERT_EQ(back->tasks.size(), 1u);
  EXPECT_EQ(back->tasks[0].configuration, task.configuration);
  EXPECT_EQ(back->tasks[0].code_sha256, task.code_sha256);
}

TEST(EmitTree, ReplacesAnEarlierTreeAndNothingElse) {
  const TempTree tree;
  const std::vector<Task> first = {numbered(1, 1, "1_A", "a")}, second = {numbered(1, 2, "2_B", "b")};
  ASSERT_TRUE(emit_tree(tree.path("kept"), first, manifest_of(first)).ok());
  ASSERT_TRUE(emit_tree(tree.path("kept") + "/", second, manifest_of(second)).ok());
  EXPECT_FALSE(fs::exists(tree.path("kept/KernelBench/level1/1_A.py")));
  EXPECT_TRUE(fs::exists(tree.path("kept/KernelBench/level1/2_B.py")));
  EXPECT_FALSE(fs::exists(tree.path("kept.new")));
  tree.write("mine/notes.txt", "mine");
  EXPECT_THAT(check_emit_folder(tree.path("mine")).error().message, HasSubstr("no earlier filter wrote"));
  EXPECT_FALSE(emit_tree(tree.path("mine"), first, manifest_of(first)).ok());
  EXPECT_EQ(bytes_of(tree.path("mine/notes.txt")), "mine");
  EXPECT_FALSE(check_emit_folder(tree.path("mine/notes.txt")).ok());
  EXPECT_TRUE(check_emit_folder(tree.path("absent")).ok());
}

TEST(EmitTree, NamesLeadNowhereElse) {
  const TempTree tree;
  const std::vector<Task> tasks = {make_task("file", 0, 0, "../../up/.hidden", {"", "", "x", Language::kPython})};
  ASSERT_TRUE(emit_tree(tree.path("a/b/kept"), tasks, manifest_of(tasks)).ok());
  EXPECT_TRUE(fs::exists(tree.path("a/b/kept/_../_../up/_.hidden.py")));
  EXPECT_FALSE(fs::exists(tree.path("a/up")));
}

TEST(EmitIds, ListsEveryLevelThatWasJudged) {
  const std::vector<Task> all = {numbered(1, 9, "9_A", "a"), numbered(1, 2, "2_B", "b"), numbered(3, 1, "1_C", "c")};
  std::vector<Task> kept = {all[0], all[1], make_task("file", 0, 0, "loose", {"", "", "x", Language::kPython})};
  std::vector<std::string> unnumbered;
  EXPECT_EQ(id_lists(kept, manifest_of(all), unnumbered).dump(), R"({"1":[2,9],"3":[]})");
  EXPECT_THAT(unnumbered, ElementsAre("loose"));
}

}  // namespace
}  // namespace kernel_audit::tasks
