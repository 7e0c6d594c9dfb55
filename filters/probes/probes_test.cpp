// Trivial answers, numerics, distributions and cost on small tasks whose answer is known.
#include <gtest/gtest.h>

#include <algorithm>

#include "filters/evidence.h"
#include "filters/probes/job.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

class Probes : public ::testing::Test {
 protected:
  TaskEvidence run(const std::string& forward, const std::string& inputs = "[torch.randn(16, 32)]",
                   const std::string& init = "pass", const Json& extra = Json::object()) {
    const std::string path = tasks_.write(
        "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nclass Model(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        " +
        init + "\n    def forward(self, x, *more):\n        " + forward + "\n\ndef get_inputs():\n    return " +
        inputs + "\n");
    Json job = {{"task", {{"path", path}}}};
    job.update(extra);
    const auto result = run_probe_job(job);
    EXPECT_TRUE(result.ok()) << result.error().describe();
    const auto evidence = read_json<TaskEvidence>(*result, "evidence");
    EXPECT_TRUE(evidence.ok()) << evidence.error().describe();
    EXPECT_TRUE(evidence->missing.empty()) << Json(evidence->missing).dump();
    return *evidence;
  }

  static bool accepts(const TaskEvidence& evidence, const std::string& kind, const std::string& part = "") {
    return std::any_of(evidence.trivial_answers.begin(), evidence.trivial_answers.end(), [&](const TrivialAnswer& a) {
      return a.kind == kind && a.accepted && a.seeds_tried > 0 && a.answer.find(part) != std::string::npos;
    });
  }

  static const Waste* waste(const TaskEvidence& evidence, const std::string& kind) {
    for (const Waste& found : evidence.cost->waste) {
      if (found.kind == kind) return &found;
    }
    return nullptr;
  }

  static const DistributionResult& under(const TaskEvidence& evidence, const std::string& name) {
    for (const DistributionResult& result : evidence.distributions) {
      if (result.name == name) return result;
    }
    static const DistributionResult none;
    ADD_FAILURE() << name;
    return none;
  }

 private:
  TemporaryTasks tasks_;
};

TEST_F(Probes, PartsOfInputsAreAnswers) {
  EXPECT_TRUE(accepts(run("return x[:, -1] * 1.0"), "input-part", "the last slice along axis 1 of input 0"));
  EXPECT_TRUE(accepts(run("return x[:8, :4] * 1.0"), "input-part", "the first elements of input 0"));
  EXPECT_FALSE(accepts(run("return x[:, 5] * 1.0"), "input-part"));
}

TEST_F(Probes, HalfOfTheWorkIsAnAnswerWhereTheRestDoesNotShow) {
  // The mean of 2^20 uniform numbers is 0.5 whichever half of them is taken; that of sixteen is not.
  const std::string many = "[torch.rand(4, 1 << 20)]";
  EXPECT_TRUE(accepts(run("return x.mean(dim=1)", many, "pass", {{"compat", "kernelbench-v0"}}), "half-reduction"));
  EXPECT_FALSE(accepts(run("return x.mean(dim=1)", "[torch.rand(4, 16)]"), "half-reduction"));
  EXPECT_TRUE(accepts(run("return torch.tanh(x)", "[torch.ones(1, 32).expand(16, 32) * torch.rand(1)]"), "half-rows"));
  EXPECT_FALSE(accepts(run("return torch.tanh(x)"), "half-rows"));
}

TEST_F(Probes, LowPrecisionAndOtherSeeds) {
  EXPECT_TRUE(accepts(run("return torch.tanh(x)", "[torch.randn(16, 32)]", "pass", {{"compat", "kernelbench-v0"}}),
                      "low-precision", "bfloat16"));
  EXPECT_FALSE(accepts(run("return torch.tanh(x)"), "low-precision"));
  EXPECT_TRUE(
      accepts(run("return self.p + 1e-6 * x.sum()", "[torch.randn(4)]", "self.p = nn.Parameter(torch.randn(4))"),
              "other-seed", "another seed's inputs"));
}

TEST_F(Probes, TolerancesCanBeSet) {
  const TaskEvidence evidence =
      run("return 0.3 * torch.tanh(x)", "[torch.randn(16, 32)]", "pass", {{"atol", 0.5}, {"rtol", 0.0}});
  EXPECT_EQ(evidence.atol, 0.5);
  EXPECT_TRUE(accepts(evidence, "zeros"));
  EXPECT_EQ(run("return x * 2", "[torch.randn(8)]", "pass", {{"compat", "robust-kbench"}}).rtol, 1e-5);
}

