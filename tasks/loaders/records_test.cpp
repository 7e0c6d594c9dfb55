#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auditor/core/digest.h"
#include "tasks/loaders/loader.h"
#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> messages(const std::vector<Error>& problems) {
  std::vector<std::string> result;
  for (const Error& error : problems) result.push_back(error.describe());
  return result;
}

const char kTwoLines[] =
    R"({"level_id": 1, "task_id": 9, "ref_code": "ref\r\n", "custom_code": "code \u00e9", "score_default": 2.5, "score_cudnn": null})"
    "\n\r\n"
    R"({"level_id": "2", "task_id": "66", "ref_code": "other", "custom_code": "None", "score_default": "None"})"
    "\r\n";

TEST(Records, ReadsCudaL1UnderEitherExtension) {
  const TempTree tree;
  for (const char* name : {"a.jsonl", "a.json", "bom.json"}) {
    tree.write(name, (name[0] == 'b' ? "\xEF\xBB\xBF" : "") + std::string(kTwoLines));
    const auto tasks = load_tasks(tree.path(name), {});
    ASSERT_TRUE(tasks.ok()) << tasks.error().describe();
    ASSERT_EQ(tasks->tasks.size(), 2u);
    EXPECT_EQ(tasks->tasks[0].key(), "1/9");
    EXPECT_EQ(tasks->tasks[0].code, "ref\r\n");
    EXPECT_EQ(tasks->tasks[0].suite, "cuda_l1");
    EXPECT_EQ(tasks->tasks[0].file, tree.path(name) + ":record 1:ref_code");
    EXPECT_EQ(tasks->tasks[0].path, "");
    EXPECT_EQ(tasks->tasks[1].key(), "2/66");
    const auto set = load_candidates(tree.path(name), {});
    ASSERT_TRUE(set.ok());
    ASSERT_EQ(set->candidates.size(), 2u);
    const Candidate& first = set->candidates[0];
    EXPECT_EQ(first.name, "1/9");
    EXPECT_EQ(first.task_key, "1/9");
    EXPECT_EQ(first.files[0].text, "code \xC3\xA9");
    EXPECT_EQ(first.code_sha256, sha256_hex("code \xC3\xA9"));
    EXPECT_EQ(first.claimed_speedup, 2.5);
    EXPECT_EQ(first.claims.size(), 1u);  // null is no number, and not 0
    EXPECT_TRUE(set->candidates[1].files.empty());
    EXPECT_EQ(set->candidates[1].note, "no code: custom_code is \"None\"");
    EXPECT_FALSE(set->candidates[1].claimed_speedup);
    EXPECT_TRUE(set->problems.empty());
  }
}

TEST(Records, ReadsOneObjectOfGroupsWithStringScores) {
  const TempTree tree;
  tree.write("groups.json", R"({"1": [{"task_id": 3, "custom_code": "three", "score_default": "1.25"},
                                      {"level_id": 1, "task_id": 4, "custom_code": null}],
                                "2": {"7": {"custom_code": "seven", "score_default": "0.5"}}})");
  const auto set = load_candidates(tree.path("groups.json"), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_EQ(set->candidates.size(), 3u);
  EXPECT_EQ(set->candidates[0].task_key, "1/3");
  EXPECT_EQ(set->candidates[0].claimed_speedup, 1.25);
  EXPECT_EQ(set->candidates[1].note, "no code: custom_code is null");
  EXPECT_EQ(set->candidates[2].task_key, "2/7");
  EXPECT_EQ(set->candidates[2].claims.at("score_default"), 0.5);
}

