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

// A candidate of so many kernels, each launched or not, keeps the rules at work: 50 for about a second, 250 for
// minutes.
std::string with_kernels(int count) {
  std::string kernels, launches;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    kernels += "@triton.jit\ndef k" + number +
               "(x, y, n, B: tl.constexpr):\n    o = tl.program_id(0) * B + tl.arange(0, B)\n"
               "    tl.store(y + o, tl.load(x + o, mask=o < n) * " +
               number + ".0, mask=o < n)\n\n\n";
    launches += "        if x.shape[0] > " + number + ":\n            k" + number +
                "[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), B=256)\n            x = y + x\n";
  }
  return "import torch\nimport triton\nimport triton.language as tl\n\n\n" + kernels +
         "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n" + launches +
         "        return y\n";
}

class LintInterrupt : public Lint {
 protected:
  static constexpr int kCandidates = 80;

  void SetUp() override {
    Lint::SetUp();
    const std::string text = with_kernels(50);
    for (int i = 0; i < kCandidates; ++i)
      scratch_.write("many/k" + std::to_string(i) + ".py", text + "# " + std::to_string(i) + "\n");
  }

  process::Exit interrupted(std::vector<std::string> arguments, int signal, std::string& output) {
    arguments.insert(arguments.begin(), {"lint", "--jobs", "2"});
    Result<process::Child> child = process::Child::spawn(options_for(arguments, std::chrono::seconds(120)));
    EXPECT_TRUE(child.ok());
    EXPECT_FALSE(child->wait(milliseconds(2500)).has_value()) << "there was not enough work to interrupt";
    const std::vector<pid_t> below = descendants(child->pid());
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
    const process::Exit exit = interrupted({scratch_.path("many"), "--format", "json"}, signal, output);
    EXPECT_EQ(exit.reason, process::ExitReason::kExited) << exit.describe();
    EXPECT_EQ(exit.code, 130);
    const Result<Json> json = parse_json(output, "stdout");
    ASSERT_TRUE(json.ok()) << output;
    EXPECT_EQ((*json)["exit_code"], 130);
    EXPECT_EQ((*json)["items"].size(), std::size_t{kCandidates});
  }
}

// One candidate whose rules take long: they cannot be asked to stop.
TEST_F(LintInterrupt, EndsAtOnceWhileRulesRun) {
  const std::string file = scratch_.write("slow.py", with_kernels(250));
  std::string output;
  EXPECT_EQ(interrupted({file, "--format", "json"}, SIGTERM, output).code, 130);
  EXPECT_TRUE(parse_json(output, "stdout").ok()) << output;
  EXPECT_EQ(interrupted({file, "--out", scratch_.path("out")}, SIGTERM, output).code, 130);
  EXPECT_EQ(run_cli({"verify", scratch_.path("out")}).exit.code, 0);
}

TEST_F(LintInterrupt, CacheAndBaselineStayWhole) {
  const std::string cache = scratch_.path("cache"), baseline = scratch_.write("baseline.json", "as it was");
  std::string output;
  EXPECT_EQ(interrupted({scratch_.path("many"), "--cache", cache, "--write-baseline", baseline}, SIGTERM, output).code,
            130);
  EXPECT_EQ(read_text(baseline), "as it was");
  for (const auto& entry : std::filesystem::directory_iterator(cache))
    EXPECT_TRUE(read_json_file(entry.path().string()).is_object()) << entry.path();
}

TEST_F(LintInterrupt, AJournalHoldsNoFaultOfTheInterrupt) {
  std::string output;
  const std::string out = scratch_.path("out");
  EXPECT_EQ(interrupted({scratch_.path("many"), "--out", out}, SIGTERM, output).code, 130);
  EXPECT_EQ(run_cli({"verify", out}).exit.code, 0);
  EXPECT_EQ(read_text(out + "/journal.jsonl").find("called off"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::e2e
