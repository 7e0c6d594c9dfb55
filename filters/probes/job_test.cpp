// The probe job against tasks that do not fit, fail, misbehave or are stateful. One process, one import of
// torch; tasks are written to a temporary folder.
#include "filters/probes/job.h"

#include <gtest/gtest.h>

#include "filters/engine.h"
#include "filters/presets.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

class ProbeJob : public ::testing::Test {
 protected:
  Json job(const std::string& body, const std::string& inputs) {
    const std::string path =
        tasks_.write("import torch\nimport torch.nn as nn\n\nclass Model(nn.Module):\n" + body +
                     "\ndef get_inputs():\n    " + inputs + "\n\ndef get_init_inputs():\n    return []\n");
    return Json{{"kind", "probe"}, {"task", {{"path", path}, {"name", "task"}}}};
  }

  static TaskEvidence run(const Json& request) {
    const auto result = run_probe_job(request);
    EXPECT_TRUE(result.ok()) << result.error().describe();
    const auto evidence = read_json<TaskEvidence>(result.value(), "evidence");
    EXPECT_TRUE(evidence.ok()) << evidence.error().describe();
    return evidence.value();
  }

  static const Influence* find(const TaskEvidence& evidence, const std::string& kind, const std::string& name,
                               const std::string& variation) {
    for (const Influence& influence : evidence.influences) {
      if (influence.kind == kind && influence.name == name && influence.variation == variation) return &influence;
    }
    return nullptr;
  }

 private:
  TemporaryTasks tasks_;
};

// Uses up processor time, by which limits are kept on the CPU.
const std::string kBurn =
    "\ndef burn(seconds):\n    import time\n    end = time.process_time() + seconds\n"
    "    while time.process_time() < end: pass\n";
const char* const kRelu = "    def forward(self, x):\n        return torch.relu(x)\n";

TEST_F(ProbeJob, MalformedJobsAreErrors) {
  EXPECT_FALSE(run_probe_job(Json::object()).ok());
  Json request = job(kRelu, "return [torch.randn(4)]");
  request["device"] = "abacus";
  EXPECT_FALSE(run_probe_job(request).ok());
  request = job(kRelu, "return [torch.randn(4)]");
  request["seeds"] = 1;
  EXPECT_FALSE(run_probe_job(request).ok());
  request["seeds"] = 5;
  request["preset"] = "unheard-of";
  EXPECT_FALSE(run_probe_job(request).ok());
}

TEST_F(ProbeJob, InputsBeyondTheMemoryLimitAreRefusedBeforeTheyExist) {
  Json request = job(kRelu, "return [torch.rand(1 << 34)]");  // 64 GiB
  request["memory_limit_bytes"] = std::int64_t{1} << 30;
  const TaskEvidence evidence = run(request);
  const std::string& reason = evidence.missing.at(kWholeTask);
  EXPECT_NE(reason.find("68719476736 bytes"), std::string::npos) << reason;
  EXPECT_NE(reason.find("1073741824"), std::string::npos) << reason;
  EXPECT_EQ(filter_verdict(summarize(evidence, Policy{})), Verdict::kNotRun);
}

TEST_F(ProbeJob, OutputsBeyondTheMemoryLimitAreRefused) {
  Json request =
      job("    def forward(self, x):\n        return x[:, None] * x[None, :2]\n", "return [torch.rand(1 << 25)]");
  request["memory_limit_bytes"] = std::int64_t{400} << 20;  // the output has 256 MiB, its statistics need 1 GiB
  TaskEvidence evidence = run(request);
  EXPECT_NE(evidence.missing.at(kWholeTask).find("67108864 elements"), std::string::npos)
      << evidence.missing.at(kWholeTask);
  EXPECT_EQ(evidence.output_bytes, 0u);  // decided before forward ran
  // From small inputs: once forward has run.
  request = job("    def forward(self, x):\n        return x[:, None] * x[None, :]\n", "return [torch.rand(8192)]");
  request["memory_limit_bytes"] = std::int64_t{400} << 20;
  evidence = run(request);
  EXPECT_NE(evidence.missing.at(kWholeTask).find("the spread over seeds needs 1073741824 bytes"), std::string::npos)
      << evidence.missing.at(kWholeTask);
}