TEST(Records, ReadsKernelBenchRowsListsAndSingleRecords) {
  const TempTree tree;
  tree.write("rows.json",
             "[\n"
             R"({"code": "a", "level": 1, "name": "3_Three", "problem_id": 3})"
             "\n]\n");
  tree.write("one.json", R"({"code": "a", "level": 1, "name": "3_Three", "problem_id": 3})");
  tree.write("spread.jsonl", "{\n\"code\": \"a\",\n\"level\": 1, \"name\": \"3_Three\", \"problem_id\": 3}");
  for (const char* name : {"rows.json", "one.json", "spread.jsonl"}) {
    const auto set = load_tasks(tree.path(name), {});
    ASSERT_TRUE(set.ok()) << name << set.error().describe();
    ASSERT_EQ(set->tasks.size(), 1u);
    EXPECT_EQ(set->tasks[0].name, "3_Three");
    EXPECT_EQ(set->tasks[0].suite, "kernelbench");
    EXPECT_EQ(set->tasks[0].key(), "1/3");
  }
}

TEST(Records, TakesFieldsOfTheUsersChoice) {
  const TempTree tree;
  tree.write("own.jsonl", R"({"L": 2, "N": 8, "torch": "ref", "kernel": "k", "gain": "3", "lang": "cu", "try": 4})");
  LoadOptions options;
  options.fields = {{"level", "L"},    {"id", "N"},          {"ref", "torch"}, {"code", "kernel"},
                    {"claim", "gain"}, {"language", "lang"}, {"sample", "try"}};
  const auto tasks = load_tasks(tree.path("own.jsonl"), options);
  ASSERT_TRUE(tasks.ok()) << tasks.error().describe();
  EXPECT_EQ(tasks->tasks[0].key(), "2/8");
  EXPECT_EQ(tasks->tasks[0].code, "ref");
  const auto set = load_candidates(tree.path("own.jsonl"), options);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->candidates[0].files[0].text, "k");
  EXPECT_EQ(set->candidates[0].files[0].language, Language::kCuda);
  EXPECT_EQ(set->candidates[0].claimed_speedup, 3.0);
  EXPECT_EQ(set->candidates[0].sample, 4);
  options.fields = {{"code", "kernel"}};
  EXPECT_EQ(load_candidates(tree.path("own.jsonl"), options)->candidates[0].name, "record 1");
  options.fields = {{"colour", "x"}};
  EXPECT_THAT(load_tasks(tree.path("own.jsonl"), options).error().describe(), HasSubstr("--field ROLE=NAME"));
}

TEST(Records, NamesTheFieldsWhenNoneHoldsCode) {
  const TempTree tree;
  tree.write("x.jsonl", "{\"source\": \"a\", \"n\": 1}\n{\"source\": \"b\", \"n\": 2}\n");
  const auto set = load_candidates(tree.path("x.jsonl"), {});
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().message, "no record has a field custom_code or code; the fields are n, source");
  EXPECT_EQ(set.error().remedy, "name the field by --field code=NAME");
}