TEST_F(Probes, NumericsCompareWithDouble) {
  TaskEvidence evidence = run("return (x @ x.t()) / 3");
  EXPECT_LT(evidence.numerics->fp64_max_error.value_or(1), 1e-4);
  EXPECT_EQ(evidence.numerics->fp64_rejected, 0);
  EXPECT_EQ(evidence.numerics->deterministic, true);
  EXPECT_LT(evidence.numerics->tolerance_over_spread.value_or(1), 0.1);
  EXPECT_GT(evidence.numerics->fastest_forward_ms.value_or(0), 0);
  // The difference of two large numbers is lost in fp32.
  evidence = run("return (x + 1e6) - 1e6");
  EXPECT_GT(evidence.numerics->fp64_rejected.value_or(0), 0);
  EXPECT_GT(evidence.numerics->fp64_max_error_in_tolerance.value_or(0), 1);
  evidence = run("return F.dropout(x, 0.5)");
  EXPECT_FALSE(evidence.numerics->fp64_max_error.has_value());
  EXPECT_NE(evidence.numerics->missing.at("fp64_max_error"), "");
  EXPECT_EQ(evidence.numerics->random_forward, true);
}

TEST_F(Probes, NonNegativeInputsAreNamedAsTheCause) {
  const TaskEvidence evidence = run("return torch.relu(x)", "[torch.rand(64, 64)]");
  ASSERT_EQ(evidence.inputs.size(), 1u);
  const auto& structure = evidence.inputs[0].structure;
  EXPECT_NE(std::find(structure.begin(), structure.end(), "non-negative"), structure.end());
  EXPECT_NE(std::find(structure.begin(), structure.end(), "uniform-01"), structure.end());
  EXPECT_EQ(under(evidence, "own").accepted_answers, std::vector<std::string>{"input 0"});
  EXPECT_TRUE(under(evidence, "randn").accepted_answers.empty());
  EXPECT_EQ(under(evidence, "randn").noticed, std::vector<int>{0});
  EXPECT_EQ(under(evidence, "scaled").still_unnoticed, std::vector<int>{0});
  ASSERT_EQ(evidence.input_properties.size(), 2u);
  EXPECT_EQ(evidence.input_properties[0].property, "non-negative");
  EXPECT_EQ(evidence.input_properties[0].shown_by, "randn");
  EXPECT_TRUE(run("return torch.relu(x)").input_properties.empty());
}

TEST_F(Probes, StructureIsRecognisedAndKept) {
  const TaskEvidence evidence =
      run("return (x * more[0]) @ more[1] * more[2].log().sum() + more[3].sum()",
          "[torch.randn(8, 8), torch.randint(0, 2, (8, 8)).bool(), torch.tril(torch.randn(8, 8)), "
          "torch.softmax(torch.randn(8, 8), -1), torch.randint(0, 10, (8,))]"
          "\ndef unused(): pass");
  ASSERT_EQ(evidence.inputs.size(), 5u);
  const auto is = [&](std::size_t input, const std::string& what) {
    const auto& found = evidence.inputs[input].structure;
    return std::find(found.begin(), found.end(), what) != found.end();
  };
  EXPECT_TRUE(is(1, "mask"));
  EXPECT_TRUE(is(2, "triangular-lower"));
  EXPECT_TRUE(is(3, "softmaxed"));
  EXPECT_TRUE(is(4, "labels"));
  EXPECT_EQ(under(evidence, "randn").inputs[0], "drawn");
  EXPECT_EQ(under(evidence, "randn").inputs[1], "kept: it is bool");
  EXPECT_EQ(under(evidence, "randn").inputs[2], "drawn, triangle kept");
  EXPECT_EQ(under(evidence, "randn").inputs[3], "drawn, sums to one kept");
}

TEST_F(Probes, MagnitudesAreKeptWhereSignsGiveNaN) {
  const TaskEvidence evidence = run("return torch.sqrt(x)", "[torch.rand(16, 16)]");
  EXPECT_EQ(under(evidence, "randn").inputs[0], "drawn, not negative");
  EXPECT_EQ(under(evidence, "randn").nan_count, 0);
}

