// The main job on the bundled demo: every candidate gets the verdict that its label says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/e2e/cli.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::e2e {
namespace {

TEST(Demo, EveryCandidateGetsTheVerdictOfItsLabel) {
  if (!built("kernel-audit-worker") || !built("kernel-audit-extract"))
    GTEST_SKIP() << "worker or extractor is not built";
  const Scratch scratch;
  const std::string out = scratch.path("out");
  process::Completed done;
  Json results;
  std::size_t labelled = 0;
  std::vector<std::string> unmet;
  const std::set<std::string> honest = {"confirmed", "no-speedup"};
  const std::set<std::string> accuses_nobody = {"inconclusive", "review", "no-speedup"};
  // On a busy machine honest candidates end in a verdict that accuses nobody: inconclusive, review because the baseline
  // drifted, no-speedup by a wide interval. That, and only that, is tried once more.
  for (int attempt = 0; attempt < 2; ++attempt) {
    done = run_cli({"run", "--tasks", source("tasks/demo"), "--candidates", source("tasks/demo"), "--device", "cpu",
                    "--budget", "3", "--fresh", "--out", out},
                   std::chrono::seconds(800));
    ASSERT_EQ(done.exit.reason, process::ExitReason::kExited) << done.standard_error;
    results = read_json_file(out + "/results.json");
    ASSERT_TRUE(results.contains("items")) << done.standard_error;
    labelled = 0;
    unmet.clear();
    bool noise_alone = true;
    for (const Json& item : results["items"]) {
      if (!item.contains("expected_verdict") || item["expected_verdict"].is_null()) continue;
      ++labelled;
      if (item["verdict"] == item["expected_verdict"]) continue;
      noise_alone = noise_alone && honest.contains(item["expected_verdict"].get<std::string>()) &&
                    accuses_nobody.contains(item["verdict"].get<std::string>());
      unmet.push_back(item["candidate"].get<std::string>() + " is " + item["verdict"].get<std::string>() + ": " +
                      item.value("reason", ""));
    }
    if (unmet.empty() || !noise_alone) break;
  }
  EXPECT_THAT(unmet, ::testing::IsEmpty());
  // The demo holds cheats, so the documented exit code is 1.
  EXPECT_EQ(done.exit.code, 1) << done.standard_output << done.standard_error;
  EXPECT_GE(labelled, 12U);
  const Json schema = read_json_file(source("reports/schema/results.schema.json"));
  EXPECT_THAT(testing_support::schema_violations(schema, results), ::testing::IsEmpty());

  // A second call finds everything measured: it must not start over and must say the same.
  const process::Completed again = run_cli({"run", "--tasks", source("tasks/demo"), "--candidates",
                                            source("tasks/demo"), "--device", "cpu", "--budget", "3", "--out", out});
  EXPECT_EQ(again.exit.code, 1);
  EXPECT_EQ(read_json_file(out + "/results.json")["items"], results["items"]);
  EXPECT_EQ(run_cli({"verify", out + "/journal.jsonl"}).exit.code, 0);
  EXPECT_EQ(run_cli({"report", out, "--format", "json"}).exit.code, 1);
}

}  // namespace
}  // namespace kernel_audit::e2e
