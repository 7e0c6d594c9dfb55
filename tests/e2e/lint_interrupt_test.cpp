// An interrupt ends `lint` at once: exit code 130, what was found until then, no process left, and a cache that serves.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <thread>

#include "tests/e2e/lint.h"

namespace kernel_audit::e2e {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

bool alive(pid_t pid) { return ::kill(pid, 0) == 0; }

class LintInterrupt : public Lint {
 protected:
  // Enough work for many seconds, each candidate another one.
  void SetUp() override {
    Lint::SetUp();
    const std::string text = read_text(source("analysis/rules/side-stream/good/refuses_capture.cu"));
    for (int i = 0; i < 200; ++i)
      scratch_.write("many/k" + std::to_string(i) + ".cu", text + "// " + std::to_string(i) + "\n");
  }

  process::Exit interrupted(std::vector<std::string> arguments, int signal, std::string& output) {
    arguments.insert(arguments.begin(), {"lint", scratch_.path("many"), "--jobs", "2"});
    Result<process::Child> child = process::Child::spawn(options_for(arguments, std::chrono::seconds(120)));
    EXPECT_TRUE(child.ok());
    EXPECT_FALSE(child->wait(milliseconds(2500)).has_value()) << "there was not enough work to interrupt";
    const std::vector<pid_t> below = descendants(child->pid());
    EXPECT_FALSE(below.empty());
    const auto start = Clock::now();
    ::kill(child->pid(), signal);
    const std::optional<process::Exit> exit = child->wait(std::chrono::seconds(30));
    EXPECT_TRUE(exit.has_value());
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
    for (int i = 0; i < 40 && std::any_of(below.begin(), below.end(), alive); ++i)
      std::this_thread::sleep_for(milliseconds(50));
    EXPECT_FALSE(std::any_of(below.begin(), below.end(), alive)) << "a process is left";
    output = child->standard_output();
    return exit.value_or(process::Exit{});
  }
};

TEST_F(LintInterrupt, EndsAtOnceWithWhatIsThere) {
  for (const int signal : {SIGTERM, SIGINT}) {
    std::string output;
    const process::Exit exit = interrupted({"--format", "json"}, signal, output);
    EXPECT_EQ(exit.reason, process::ExitReason::kExited) << exit.describe();
    EXPECT_EQ(exit.code, 130);
    const Result<Json> json = parse_json(output, "stdout");
    ASSERT_TRUE(json.ok()) << output;
    EXPECT_EQ((*json)["exit_code"], 130);
    EXPECT_EQ((*json)["items"].size(), 200U);
  }
}

TEST_F(LintInterrupt, CacheAndBaselineStayWhole) {
  const std::string cache = scratch_.path("cache"), baseline = scratch_.write("baseline.json", "as it was");
  std::string output;
  EXPECT_EQ(interrupted({"--cache", cache, "--write-baseline", baseline}, SIGTERM, output).code, 130);
  EXPECT_EQ(read_text(baseline), "as it was");
  for (const auto& entry : std::filesystem::directory_iterator(cache))
    EXPECT_TRUE(read_json_file(entry.path().string()).is_object()) << entry.path();
}

TEST_F(LintInterrupt, AJournalHoldsNoFaultOfTheInterrupt) {
  std::string output;
  const std::string out = scratch_.path("out");
  EXPECT_EQ(interrupted({"--out", out}, SIGTERM, output).code, 130);
  EXPECT_EQ(run_cli({"verify", out}).exit.code, 0);
  EXPECT_EQ(read_text(out + "/journal.jsonl").find("called off"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::e2e