TEST_F(Probes, WasteIsFoundWithItsFigures) {
  TaskEvidence evidence = run("return torch.diag(x) @ more[0]", "[torch.randn(32), torch.randn(32, 64)]");
  ASSERT_NE(waste(evidence, "diagonal-product"), nullptr);
  EXPECT_EQ(waste(evidence, "diagonal-product")->spent, 2.0 * 32 * 32 * 64);
  EXPECT_EQ(waste(evidence, "diagonal-product")->needed, 32.0 * 64);
  EXPECT_EQ(evidence.cost->minimum_flops, 32.0 * 64);
  evidence = run("return x @ more[0]", "[torch.triu(torch.randn(32, 32)), torch.triu(torch.randn(32, 32))]");
  ASSERT_NE(waste(evidence, "triangular-product"), nullptr);
  evidence = run("return x @ more[0]", "[torch.randn(32, 32), torch.randn(32, 32)]");
  EXPECT_TRUE(evidence.cost->waste.empty());
  evidence = run("return (self.a(x) / 2).sum(dim=1)", "[torch.randn(16, 32)]", "self.a = nn.Linear(32, 64)");
  ASSERT_NE(waste(evidence, "collapsible-reduction"), nullptr);
  EXPECT_EQ(waste(evidence, "collapsible-reduction")->module, "a");
  evidence = run("return torch.relu(self.a(x)).sum(dim=1)", "[torch.randn(16, 32)]", "self.a = nn.Linear(32, 64)");
  EXPECT_EQ(waste(evidence, "collapsible-reduction"), nullptr);
  evidence = run("return torch.softmax(x.sum(dim=1, keepdim=True), dim=1) + x");
  ASSERT_NE(waste(evidence, "size-1-axis"), nullptr);
  evidence = run("return x[:, :1].expand(16, 32).contiguous() * x");
  ASSERT_NE(waste(evidence, "materialised-broadcast"), nullptr);
}

TEST_F(Probes, CostCountsWorkTrafficAndTime) {
  const TaskEvidence evidence = run("return x @ more[0]", "[torch.randn(64, 128), torch.randn(128, 32)]");
  const CostEvidence& cost = *evidence.cost;
  EXPECT_EQ(cost.flops, 2.0 * 64 * 128 * 32);
  EXPECT_EQ(cost.minimum_bytes, 4.0 * (64 * 128 + 128 * 32 + 64 * 32));
  EXPECT_GT(cost.peaks.matmul_flops_per_s.value_or(0), 1e8);
  EXPECT_GT(cost.peaks.copy_bytes_per_s.value_or(0), 1e8);
  EXPECT_GT(cost.eager_ms.value_or(0), 0);
  EXPECT_GT(cost.eager_over_roofline.value_or(0), 1);
  EXPECT_FALSE(cost.compile_ms.has_value());
  EXPECT_EQ(cost.missing.at("compile_ms"), "not asked for");
}

TEST_F(Probes, SeedsAreAddedWhileAVerdictIsNearItsThreshold) {
  const TaskEvidence far = run("return torch.tanh(x)");
  EXPECT_EQ(far.seeds, 5);
  EXPECT_EQ(far.seeds_stopped, "no verdict is near its threshold");
  EXPECT_EQ(far.seed_limit, 100);
  const TaskEvidence near =
      run("return torch.tanh(x) * 1.1e-4", "[torch.randn(16, 32) * 10]", "pass", {{"max_seeds", 20}});
  EXPECT_EQ(near.seeds, 20);
  EXPECT_NE(near.seeds_stopped.find("the limit"), std::string::npos);
  // One output in three holds an element above zero: five seeds may all miss it, twenty do not.
  const TaskEvidence rare = run("return torch.relu(x - 3.2)", "[torch.randn(16, 32)]");
  EXPECT_GE(rare.seeds, 5);
  EXPECT_FALSE(accepts(rare, "zeros"));
  const TaskEvidence zero = run("return torch.relu(x - 1000)", "[torch.randn(16, 32)]");
  EXPECT_EQ(zero.seeds, 20);
  EXPECT_TRUE(accepts(zero, "zeros"));
  const TaskEvidence published = run("return torch.tanh(x) * 0.0101", "[torch.randn(16, 32) * 10]", "pass",
                                     {{"preset", "robust-kbench"}, {"max_seeds", 20}});
  EXPECT_EQ(published.seeds, 5);
}

TEST_F(Probes, ParametersAndBuffersAreVariedInEveryWay) {
  const TaskEvidence evidence = run("return self.n(x)", "[torch.randn(16, 32)]", "self.n = nn.BatchNorm1d(32)");
  const auto find = [&](const std::string& name, const std::string& variation) -> const Influence* {
    for (const Influence& influence : evidence.influences) {
      if (influence.name == name && influence.variation == variation) return &influence;
    }
    return nullptr;
  };
  for (const char* variation : {"resample", "scale", "shift", "sign", "zero"}) {
    ASSERT_NE(find("n.weight", variation), nullptr) << variation;
    EXPECT_GT(find("n.weight", variation)->max_change.value_or(0), 0.1) << variation;
  }
  EXPECT_EQ(find("n.running_var", "scale")->max_change, 0.0);  // train mode does not read it
  EXPECT_FALSE(find("n.num_batches_tracked", "scale")->missing.empty());
}

}  // namespace
}  // namespace kernel_audit::filters
