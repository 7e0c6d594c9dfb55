// `kill -9` of the supervisor or of any of its processes at any moment loses at most the item in flight: the next
// run of the same command finishes, keeps every record that was there, and measures no item twice that was whole.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "auditor/journal/journal.h"
#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

using std::chrono::milliseconds;

std::size_t evidence_count(const std::string& path) {
  Result<std::vector<journal::Record>> records = journal::read(path);
  std::size_t count = 0;
  if (!records) return 0;
  for (const journal::Record& record : *records) count += record.kind == "evidence" ? 1 : 0;
  return count;
}

TEST(Kill, AnyProcessAtAnyMoment) {
  if (!built("kernel-audit-worker") || !built("kernel-audit-extract"))
    GTEST_SKIP() << "worker or extractor is not built";
  const Scratch scratch;
  const std::string out = scratch.path("out");
  const std::vector<std::string> command = {"run",
                                            "--tasks",
                                            source("tests/e2e/small"),
                                            "--candidates",
                                            source("tests/e2e/small"),
                                            "--device",
                                            "cpu",
                                            "--budget",
                                            "1",
                                            "--retry",
                                            "--out",
                                            out};
  std::mt19937 random(20240607);
  std::size_t recorded = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    Result<process::Child> child = process::Child::spawn(options_for(command, std::chrono::seconds(300)));
    ASSERT_TRUE(child) << child.error().describe();
    const bool ended = child->wait(milliseconds(500 + random() % 12000)).has_value();
    if (!ended) {
      std::vector<pid_t> targets = descendants(child->pid());
      targets.push_back(child->pid());
      const bool supervisor = attempt % 2 == 0 || targets.size() == 1;
      ::kill(supervisor ? child->pid() : targets[random() % (targets.size() - 1)], SIGKILL);
      if (!supervisor) {
        ASSERT_TRUE(child->wait(std::chrono::seconds(250)).has_value())
            << "the run did not survive the death of one of its processes";
      }
      child->kill_tree();
    }
    const std::size_t now = evidence_count(out + "/journal.jsonl");
    EXPECT_GE(now, recorded) << "a record was lost";
    recorded = now;
  }
  const process::Completed last = run_cli(command, std::chrono::seconds(300));
  ASSERT_EQ(last.exit.reason, process::ExitReason::kExited) << last.standard_error;
  EXPECT_NE(last.exit.code, 2) << last.standard_error;
  EXPECT_EQ(run_cli({"verify", out + "/journal.jsonl"}).exit.code, 0);
  for (const Json& item : read_json_file(out + "/results.json")["items"]) {
    EXPECT_NE(item["verdict"], "not-run") << item.dump();
  }
}

}  // namespace
}  // namespace kernel_audit::e2e