TEST(Records, ReportsEachDamagedRecordAndUsesTheRest) {
  const TempTree tree;
  tree.write("bad.jsonl",
             "{\"broken\n"
             R"({"level_id": 1, "task_id": 1, "ref_code": "a", "custom_code": "a"})"
             "\n"
             R"({"level_id": 1, "task_id": 2, "ref_code": "a", "custom_code": 5})"
             "\n"
             R"({"level_id": "one", "task_id": 3, "ref_code": "a", "custom_code": "b"})"
             "\n"
             R"({"level_id": 1, "task_id": 4, "ref_code": "a", "custom_code": "x\u0000y"})"
             "\n"
             R"(["no object"])"
             "\n"
             R"({"level_id": 1, "task_id": 5, "ref_code": "a", "custom_code": "c", "score_default": "fast"})"
             "\n"
             R"({"level_id": 1, "task_id": 6, "ref_code": "a"})"
             "\n");
  const auto set = load_candidates(tree.path("bad.jsonl"), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_EQ(set->candidates.size(), 3u);
  EXPECT_EQ(set->candidates[0].task_key, "1/1");
  EXPECT_EQ(set->candidates[1].task_key, "1/5");
  EXPECT_FALSE(set->candidates[1].claimed_speedup);
  EXPECT_EQ(set->candidates[2].note, "no code: custom_code is absent");
  EXPECT_THAT(messages(set->problems),
              ElementsAre(HasSubstr("bad.jsonl:line 1"), HasSubstr("record 2:custom_code: is not text"),
                          HasSubstr("record 3:level_id: is \"one\", not a whole number"),
                          HasSubstr("record 4:custom_code: the text has a NUL byte at byte 1 (line 1)"),
                          HasSubstr("record 5: is not a JSON object"),
                          HasSubstr("record 6:score_default: is \"fast\", not a number")));
}

TEST(Records, ReportsARecordWhoseCodeLiesInAnotherField) {
  const TempTree tree;
  tree.write("mixed.jsonl", R"({"custom_code": "a"})"
                            "\n"
                            R"({"kernel": "b", "note": 1})"
                            "\n"
                            "{damaged\n"
                            R"({"ref_code": "r", "Custom_Code": "import torch\nx = 1\n"})"
                            "\n"
                            R"({"ref_code": "r", "level_id": 1, "task_id": 2, "comment": "no answer"})"
                            "\n"
                            R"({"ref_code": "r", "level_id": 1, "task_id": 3, "custom_code": null})"
                            "\n");
  const auto set = load_candidates(tree.path("mixed.jsonl"), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_EQ(set->candidates.size(), 3u);
  EXPECT_EQ(set->candidates[1].note, "no code: custom_code is absent") << "a task without an answer";
  EXPECT_EQ(set->candidates[2].note, "no code: custom_code is null");
  EXPECT_THAT(
      messages(set->problems),
      ElementsAre(HasSubstr("mixed.jsonl: record 2: has no field custom_code or code; its fields are kernel, note"),
                  HasSubstr("mixed.jsonl:line 3"),
                  HasSubstr("mixed.jsonl: record 3 on line 4: has no field custom_code or code; its fields are "
                            "Custom_Code, ref_code")));
  EXPECT_THAT(set->problems.back().remedy, HasSubstr("--field code=NAME"));
}

TEST(Records, RefusesWhatIsNoJsonAtAll) {
  const TempTree tree;
  tree.write("x.json", "hello\nworld\n");
  tree.write("empty.json", "\n \n");
  tree.write("utf8.json", "{\"custom_code\": \"\xFF\"}");
  tree.write("deep.json", std::string(5000, '[') + std::string(5000, ']'));
  for (const char* name : {"x.json", "empty.json", "utf8.json", "deep.json"}) {
    const auto set = load_candidates(tree.path(name), {});
    ASSERT_FALSE(set.ok()) << name;
    EXPECT_THAT(set.error().describe(), HasSubstr(name));
  }
}

TEST(Records, StopsAtItsLimits) {
  const TempTree tree;
  std::string many;
  for (int i = 0; i < 10; ++i) many += "[]\n";
  tree.write("many.jsonl", "{\"custom_code\": \"" + std::string(30, 'x') + "\"}\n{\"custom_code\": \"y\"}\n" + many);
  Limits limits;
  limits.source_bytes = 20;
  limits.problems = 3;
  const auto set = load_candidates(tree.path("many.jsonl"), {}, limits);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->candidates.size(), 1u);
  ASSERT_EQ(set->problems.size(), 4u);
  EXPECT_EQ(set->problems[3].message, "8 more problems are not shown");
  limits.records_bytes = 10;
  EXPECT_THAT(load_candidates(tree.path("many.jsonl"), {}, limits).error().message, HasSubstr("limit of 10"));
}

TEST(Records, MakesNamesUniqueAndHarmless) {
  const TempTree tree;
  tree.write("x.jsonl", R"({"name": "../../etc/x\u001b[31m", "custom_code": "a"})"
                        "\n"
                        R"({"name": "n", "custom_code": "b"})"
                        "\n"
                        R"({"name": "n#2", "custom_code": "c"})"
                        "\n"
                        R"({"name": "n", "custom_code": "d"})"
                        "\n");
  const auto set = load_candidates(tree.path("x.jsonl"), {});
  std::vector<std::string> names;
  for (const Candidate& candidate : set->candidates) names.push_back(candidate.name);
  EXPECT_THAT(names, ElementsAre("__/__/etc/x?[31m", "n", "n#2", "n#3"));
}

}  // namespace
}  // namespace kernel_audit::tasks
