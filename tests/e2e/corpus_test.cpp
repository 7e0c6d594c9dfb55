// Real input that we did not write: 250 published rows, 225 with code. Skipped with a reason where it is absent.
#include <gtest/gtest.h>

#include <map>

#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

TEST(Corpus, LintReadsEveryCode) {
  const std::string corpus = shared_folder() + "/corpora/cuda_l1/a100.jsonl";
  if (read_text(corpus).empty()) GTEST_SKIP() << "no corpus at " << corpus;
  if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  const Scratch scratch;
  const process::Completed done =
      run_cli({"lint", corpus, "--out", scratch.path("out"), "--json"}, std::chrono::seconds(300));
  ASSERT_EQ(done.exit.reason, process::ExitReason::kExited);
  EXPECT_EQ(done.exit.code, 1) << done.standard_error;
  Result<Json> results = parse_json(done.standard_output, "stdout");
  ASSERT_TRUE(results) << results.error().describe();
  std::map<std::string, std::string> verdicts;
  for (const Json& item : (*results)["items"]) {
    verdicts[item["candidate"]] = item["verdict"];
    EXPECT_NE(item["verdict"], "not-run") << item.dump();
  }
  EXPECT_EQ(verdicts.size(), 225U);
  // 1/9, 1/13, 2/66, 2/80 and 3/31 hold no kernel of their own; 2/66 and 2/80 return constants.
  for (const char* name : {"1/9", "1/13", "2/66", "2/80", "3/31"}) EXPECT_EQ(verdicts[name], "cheat") << name;
}

}  // namespace
}  // namespace kernel_audit::e2e
