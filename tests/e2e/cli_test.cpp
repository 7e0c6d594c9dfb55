// Bad input gets one clear error that names file, field and remedy, and exit code 2.
#include "tests/e2e/cli.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kernel_audit::e2e {
namespace {

void expect_usage_error(const std::vector<std::string>& arguments, const std::string& named) {
  const process::Completed done = run_cli(arguments);
  EXPECT_EQ(done.exit.code, 2) << arguments[0];
  EXPECT_NE(done.standard_error.find("error: "), std::string::npos) << done.standard_error;
  EXPECT_NE(done.standard_error.find(named), std::string::npos) << done.standard_error;
  EXPECT_EQ(std::count(done.standard_error.begin(), done.standard_error.end(), '\n'), 1) << done.standard_error;
}

TEST(Cli, BadInputIsOneClearError) {
  const Scratch scratch;
  expect_usage_error({"frobnicate"}, "frobnicate");
  expect_usage_error({"lint"}, "CANDIDATES");
  expect_usage_error({"lint", scratch.path("absent.py")}, "absent.py");
  expect_usage_error({"lint", "--level", "one", scratch.path("absent.py")}, "--level");
  expect_usage_error({"lint", "--lev", "1", scratch.path("absent.py")}, "lev");
  expect_usage_error({"filter", "--memory-limit", "8X", scratch.path("absent.py")}, "--memory-limit");
  expect_usage_error({"filter", "--device", "tpu", scratch.path("absent.py")}, "--device");
  expect_usage_error({"filter", scratch.path("absent.jsonl")}, "absent.jsonl");
  expect_usage_error({"report", scratch.path("absent")}, "absent");
  expect_usage_error({"verify", scratch.path("absent.jsonl")}, "absent.jsonl");
  expect_usage_error({"explain", "KA000"}, "KA000");
  const std::string file = scratch.write("candidate.py", "class ModelNew: pass\n");
  expect_usage_error({"lint", "--python", "/nope", file}, "--python");
  expect_usage_error({"lint", "--python", "no-such-python", file}, "--python");
  expect_usage_error({"lint", "--jobs", "0", file}, "--jobs");
  expect_usage_error({"eval", "--budget", "0", file}, "--budget");
  expect_usage_error({"eval", "--attempts", "-1", file}, "--attempts");
  expect_usage_error({"filter", "--time-limit", "nan", file}, "--time-limit");
  expect_usage_error({"report", scratch.write("noise.jsonl", "this is not a journal\n")}, "noise.jsonl");
}

TEST(Cli, HelpAndVersion) {
  EXPECT_EQ(run_cli({"--help"}).exit.code, 0);
  EXPECT_EQ(run_cli({"--version"}).exit.code, 0);
  EXPECT_EQ(run_cli({"explain", "ka201"}).standard_output, run_cli({"explain", "KA201"}).standard_output);
  EXPECT_EQ(run_cli({}).exit.code, 2);
}

TEST(Cli, LintOfOneFile) {
  if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  const Scratch scratch;
  const std::string file = scratch.write("candidate.py",
                                         "import torch\n\n\nclass ModelNew(torch.nn.Module):\n"
                                         "    def forward(self, x):\n        return torch.relu(x)\n");
  const process::Completed done = run_cli({"lint", file, "--out", scratch.path("out")});
  EXPECT_EQ(done.exit.code, 1) << done.standard_output << done.standard_error;
  EXPECT_NE(done.standard_output.find("KA101"), std::string::npos) << done.standard_output;
  EXPECT_NE(done.standard_output.find("candidate.py:6"), std::string::npos) << done.standard_output;
}

// What cannot be read is not forgotten: it has a row and an exit code of its own.
TEST(Cli, AnUnreadableFileBesideGoodOnesIsNotRun) {
  if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  const Scratch scratch;
  scratch.write("good.py",
                "import torch\n\n\nclass ModelNew(torch.nn.Module):\n"
                "    def forward(self, x):\n        return torch.relu(x)\n");
  const std::string bad = scratch.write("latin.py", "# caf\xe9\nclass ModelNew: pass\n");
  const std::string folder = bad.substr(0, bad.rfind('/'));
  const process::Completed done = run_cli({"lint", folder, "--out", scratch.path("out")});
  EXPECT_EQ(done.exit.code, 1) << done.standard_error;
  const Json items = read_json_file(scratch.path("out") + "/results.json")["items"];
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1]["verdict"], "not-run");
  EXPECT_NE(items[1]["reason"].get<std::string>().find("latin.py"), std::string::npos) << items[1]["reason"];
}

TEST(Cli, FilterOfOneSoundTask) {
  if (!built("kernel-audit-worker")) GTEST_SKIP() << "kernel-audit-worker is not built";
  const Scratch scratch;
  const process::Completed done = run_cli({"filter", source("tests/e2e/small/softsign_chain/ref.py"), "--device", "cpu",
                                           "--json", "--out", scratch.path("out")});
  EXPECT_EQ(done.exit.code, 0) << done.standard_output << done.standard_error;
  const Json items = read_json_file(scratch.path("out") + "/results.json")["items"];
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0]["verdict"], "keep");
  EXPECT_EQ(items[0]["reason"], "") << "what was not asked for is no reason";
  EXPECT_EQ(read_json_file(scratch.path("out") + "/manifest.json")["tasks"].size(), 1U);
}

}  // namespace
}  // namespace kernel_audit::e2e
