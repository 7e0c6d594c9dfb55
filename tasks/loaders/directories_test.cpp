// Trees, run folders, pairs, bare sources and directories of all these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auditor/core/digest.h"
#include "tasks/loaders/loader.h"
#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::vector<std::string> keys(const TaskSet& set) {
  std::vector<std::string> result;
  for (const Task& task : set.tasks) result.push_back(task.key());
  return result;
}

std::vector<std::string> names(const CandidateSet& set) {
  std::vector<std::string> result;
  for (const Candidate& candidate : set.candidates) result.push_back(candidate.name);
  return result;
}

std::vector<std::string> messages(const std::vector<Error>& problems) {
  std::vector<std::string> result;
  for (const Error& error : problems) result.push_back(error.describe());
  return result;
}

void write_tree(const TempTree& tree, const std::string& prefix, const std::string& level) {
  tree.write(prefix + level + "1/10_Ten.py", "ten");
  tree.write(prefix + level + "1/9_Nine.py", "nine");
  tree.write(prefix + level + "2/1_One.py", "one");
  tree.write(prefix + level + "1/README.md", "read");
}

TEST(KernelBenchTree, IsReadFromCheckoutInnerFolderAndLevel) {
  const TempTree tree;
  write_tree(tree, "kb/KernelBench/", "level");
  tree.write("kb/setup.py", "no task");
  for (const char* root : {"kb", "kb/", "kb/KernelBench"}) {
    const auto set = load_tasks(tree.path(root), {});
    ASSERT_TRUE(set.ok()) << set.error().describe();
    EXPECT_THAT(keys(*set), ElementsAre("1/9", "1/10", "2/1")) << root;
    EXPECT_TRUE(set->problems.empty());
  }
  const auto level = load_tasks(tree.path("kb/KernelBench/level2"), {});
  ASSERT_TRUE(level.ok());
  ASSERT_THAT(keys(*level), ElementsAre("2/1"));
  const Task& task = level->tasks[0];
  EXPECT_EQ(task.suite, "kernelbench");
  EXPECT_EQ(task.name, "1_One");
  EXPECT_EQ(task.code, "one");
  EXPECT_EQ(task.code_sha256, sha256_hex("one"));
  EXPECT_EQ(task.path, tree.path("kb/KernelBench/level2/1_One.py"));
}

