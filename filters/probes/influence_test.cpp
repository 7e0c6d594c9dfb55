// Parameters and buffers varied alone: what replays of a tape say is what passes of the model say, and what one pass
// says of all buffers is what a pass for each does.
#include "filters/probes/influence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "auditor/process/device_turns.h"
#include "filters/evidence.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

class Influences : public ::testing::Test {
 protected:
  TaskEvidence run(const std::string& init, const std::string& forward, int tape_from_calls) {
    const std::string path = tasks_.write(
        "import ctypes, torch\nimport torch.nn as nn\n"
        "class Model(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        " +
        init + "\n    def forward(self, x):\n        " + forward +
        "\ndef get_inputs():\n    return [torch.randn(16, 32)]\n");
    const auto request = read_probe_request({{"task", {{"path", path}}}, {"tape_from_calls", tape_from_calls}});
    MemoryBudget budget(0);
    process::DeviceTurns turns(nullptr);
    auto session = TaskSession::load(*request, budget, turns);
    EXPECT_TRUE(session) << (session ? "" : session.error().describe());
    const Stopwatch watch(300, /*processor_time=*/true);
    TaskEvidence evidence;
    const SeedsOutcome seeds = run_seeds_probe(**session, watch, evidence);
    EXPECT_TRUE(seeds.complete);
    run_single_influences(**session, watch, seeds, evidence);
    EXPECT_TRUE(evidence.missing.empty()) << Json(evidence.missing).dump();
    return evidence;
  }

  static std::map<std::string, double> changes(const TaskEvidence& evidence, const std::string& kind) {
    std::map<std::string, double> all;
    for (const Influence& influence : evidence.influences) {
      if (influence.kind == kind && influence.max_change) {
        all[influence.name + " " + influence.variation] = *influence.max_change;
      }
    }
    return all;
  }

  static int replays(const TaskEvidence& evidence) {
    const Json tape = evidence.extra.value("influence_tape", Json::object());
    EXPECT_FALSE(tape.contains("missing")) << tape.dump();
    return tape.value("replays", 0);
  }

  TemporaryTasks tasks_;
};

constexpr int kNever = 1 << 20;
// Seventeen parameters; `dead` is one that torch sees read, and that moves nothing.
constexpr const char* kMany =
    "self.net = nn.Sequential(*[m for _ in range(3) for m in (nn.Linear(32, 32), nn.BatchNorm1d(32), nn.Tanh())])\n"
    "        self.last = nn.Sequential(nn.Linear(32, 32), nn.LayerNorm(32))\n        self.dead = "
    "nn.Parameter(torch.randn(32))\n"
    "        self.drop = nn.Dropout(0.5)";
constexpr const char* kForward = "y = self.net(x) + 0 * self.dead\n        return self.drop(self.last(y)).relu_() + y";

TEST_F(Influences, ReplaysSayWhatPassesSay) {
  TaskEvidence passes = run(kMany, kForward, kNever);
  const TaskEvidence replayed = run(kMany, kForward, 1);
  EXPECT_EQ(passes.extra["influence_tape"]["missing"], "it would have few calls");
  EXPECT_GT(replays(replayed), 8);
  const auto changed = changes(passes, "parameter");
  EXPECT_GE(changed.size(), 17U);
  EXPECT_EQ(changed, changes(replayed, "parameter"));
  EXPECT_EQ(changed.at("dead resample"), 0);
  EXPECT_GT(changed.at("last.0.weight resample"), 0.01);
}

// Memory is read past torch: the tape says that nothing changes, and is not believed.
TEST_F(Influences, AReplayThatShowsNothingIsNotBelieved) {
  const std::string init =
      std::string(kMany) + "\n        self.hidden = nn.ParameterList([nn.Parameter(torch.ones(1))])";
  const std::string forward =
      "s = ctypes.c_float.from_address(self.hidden[0].data_ptr()).value\n        " + std::string(kForward) + " * s";
  TaskEvidence evidence = run(init, forward, 1);
  EXPECT_GT(evidence.extra["influence_tape"]["replays"], 8);
  EXPECT_EQ(evidence.extra["influence_tape"]["missing"], "a replay says another thing than a pass");
  EXPECT_GT(changes(evidence, "parameter").at("hidden.0 resample"), 0.01);
}

TEST_F(Influences, BuffersThatNothingReadsAreToldInOnePass) {
  const std::string init = "self.a = nn.BatchNorm1d(32)\n        self.b = nn.BatchNorm1d(32)";
  const TaskEvidence evidence = run(init, "return self.b(self.a(x))", kNever);
  const auto buffers = changes(evidence, "buffer");
  for (const char* name : {"a.running_mean", "a.running_var", "b.running_mean", "b.running_var"}) {
    EXPECT_EQ(buffers.at(std::string(name) + " shift"), 0) << name;
  }
  EXPECT_EQ(std::count_if(evidence.influences.begin(), evidence.influences.end(),
                          [](const Influence& influence) { return influence.name == "a.num_batches_tracked"; }),
            4);
}

TEST_F(Influences, EachBufferSpeaksForItselfWhereOneMatters) {
  const std::string init = "self.a = nn.BatchNorm1d(32)\n        self.register_buffer('scale', torch.ones(32))";
  const auto buffers = changes(run(init, "return self.a(x) * self.scale", kNever), "buffer");
  EXPECT_GT(buffers.at("scale shift"), 0.1);
  EXPECT_EQ(buffers.at("a.running_mean shift"), 0);
  EXPECT_EQ(buffers.at("a.running_var shift"), 0);
}

}  // namespace
}  // namespace kernel_audit::filters
