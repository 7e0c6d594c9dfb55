// The filter from a tree of tasks to what a benchmark would publish: manifest, kept tree, number lists, diff.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "auditor/journal/journal.h"
#include "tests/e2e/cli.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::e2e {
namespace {

std::string task_text(const std::string& result, const std::string& inputs) {
  return "import torch\nimport torch.nn as nn\n\n\nclass Model(nn.Module):\n    def forward(self, x):\n        "
         "return " +
         result + "\n\n\ndef get_inputs():\n    return [" + inputs + "]\n\n\ndef get_init_inputs():\n    return []\n";
}

class FilterRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built("kernel-audit-worker")) GTEST_SKIP() << "kernel-audit-worker is not built";
    scratch_.write("kb/KernelBench/level1/1_Sound.py", sound_);
    scratch_.write("kb/KernelBench/level1/2_Identity.py", task_text("torch.relu(x)", "torch.rand(64, 64)"));
    scratch_.write("kb/KernelBench/level2/1_Broken.py", task_text("x.no_such_method()", "torch.rand(64, 64)"));
  }
  process::Completed filter(const std::string& out, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"filter", scratch_.path("kb"), "--device", "cpu", "-q",
                                          "--out",  scratch_.path(out)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cli(arguments);
  }
  Json manifest(const std::string& out) const { return read_json_file(scratch_.path(out) + "/manifest.json"); }

  const std::string sound_ = task_text("torch.sin(3 * x)", "torch.randn(1024, 512)");
  Scratch scratch_;
};

TEST_F(FilterRun, WritesWhatABenchmarkPublishes) {
  const process::Completed done =
      filter("out", {"--emit-tree", scratch_.path("kept"), "--emit-ids", scratch_.path("ids.json")});
  EXPECT_EQ(done.exit.code, 1) << done.standard_output << done.standard_error;
  EXPECT_NE(done.standard_output.find("level 1: 2 items: 1 keep, 1 drop"), std::string::npos) << done.standard_output;
  const Json found = manifest("out");
  const Json schema = testing_support::read_json_file(source("reports/schema/manifest.schema.json"));
  EXPECT_EQ(testing_support::schema_violations(schema, found), std::vector<std::string>());
  ASSERT_EQ(found["tasks"].size(), 3U);
  EXPECT_EQ(found["tasks"][0]["decision"], "keep");
  EXPECT_EQ(found["tasks"][1]["decision"], "drop");
  EXPECT_EQ(found["tasks"][1]["reasons"][0]["rule"], "KA005");
  EXPECT_FALSE(found["tasks"][1]["reasons"][0]["evidence"].empty());
  EXPECT_EQ(found["tasks"][2]["decision"], "not-run");
  EXPECT_EQ(read_text(scratch_.path("kept/KernelBench/level1/1_Sound.py")), sound_);
  EXPECT_FALSE(std::filesystem::exists(scratch_.path("kept/KernelBench/level1/2_Identity.py")));
  EXPECT_EQ(read_json_file(scratch_.path("ids.json")), Json::parse(R"({"1": [1], "2": []})"));
}

TEST_F(FilterRun, ResumesAndJudgesAnewUnderOtherThresholds) {
  filter("out", {"--level", "1"});
  const auto first = journal::read(scratch_.path("out") + "/journal.jsonl");
  ASSERT_TRUE(first.ok());
  filter("out", {"--level", "1", "--set", "trivial-answer-accepted.enabled=0"});
  const auto second = journal::read(scratch_.path("out") + "/journal.jsonl");
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->size(), first->size() + 1) << "a second plan and no second measurement";
  for (const Json& reason : manifest("out")["tasks"][1]["reasons"]) EXPECT_NE(reason["rule"], "KA005");
  EXPECT_EQ(manifest("out")["settings"]["thresholds"]["filters.trivial-answer-accepted.enabled"], 0.0);
}