TEST(KernelBenchTree, IsReadFromTheFilteredForksLayout) {
  const TempTree tree;
  write_tree(tree, "fork/tasks/", "level_");
  const auto set = load_tasks(tree.path("fork"), {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(keys(*set), ElementsAre("1/9", "1/10", "2/1"));
}

TEST(KernelBenchTree, SelectsByLevelAndIds) {
  const TempTree tree;
  write_tree(tree, "", "level");
  LoadOptions options;
  options.levels = {1};
  EXPECT_THAT(keys(*load_tasks(tree.path(), options)), ElementsAre("1/9", "1/10"));
  options.ids = {"1/10"};
  EXPECT_THAT(keys(*load_tasks(tree.path(), options)), ElementsAre("1/10"));
  options = {};
  options.ids = {"1", "9_Nine", "77"};
  const auto set = load_tasks(tree.path(), options);
  EXPECT_THAT(keys(*set), ElementsAre("1/9", "2/1"));
  EXPECT_THAT(messages(set->problems), ElementsAre(HasSubstr("no task answers to 77")));
  options.ids = {"77"};
  const auto none = load_tasks(tree.path(), options);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "no task answers to --ids 77");
}

TEST(KernelBenchTree, ReportsFilesWithoutNumberAndReadsTheRest) {
  const TempTree tree;
  write_tree(tree, "", "level");
  tree.write("level1/Eleven.py", "eleven");
  tree.write("level1/12_Bad.py", "\xFF");
  const auto set = load_tasks(tree.path(), {});
  EXPECT_THAT(keys(*set), ElementsAre("1/9", "1/10", "2/1"));
  EXPECT_THAT(messages(set->problems),
              UnorderedElementsAre(HasSubstr("level1/Eleven.py: the file name does not begin with a task number"),
                                   HasSubstr("level1/12_Bad.py: the text is not valid UTF-8 at byte 0 (line 1)")));
}

TEST(KernelBenchTree, HoldsCandidatesWhereAFileDefinesModelNew) {
  const TempTree tree;
  write_tree(tree, "kb/KernelBench/", "level");
  EXPECT_THAT(load_candidates(tree.path("kb"), {}).error().describe(), HasSubstr("no file of it defines ModelNew"));
  tree.write("kb/solutions/level1/9_Nine.py", "class ModelNew: nine");
  tree.write("kb/solutions/level1/10_Ten.py", "broken");
  tree.write("kb/mine.py", "class ModelNew: mine");
  EXPECT_THAT(names(*load_candidates(tree.path("kb"), {})), ElementsAre("mine", "level1/9_Nine", "level1/10_Ten"));
  EXPECT_THAT(names(*load_candidates(tree.path("kb/solutions"), {})), ElementsAre("level1/9_Nine", "level1/10_Ten"));
  EXPECT_THAT(load_candidates(tree.path("kb/KernelBench/level1"), {}).error().describe(),
              HasSubstr("name the folder that holds the candidates"));
}

TEST(KernelBenchRun, NamesTasksAndSamples) {
  const TempTree tree;
  tree.write("runs/fast/level_1_problem_10_sample_0_kernel.py", "a");
  tree.write("runs/fast/level_1_problem_9_sample_1_kernel.py", "b");
  tree.write("runs/fast/eval_results.json", "{\"9\": [{\"sample_id\": 1, \"compiled\": true}]}");
  const auto set = load_candidates(tree.path("runs/fast"), {});
  ASSERT_TRUE(set.ok());
  ASSERT_THAT(names(*set), ElementsAre("fast/level_1_problem_9_sample_1", "fast/level_1_problem_10_sample_0"));
  EXPECT_EQ(set->candidates[0].task_key, "1/9");
  EXPECT_EQ(set->candidates[0].sample, 1);
  EXPECT_EQ(names(*load_candidates(tree.path("runs"), {})), names(*set));
  const auto one = load_candidates(tree.path("runs/fast/level_1_problem_9_sample_1_kernel.py"), {});
  EXPECT_EQ(one->candidates[0].task_key, "1/9");
  const auto tasks = load_tasks(tree.path("runs/fast"), {});
  ASSERT_FALSE(tasks.ok());
  EXPECT_THAT(tasks.error().message, HasSubstr("no tasks"));
}

TEST(PairedDirectory, GivesTaskAndCandidate) {
  const TempTree tree;
  tree.write("good/Softmax/ref.py", "reference");
  tree.write("good/Softmax/src.py", "source");
  tree.write("good/Softmax/softmax.cu", "kernel");
  tree.write("good/Alone/ref.py", "reference 2");
  EXPECT_THAT(keys(*load_tasks(tree.path("good"), {})), ElementsAre("Alone", "Softmax"));
  const auto set = load_candidates(tree.path("good"), {});
  ASSERT_THAT(names(*set), ElementsAre("Alone", "Softmax"));
  EXPECT_EQ(set->candidates[0].note, "no code: src.py is absent");
  EXPECT_TRUE(set->candidates[0].files.empty());
  const Candidate& softmax = set->candidates[1];
  EXPECT_EQ(softmax.task_key, "Softmax");
  ASSERT_EQ(softmax.files.size(), 2u);
  EXPECT_EQ(softmax.files[0].text, "source");
  EXPECT_EQ(softmax.files[1].language, Language::kCuda);
  const auto single = load_candidates(tree.path("good/Softmax"), {});
  EXPECT_EQ(single->candidates[0].code_sha256, softmax.code_sha256);
}

TEST(BareSource, BringsItsHeaders) {
  const TempTree tree;
  tree.write("k/b.cu", "b");
  tree.write("k/a.cpp", "a");
  tree.write("k/common.cuh", "h");
  const auto set = load_candidates(tree.path("k"), {});
  ASSERT_THAT(names(*set), ElementsAre("a.cpp", "b.cu"));
  EXPECT_EQ(set->candidates[0].files[0].language, Language::kCpp);
  ASSERT_EQ(set->candidates[1].files.size(), 2u);
  EXPECT_EQ(set->candidates[1].files[1].file, tree.path("k/common.cuh"));
  EXPECT_EQ(load_candidates(tree.path("k/b.cu"), {})->candidates[0].code_sha256, set->candidates[1].code_sha256);
  EXPECT_THAT(load_tasks(tree.path("k/b.cu"), {}).error().message, HasSubstr("not a task"));
}

TEST(PythonFile, TakesSourcesOnlyWhenItIsAloneInItsFolder) {
  const TempTree tree;
  tree.write("one/kernel.py", "class ModelNew: py");
  tree.write("one/kernel.cu", "cu");
  tree.write("two/a.py", "class ModelNew: a");
  tree.write("two/b.py", "@triton.jit");
  tree.write("two/train.py", "import torch");
  tree.write("two/c.cu", "c");
  const auto one = load_candidates(tree.path("one"), {});
  ASSERT_THAT(names(*one), ElementsAre("kernel"));
  EXPECT_EQ(one->candidates[0].files.size(), 2u);
  const auto two = load_candidates(tree.path("two"), {});
  EXPECT_THAT(names(*two), ElementsAre("a", "b", "c.cu"));
  EXPECT_EQ(two->candidates[0].files.size(), 1u);
  EXPECT_EQ(two->candidates[0].code_sha256, sha256_hex("class ModelNew: a"));
  EXPECT_THAT(names(*load_candidates(tree.path("two/train.py"), {})), ElementsAre("train"));  // it was asked for
}

TEST(PythonFile, TakesFoldersOfSourcesThatItNames) {
  const TempTree tree;
  tree.write("one/candidate.py", "class ModelNew: load(sources=[HERE / 'csrc' / 'bind.cpp', 'other/a.cu'])");
  tree.write("one/csrc/bind.cpp", "cpp");
  tree.write("one/csrc/include/scale.cuh", "h");
  tree.write("one/other/a.cu", "cu");
  tree.write("one/other/candidate.py", "class ModelNew: other");
  tree.write("one/unnamed/b.cu", "b");
  const auto one = load_candidates(tree.path("one"), {});
  EXPECT_THAT(names(*one), ElementsAre("candidate", "other/candidate", "unnamed/b.cu"));
  ASSERT_EQ(one->candidates[0].files.size(), 3u);
  EXPECT_EQ(one->candidates[0].files[1].file, tree.path("one/csrc/bind.cpp"));
  EXPECT_EQ(one->candidates[0].files[2].file, tree.path("one/csrc/include/scale.cuh"));
}

TEST(PythonFile, KeepsBytesAsTheyAre) {
  const TempTree tree;
  const std::string text = "\xEF\xBB\xBF# caf\xC3\xA9\r\nclass Model: pass\r\n";
  tree.write("level3/7_Crlf.py", text);
  const auto set = load_tasks(tree.path("level3/7_Crlf.py"), {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->tasks[0].code, text);
  EXPECT_EQ(set->tasks[0].key(), "3/7");
}

TEST(Directory, HoldsAllFormatsAtAnyDepth) {
  const TempTree tree;
  tree.write("all/kb/level1/3_Three.py", "three");
  tree.write("all/pair/ref.py", "ref");
  tree.write("all/pair/src.py", "src");
  tree.write("all/rows/rows.jsonl", R"({"level": 2, "problem_id": 5, "name": "5_Five", "code": "five"})");
  tree.write("all/rows/other.json", R"({"not": "records"})");
  tree.write("all/x.py", "x");
  tree.write("all/deep/er/x.py", "another x");
  tree.write("all/.hidden/y.py", "y");
  tree.write("all/__pycache__/z.py", "z");
  const auto set = load_tasks(tree.path("all"), {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(keys(*set), UnorderedElementsAre("1/3", "pair", "2/5", "x", "deep/er/x"));
  EXPECT_TRUE(set->problems.empty()) << set->problems[0].describe();
}

TEST(Directory, SurvivesLinkLoopsAndDeadLinks) {
  const TempTree tree;
  tree.write("d/a/x.py", "x");
  tree.link("..", "d/a/back");
  tree.link(tree.path("d"), "d/a/again");
  tree.link("self", "d/self");
  tree.link("nowhere", "d/dead.py");
  const auto set = load_tasks(tree.path("d"), {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(keys(*set), ElementsAre("a/x"));
  EXPECT_THAT(messages(set->problems), UnorderedElementsAre(HasSubstr("d/dead.py: is a symbolic link"),
                                                            HasSubstr("d/self: is a symbolic link")));
}

TEST(Directory, StopsAtItsLimits) {
  const TempTree tree;
  std::string deep = "d/";
  for (int i = 0; i < 6; ++i) deep += "n/";
  tree.write(deep + "x.py", "x");
  tree.write("d/a.py", "a");
  tree.write("d/b.py", std::string(50, 'b'));
  tree.write("d/c.py", "c");
  Limits limits;
  limits.depth = 3;
  limits.source_bytes = 40;
  const auto set = load_tasks(tree.path("d"), {}, limits);
  EXPECT_THAT(keys(*set), ElementsAre("a", "c"));
  EXPECT_THAT(messages(set->problems), UnorderedElementsAre(HasSubstr("more than 3 directories deep"),
                                                            HasSubstr("50 bytes, more than the limit of 40")));
  limits.files = 1;
  const auto first = load_tasks(tree.path("d"), {}, limits);
  EXPECT_THAT(keys(*first), ElementsAre("a"));
  EXPECT_THAT(messages(first->problems), testing::Contains(HasSubstr("more than 1 source files")));
}

TEST(Directory, MakesCandidateNamesUniqueAndRefusesTwoVersionsOfATask) {
  const TempTree tree;
  tree.write("d/one/level1/3_Three.py", "class ModelNew: three");
  tree.write("d/two/level1/3_Three.py", "class ModelNew: three, changed");
  tree.write("d/six/level1/3_Three.py", "class ModelNew: three");
  EXPECT_THAT(names(*load_candidates(tree.path("d"), {})),
              ElementsAre("level1/3_Three", "level1/3_Three#2", "level1/3_Three#3"));
  const auto tasks = load_tasks(tree.path("d"), {});
  EXPECT_THAT(keys(*tasks), ElementsAre("1/3"));
  EXPECT_THAT(messages(tasks->problems), ElementsAre(HasSubstr("task 1/3 has other code here than in")));
}

TEST(Load, NamesWhatIsAbsentOrUnknown) {
  const TempTree tree;
  tree.write("x.txt", "x");
  tree.write("empty/x.txt", "x");
  EXPECT_THAT(load_tasks(tree.path("nothing"), {}).error().message, HasSubstr("no such file or directory"));
  EXPECT_THAT(load_tasks("", {}).error().message, HasSubstr("empty path"));
  EXPECT_THAT(load_tasks(tree.path("x.txt"), {}).error().message, HasSubstr("in no format"));
  EXPECT_EQ(load_candidates(tree.path("empty"), {}).error().message, "holds no candidate");
}

TEST(Registry, IsSortedAndDescribed) {
  for (std::size_t i = 0; i < loaders().size(); ++i) {
    if (i > 0) {
      EXPECT_LT(loaders()[i - 1].name, loaders()[i].name);
    }
    EXPECT_FALSE(loaders()[i].summary.empty());
    EXPECT_NE(loaders()[i].load_tasks, nullptr);
    EXPECT_NE(loaders()[i].load_candidates, nullptr);
  }
}

}  // namespace
}  // namespace kernel_audit::tasks