TEST_F(ProbeJob, WhatDoesNotFitTheTimeIsNotRunWithTheNumber) {
  const char* const slow =
      "    def forward(self, x):\n        for _ in range(40):\n            x = torch.tanh(x @ x)\n        return x\n";
  Json request = job(slow, "return [torch.randn(512, 512)]");
  request["preset"] = "robust-kbench";
  request["time_limit_s"] = 0.05;
  TaskEvidence evidence = run(request);
  EXPECT_NE(evidence.missing.at(kWholeTask).find("only 1 of 5 seeds"), std::string::npos)
      << evidence.missing.at(kWholeTask);
  // Two turns fit, five do not: the second one is what the refusal names.
  request = job("    def forward(self, x):\n        burn(0.4)\n        return x\n" + kBurn, "return [torch.randn(8)]");
  request["preset"] = "robust-kbench";
  request["time_limit_s"] = 1.0;
  evidence = run(request);
  EXPECT_NE(evidence.missing.at(kWholeTask).find("5 passes of about 0.4"), std::string::npos)
      << evidence.missing.at(kWholeTask);
}

// Libraries that load and choose kernels at their first call: what that takes is not the time of a pass.
TEST_F(ProbeJob, WhatOnlyTheFirstTurnNeedsRefusesNothing) {
  Json request =
      job("    calls = 0\n    def forward(self, x):\n        Model.calls += 1\n"
          "        if Model.calls == 1: burn(1.2)\n        return x + 1\n" +
              kBurn,
          "return [torch.randn(64)]");
  request["preset"] = "robust-kbench";
  request["time_limit_s"] = 2.0;
  TaskEvidence evidence = run(request);
  EXPECT_FALSE(evidence.missing.contains(kWholeTask)) << evidence.missing.at(kWholeTask);
  EXPECT_EQ(evidence.seeds, 5);
  EXPECT_LT(evidence.forward_ms.value_or(1e9), 600);
  request.erase("preset");
  evidence = run(request);
  EXPECT_GE(evidence.seeds, 5);
}

// Near a threshold more seeds are drawn, in their share of the time limit, whatever one of the first ones cost.
TEST_F(ProbeJob, FurtherSeedsThatCostMoreEndByTheClock) {
  Json request =
      job("    calls = 0\n    def forward(self, x):\n        Model.calls += 1\n"
          "        if Model.calls > 6: burn(0.1)\n        return torch.tanh(x) * 1.1e-4\n" +
              kBurn,
          "return [torch.randn(16, 32) * 10]");
  request["time_limit_s"] = 3.0;
  const TaskEvidence evidence = run(request);
  EXPECT_LE(evidence.seeds, 12) << evidence.seeds_stopped;
  EXPECT_NE(evidence.seeds_stopped.find("the time limit, with more to ask"), std::string::npos)
      << evidence.seeds_stopped;
}

TEST_F(ProbeJob, FailuresOfTheTaskAreReasons) {
  TaskEvidence evidence = run(job(kRelu, "raise RuntimeError('no data today')"));
  EXPECT_NE(evidence.missing.at(kWholeTask).find("no data today"), std::string::npos);
  evidence = run(job("    def forward(self, x):\n        return 'text'\n", "return [torch.randn(4)]"));
  EXPECT_TRUE(evidence.missing.contains(kWholeTask));
  Json request = job(kRelu, "return [torch.randn(4)]");
  request["task"]["path"] = "/nonexistent/task.py";
  EXPECT_TRUE(run(request).missing.contains(kWholeTask));
}

TEST_F(ProbeJob, InputsChangedInPlaceAreNotMistakenForAnAnswer) {
  const TaskEvidence evidence =
      run(job("    def forward(self, x):\n        return torch.relu_(x)\n", "return [torch.randn(64, 64)]"));
  EXPECT_TRUE(evidence.missing.empty()) << Json(evidence.missing).dump();
  for (const TrivialAnswer& answer : evidence.trivial_answers) EXPECT_FALSE(answer.accepted) << answer.answer;
  ASSERT_NE(find(evidence, "input", "0", "sign"), nullptr);
  EXPECT_GT(find(evidence, "input", "0", "sign")->max_change.value_or(0), 1.0);
}