// The third task passes through more memory than half of what is free, which is its share beside another one.
TEST_F(FilterRun, SeveralAtOnceDecideAsOneAfterTheOther) {
  scratch_.write("kb/KernelBench/level1/3_Large.py",
                 "def free():\n    return int(next(l for l in open('/proc/meminfo') if l.startswith('MemAvailable'))"
                 ".split()[1]) * 1024\n\n" +
                     task_text("torch.sin(3 * x)",
                               "torch.empty(free() // 2, dtype=torch.uint8)[:0].sum() + "
                               "torch.randn(1024, 512)"));
  const process::Completed done = filter("out", {"--jobs", "2", "--preset", "robust-kbench"});
  EXPECT_EQ(done.standard_error, "");
  const Json found = manifest("out");
  ASSERT_EQ(found["tasks"].size(), 4U);
  for (const int kept : {0, 1, 2}) EXPECT_EQ(found["tasks"][kept]["decision"], "keep") << found["tasks"][kept].dump();
  EXPECT_EQ(found["tasks"][3]["decision"], "not-run");
  const auto journal = journal::read(scratch_.path("out") + "/journal.jsonl");
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ(journal->size(), 6U) << "header, plan and one record of each task";
  filter("again", {"--jobs", "2", "--preset", "robust-kbench", "--memory-limit", "1G", "--ids", "1/3"});
  EXPECT_EQ(manifest("again")["tasks"][0]["decision"], "not-run") << "a limit that was given is no share";
}

// The device's memory, for instance. A worker beside others is kept on processors of its own.
TEST_F(FilterRun, TriesAloneWhatFailsBesideOthers) {
  scratch_.write("kb/KernelBench/level1/3_Crowded.py",
                 "import os\n\n\ndef crowded():\n    if len(os.sched_getaffinity(0)) < os.cpu_count():\n"
                 "        raise RuntimeError('out of memory')\n    return 0\n\n" +
                     task_text("torch.sin(3 * x)", "torch.randn(1024, 512) + crowded()"));
  filter("out", {"--jobs", "2", "--preset", "robust-kbench", "--memory-limit", "4G"});
  const Json tasks = manifest("out")["tasks"];
  ASSERT_EQ(tasks.size(), 4U);
  EXPECT_EQ(tasks[2]["decision"], "keep") << tasks[2].dump();
  EXPECT_EQ(tasks[3]["decision"], "not-run") << "what fails alone, too, ends there";
}

TEST_F(FilterRun, DiffNamesWhatAnotherPresetSays) {
  filter("a", {"--level", "1"});
  filter("b", {"--level", "1", "--preset", "robust-kbench"});
  const process::Completed same = run_cli({"filter", "diff", scratch_.path("a"), scratch_.path("a")});
  EXPECT_EQ(same.exit.code, 0) << same.standard_output;
  const process::Completed other = run_cli({"filter", "diff", scratch_.path("a"), scratch_.path("b/manifest.json")});
  EXPECT_EQ(other.exit.code, 1) << other.standard_error;
  EXPECT_NE(other.standard_output.find("preset: default → robust-kbench"), std::string::npos);
  EXPECT_NE(other.standard_output.find("1/2 2_Identity: drop → keep; no longer KA005 drop"), std::string::npos)
      << other.standard_output;
  const Json json =
      Json::parse(run_cli({"filter", "diff", scratch_.path("a"), scratch_.path("b"), "-f", "json"}).standard_output);
  EXPECT_EQ(json["changed"].size(), 1U);
}

TEST_F(FilterRun, MetrJudgesSharesOfElements) {
  // Three quarters of the elements are zero; nothing else is near anything.
  scratch_.write("kb/KernelBench/level1/3_Sparse.py",
                 task_text("torch.where(x > 0.7, 5 * x, torch.zeros(()))", "torch.randn(1024, 512)"));
  filter("out", {"--level", "1", "--preset", "metr"});
  const Json found = manifest("out")["tasks"];
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0]["decision"], "keep") << found[0]["reasons"].dump();
  EXPECT_EQ(found[0]["seeds"], 3);
  EXPECT_EQ(found[1]["decision"], "keep") << "identity is not among the criteria";
  EXPECT_EQ(found[2]["decision"], "drop");
  EXPECT_EQ(found[2]["reasons"][0]["rule"], "KA001");
}

