// Op mutation on small tasks whose dead, redundant and needed operators are known.
#include <gtest/gtest.h>

#include "filters/probes/mutation_fixture.h"

namespace kernel_audit::filters {
namespace {

TEST_F(OpMutation, NamesModulesAndFindsEveryCallNeeded) {
  const TaskEvidence evidence =
      run("self.net = nn.Sequential(nn.Linear(32, 8), nn.Tanh(), nn.Linear(8, 8))", "return self.net(x)");
  ASSERT_EQ(evidence.calls.size(), 3u);
  EXPECT_EQ(evidence.calls[0].module, "net.0");
  EXPECT_EQ(evidence.calls[0].module_type, "Linear");
  EXPECT_EQ(evidence.calls[1].op, "aten::tanh");
  for (const OperatorCall& each : evidence.calls) EXPECT_EQ(each.verdict, "needed") << each.op << each.why;
  EXPECT_TRUE(evidence.mutation->all_intercepted) << evidence.mutation->not_intercepted;
  EXPECT_GT(evidence.mutation->score.value_or(0), 0.7);
  EXPECT_EQ(evidence.calls[0].flops, std::optional<double>(2.0 * 16 * 8 * 32));
  EXPECT_TRUE(evidence.usage->unused_parameters.empty());
}

TEST_F(OpMutation, NeverUsedResultIsDead) {
  const TaskEvidence evidence =
      run("self.a = nn.Linear(32, 8)\nself.b = nn.Linear(32, 8)", "y = self.b(x)\nreturn torch.tanh(self.a(x))");
  EXPECT_EQ(verdict(evidence, "linear", 0), "dead: never used");
  EXPECT_EQ(call(evidence, "linear", 0).module, "b");
  EXPECT_EQ(call(evidence, "linear", 0).draws_tried, 2);
  EXPECT_TRUE(call(evidence, "linear", 0).exact);
  EXPECT_EQ(verdict(evidence, "linear", 1), "needed");
  EXPECT_EQ(evidence.usage->unused_submodules, std::vector<std::string>{"b"});
  EXPECT_EQ(evidence.usage->unused_parameters, (std::vector<std::string>{"b.weight", "b.bias"}));
}

TEST_F(OpMutation, SwallowedResultIsDead) {
  // The mean of one column is that column.
  const TaskEvidence evidence = run("self.a = nn.Linear(32, 8)",
                                    "y = self.a(x).amax(dim=1, keepdim=True)\ny = y - y.mean(dim=1, keepdim=True)\n"
                                    "return F.gelu(y) + x");
  EXPECT_EQ(verdict(evidence, "linear"), "dead: swallowed");
  EXPECT_EQ(verdict(evidence, "amax"), "dead: swallowed");
  EXPECT_EQ(verdict(evidence, "mean"), "redundant: identity");
  EXPECT_EQ(verdict(evidence, "sub"), "redundant: constant result");
}

TEST_F(OpMutation, EquivalentMutantsAreRedundantNotDead) {
  TaskEvidence evidence = run("self.a = nn.Linear(32, 8)", "return torch.relu(torch.relu(self.a(x)))");
  EXPECT_EQ(verdict(evidence, "relu", 0), "redundant: identity");  // either of both may go
  EXPECT_EQ(verdict(evidence, "relu", 1), "redundant: identity");
  EXPECT_TRUE(call(evidence, "relu", 1).exact);
  EXPECT_EQ(verdict(evidence, "linear"), "needed");

  evidence = run("self.a = nn.Linear(32, 1)", "return torch.softmax(self.a(x), dim=1) * x");
  EXPECT_EQ(verdict(evidence, "softmax"), "redundant: constant result");
  EXPECT_EQ(verdict(evidence, "linear"), "dead: swallowed");
  EXPECT_EQ(verdict(evidence, "mul"), "redundant: identity");

  evidence = run("self.n = nn.LayerNorm(32, elementwise_affine=False)", "return self.n(self.n(x * 3))");
  EXPECT_EQ(verdict(evidence, "layer_norm", 1), "redundant: identity");
  EXPECT_FALSE(call(evidence, "layer_norm", 1).exact);
}

TEST_F(OpMutation, NearMissesAreNeeded) {
  // A softmax over two columns, a clamp that one element reaches, a second activation that differs from the first.
  TaskEvidence evidence = run("self.a = nn.Linear(32, 2)", "return torch.softmax(self.a(x), dim=1)");
  EXPECT_EQ(verdict(evidence, "softmax"), "needed");
  evidence = run("pass", "return torch.clamp(torch.tanh(x), -0.999, 0.999)", "[torch.randn(64, 64) * 2]");
  EXPECT_EQ(verdict(evidence, "clamp"), "needed");
  evidence = run("pass", "return F.gelu(F.gelu(x))");
  EXPECT_EQ(verdict(evidence, "gelu", 1), "needed");
  evidence = run("pass", "return torch.clamp(torch.tanh(x), -1, 1)");
  EXPECT_EQ(verdict(evidence, "clamp"), "redundant: identity");
}

TEST_F(OpMutation, InPlaceViewsAndSeveralResults) {
  TaskEvidence evidence =
      run("self.a = nn.Linear(32, 8)",
          "y = self.a(x)\ny.relu_()\nz = y.view(8, 16).t()\nz[:, 0].mul_(2)\nreturn z.contiguous()");
  EXPECT_EQ(verdict(evidence, "relu_"), "needed");
  EXPECT_EQ(verdict(evidence, "mul_"), "needed");
  EXPECT_EQ(call(evidence, "view").kind, call_kind::kView);
  EXPECT_EQ(call(evidence, "contiguous").kind, call_kind::kCopy);

  evidence = run("pass", "values, where = x.max(dim=1)\nreturn torch.tanh(values)");
  EXPECT_EQ(verdict(evidence, "max"), "needed");
  EXPECT_EQ(call(evidence, "max").unused_results, std::vector<int>{1});

  evidence = run("pass", "torch.relu_(x)\nx.relu_()\nreturn x + 1");
  EXPECT_EQ(verdict(evidence, "relu_", 1), "redundant: identity");
  EXPECT_TRUE(evidence.numerics->changes_inputs.value_or(false));
}

TEST_F(OpMutation, RandomAndAutogradPaths) {
  TaskEvidence evidence = run("self.d = nn.Dropout(0.5)\nself.a = nn.Linear(32, 8)", "return self.a(self.d(x))");
  EXPECT_EQ(call(evidence, "dropout").kind, call_kind::kRandom);
  EXPECT_EQ(verdict(evidence, "dropout"), "needed");

  evidence = run("self.a = nn.Linear(32, 8)",
                 "with torch.enable_grad():\n    z = x.detach().requires_grad_(True)\n    y = self.a(z).tanh().sum()\n"
                 "    g, = torch.autograd.grad(y, z)\nreturn g * 2");
  EXPECT_EQ(verdict(evidence, "tanh"), "needed") << Json(evidence.calls).dump(1);
}

TEST_F(OpMutation, StateIsNoDeadComputation) {
  TaskEvidence evidence = run("self.n = nn.BatchNorm1d(32)", "return self.n(x)");
  EXPECT_EQ(call(evidence, "add_").kind, call_kind::kStateUpdate);
  EXPECT_EQ(verdict(evidence, "batch_norm"), "needed");
  evidence = run("self.hidden = torch.zeros(16, 32)\nself.a = nn.Linear(32, 32)",
                 "y = torch.tanh(self.a(self.hidden) + x)\nself.hidden = torch.tanh(y)\nreturn y");
  EXPECT_EQ(call(evidence, "tanh", 1).kind, call_kind::kStateUpdate);
  EXPECT_EQ(verdict(evidence, "tanh", 0), "needed");
}

TEST_F(OpMutation, WhatEscapesTheInterceptionIsSaid) {
  const TaskEvidence evidence = run("pass", "y = torch.from_numpy(np.tanh(x.numpy()))\nreturn y * 2",
                                    "[torch.randn(16, 32)]", "import numpy as np\n");
  EXPECT_FALSE(evidence.mutation->all_intercepted);
  EXPECT_NE(evidence.mutation->not_intercepted, "");
  EXPECT_NE(evidence.usage->missing, "");
  // A constant that the module keeps in a plain attribute, a number and a factory are no such thing.
  const TaskEvidence sound =
      run("self.c = torch.arange(32.0)", "return x * self.c * 2 + torch.tensor([1.5] * 32) + torch.ones(32)");
  EXPECT_TRUE(sound.mutation->all_intercepted) << sound.mutation->not_intercepted;
}

TEST_F(OpMutation, TellsTheNumberThatACallAdds) {
  const TaskEvidence evidence = run("self.w = nn.Parameter(torch.ones(32))",
                                    "y = torch.rsqrt(x.pow(2) + 1e-5) - self.w\ny = 3 - y.clamp(min=-1e-6)\n"
                                    "return torch.add(y, 2, alpha=-3).clamp(-1, 1) + self.w");
  EXPECT_EQ(call(evidence, "add").offset, 1e-5);
  EXPECT_EQ(call(evidence, "sub").offset, std::nullopt);
  EXPECT_EQ(call(evidence, "clamp").offset, 1e-6);
  EXPECT_EQ(call(evidence, "rsub").offset, std::nullopt);
  EXPECT_EQ(call(evidence, "add", 1).offset, 6);
  EXPECT_EQ(call(evidence, "clamp", 1).offset, std::nullopt);
  EXPECT_EQ(call(evidence, "add", 2).offset, std::nullopt);
}

// An index that a mutant drives out of its table is noticed, by the guard and not by the operator.
TEST_F(OpMutation, MutantsThatLeaveAnIndexRangeAreNoticed) {
  const TaskEvidence evidence =
      run("self.table = nn.Embedding(8, 4)", "at = torch.round(torch.sigmoid(x) * 7)\nreturn self.table(at.long())");
  const OperatorCall& round = call(evidence, "round");
  EXPECT_EQ(round.verdict, "needed");
  bool failed = false;
  for (const Mutant& mutant : round.mutants) failed = failed || mutant.failed;
  EXPECT_TRUE(failed);
}

TEST_F(OpMutation, RecurrentAndAttentionModulesAreOneCallEach) {
  TaskEvidence evidence =
      run("self.r = nn.LSTM(8, 16, batch_first=True)\nself.fc = nn.Linear(16, 4)",
          "out, (h, c) = self.r(x)\ny = self.fc(out[:, -1, :])\nreturn h", "[torch.randn(2, 5, 8)]");
  EXPECT_EQ(verdict(evidence, "lstm"), "needed");
  EXPECT_EQ(verdict(evidence, "linear"), "dead: never used");
  EXPECT_EQ(call(evidence, "linear").module, "fc");
  EXPECT_GT(call(evidence, "lstm").flops.value_or(0), 0.0);
}

}  // namespace
}  // namespace kernel_audit::filters