TEST_F(ProbeJob, MasksLabelsAndPlainNumbersAreVariedAsFarAsTheyGo) {
  const TaskEvidence evidence = run(job("    def forward(self, x, mask, s):\n        return x * mask * s\n",
                                        "return [torch.randn(64, 64), torch.randint(0, 2, (64, 64)).bool(), 3.0]"));
  EXPECT_GT(find(evidence, "input", "1", "resample")->max_change.value_or(0), 0.1);
  EXPECT_FALSE(find(evidence, "input", "1", "scale")->max_change.has_value());
  EXPECT_FALSE(find(evidence, "input", "1", "scale")->missing.empty());
  EXPECT_FALSE(find(evidence, "input", "2", "resample")->max_change.has_value());  // constant
  EXPECT_GT(find(evidence, "input", "2", "scale")->max_change.value_or(0), 0.1);
  EXPECT_NE(filter_verdict(summarize(evidence, Policy{})), Verdict::kDrop);
}

TEST_F(ProbeJob, RandomForwardIsHeldFixedAndStatefulForwardIsSaid) {
  const TaskEvidence random =
      run(job("    def __init__(self):\n        super().__init__()\n        self.drop = nn.Dropout(0.5)\n"
              "    def forward(self, x):\n        return self.drop(x)\n",
              "return [torch.randn(64, 64)]"));
  EXPECT_EQ(random.extra.at("random_forward"), true);
  EXPECT_EQ(random.extra.at("repeat_max_change"), 0.0);
  EXPECT_FALSE(random.missing.contains(kInfluenceProbe));
  const TaskEvidence stateful =
      run(job("    def __init__(self):\n        super().__init__()\n        self.calls = 0\n"
              "    def forward(self, x):\n        self.calls += 1\n        return x + self.calls\n",
              "return [torch.randn(64, 64)]"));
  EXPECT_TRUE(stateful.missing.contains(kInfluenceProbe));
}

TEST_F(ProbeJob, IntegerAndSeveralOutputs) {
  const TaskEvidence evidence =
      run(job("    def forward(self, x):\n        return x.max(dim=1)\n", "return [torch.randn(64, 64)]"));
  ASSERT_EQ(evidence.outputs.size(), 2u);
  EXPECT_EQ(evidence.outputs[0].dtype, "float32");
  EXPECT_EQ(evidence.outputs[1].dtype, "int64");
  EXPECT_GT(evidence.outputs[1].maximum.value_or(0), 32.0);
  EXPECT_NE(filter_verdict(summarize(evidence, Policy{})), Verdict::kDrop);
}

TEST_F(ProbeJob, EqualJobsGiveEqualEvidence) {
  const Json request = job(kRelu, "return [torch.randn(64, 64)]");
  TaskEvidence first = run(request), second = run(request);
  for (TaskEvidence* evidence : {&first, &second}) {
    evidence->forward_ms.reset();
    evidence->peak_resident_bytes = 0;
    evidence->numerics->fastest_forward_ms.reset();
    EXPECT_GT(evidence->cost->eager_ms.value_or(0), 0);
    evidence->cost->eager_ms = evidence->cost->roofline_ms = evidence->cost->eager_over_roofline = std::nullopt;
    evidence->cost->peaks = {};
    evidence->extra.erase("seconds");
    EXPECT_EQ(evidence->extra.at("probe_seconds").size(), 9U);
    evidence->extra.erase("probe_seconds");
    for (Json& passes : evidence->extra["mutant_passes"]) {
      passes.erase("pass_s");
      passes.erase("replay_s");
    }
    evidence->extra.erase("device_wait_s");
  }
  EXPECT_EQ(Json(first), Json(second));
}

}  // namespace
}  // namespace kernel_audit::filters