TEST_F(FilterRun, RunsEveryConfigurationOfATask) {
  scratch_.write(
      "rkb/norm/func_forward.py",
      "import torch\nimport torch.nn as nn\n\n\ndef forward_fn(x, scale):\n    return torch.sin(x * scale)\n\n\n"
      "class Model(nn.Module):\n    def __init__(self, width, scale=3.0):\n        super().__init__()\n"
      "        self.scale = nn.Parameter(torch.full((width,), scale))\n\n"
      "    def forward(self, *args, fn=forward_fn):\n        return fn(*args, self.scale)\n\n\n"
      "def get_inputs(width, batch):\n    return [torch.randn(batch, width)]\n\n\ninput_names = ['x']\n");
  scratch_.write("rkb/norm/config_forward.json",
                 R"({"single_init_configs": [{"scale": 2.5}, {"scale": 0.0}], "single_input_configs": [{"batch": 32}],
                     "single_shared_configs": [{"width": 64}]})");
  const process::Completed done = run_cli({"filter", scratch_.path("rkb"), "--device", "cpu", "-q", "--preset",
                                           "robust-kbench", "--out", scratch_.path("out")});
  EXPECT_EQ(done.exit.code, 1) << done.standard_output << done.standard_error;
  const Json found = manifest("out")["tasks"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["decision"], "keep") << found[0]["reasons"].dump();
  EXPECT_EQ(found[0]["configuration"]["inputs"], Json::parse(R"({"batch": 32, "width": 64})"));
  EXPECT_EQ(found[1]["decision"], "drop") << "scaled to nothing";
}

// Manifest verdicts against the published flags, for a few quick tasks of which half are flagged.
TEST(FilterGroundTruth, ManifestHasThePublishedFlags) {
  const std::string table = shared_folder() + "/ground_truth/task_flags_v0.csv";
  const std::string corpus = shared_folder() + "/corpora/cuda_l1/a100.jsonl";
  if (shared_folder().empty() || !std::filesystem::exists(table) || !std::filesystem::exists(corpus)) {
    GTEST_SKIP() << "the published table or its tasks are absent; set KERNEL_AUDIT_SHARED to where they are";
  }
  if (!built("kernel-audit-worker")) GTEST_SKIP() << "kernel-audit-worker is not built";
  const Scratch scratch;
  run_cli({"filter", corpus, "--ids", "1/38,1/50,1/93,1/94,1/96,1/97,1/100", "--device", "cpu", "-q", "--preset",
           "robust-kbench", "--out", scratch.path("out")},
          std::chrono::seconds(280));
  std::map<std::string, std::vector<std::string>> published;
  std::istringstream lines(read_text(table));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',') && cells.size() < 7;) cells.push_back(cell);
    if (cells.size() == 7) published[cells[0] + "/" + cells[1]] = cells;
  }
  const Json tasks = read_json_file(scratch.path("out/manifest.json"))["tasks"];
  ASSERT_EQ(tasks.size(), 7U);
  for (const Json& task : tasks) {
    const std::string key = task["key"].get<std::string>();
    ASSERT_TRUE(published.contains(key)) << key;
    std::size_t column = 3;
    bool any = false;
    for (const char* flag : {"output_range", "output_std", "output_axes", "input_impact"}) {
      const bool wanted = published[key][column++] == "1";
      EXPECT_EQ(task["flags"][flag], wanted) << key << " " << flag;
      any = any || wanted;
    }
    EXPECT_EQ(task["decision"], any ? "drop" : "keep") << key;
  }
}

TEST_F(FilterRun, AsksBeforeItOverwrites) {
  scratch_.write("mine/notes.txt", "mine");
  const process::Completed done = filter("out", {"--emit-tree", scratch_.path("mine")});
  EXPECT_EQ(done.exit.code, 2);
  EXPECT_NE(done.standard_error.find("--emit-tree"), std::string::npos) << done.standard_error;
  EXPECT_FALSE(std::filesystem::exists(scratch_.path("out/journal.jsonl"))) << "found before anything was measured";
}

TEST(FilterOptions, AreCheckedBeforeAnythingRuns) {
  const std::string task = source("tests/e2e/small/softsign_chain/ref.py");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--set", "seed-std.drop_tolerance=much"},
                                                {"--set", "no-such.rule=1"},
                                                {"--seeds", "1"},
                                                {"--atol", "-1"},
                                                {"--preset", "hearsay"},
                                                {"--configurations", "some"},
                                                {"--baselines", "fast"}}) {
    std::vector<std::string> arguments = {"filter", task, "--out", Scratch().path("out")};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(run_cli(arguments).exit.code, 2) << wrong[0] << " " << wrong[1];
  }
  EXPECT_EQ(run_cli({"filter", "diff", "only-one"}).exit.code, 2);
  EXPECT_EQ(run_cli({"filter", "presets"}).exit.code, 0);
  EXPECT_EQ(run_cli({"filter", "presets", "robust-kbench"}).exit.code, 0);
  EXPECT_EQ(run_cli({"filter", "presets", "hearsay"}).exit.code, 2);
}

}  // namespace
}  // namespace kernel_audit::e2e
