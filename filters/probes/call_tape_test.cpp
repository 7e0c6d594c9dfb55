// Which tasks are replayed from a tape, and that replays say what passes in Python say: the fixture compares both.
#include <gtest/gtest.h>

#include "filters/probes/mutation_fixture.h"

namespace kernel_audit::filters {
namespace {

class Tape : public OpMutation {
 protected:
  // Of the first draw: "" when all mutants but the first were replayed, else the reason or what was run.
  std::string why_not() const {
    if (passes.empty()) return "no pass was made";
    const Json& first = passes[0];
    if (first.contains("missing")) return first["missing"].get<std::string>();
    return first["passes"] == 1 && first["replays"].get<int>() > 1 ? "" : first.dump();
  }
};

TEST_F(Tape, ChainsAndBranchesAreReplayed) {
  run("self.net = nn.Sequential(nn.Linear(32, 8), nn.Tanh(), nn.Linear(8, 8))", "return self.net(x)");
  EXPECT_EQ(why_not(), "");
  run("self.a = nn.Linear(32, 8)\nself.b = nn.Linear(32, 8)",
      "y, z = self.a(x), self.b(x)\nreturn torch.cat([y.relu(), torch.stack([z, y]).sum(0)], dim=1), z");
  EXPECT_EQ(why_not(), "");
}

// Each reads what another wrote in place, before or after: through views, slices, lists and results that may be the
// argument itself.
TEST_F(Tape, WorkInPlaceIsReplayed) {
  run("self.a = nn.Linear(32, 8)",
      "y = self.a(x)\nbefore = y * 2\ny.relu_()\nz = y.view(8, 16).t()\nz[:, 0].mul_(2)\nreturn z.contiguous(), y + 1, "
      "before");
  EXPECT_EQ(why_not(), "");
  run("self.a = nn.Linear(32, 8)",
      "out = torch.zeros(16, 4, 8)\nfor i in range(4):\n    x = torch.sin(x) + 1\n    out[:, i] = self.a(x)\n"
      "return out * 2, x.sum()");
  EXPECT_EQ(why_not(), "");
  run("self.d = nn.Dropout(0.0)", "y = torch.tanh(x)\nz = self.d(y)\nz.add_(1)\nreturn y * 3 + z");
  EXPECT_EQ(why_not(), "");
  run("pass", "y = torch.tanh(x)\nz = y.contiguous()\nz.mul_(2)\nreturn y.exp() + z.t().contiguous().add_(1).t()");
  EXPECT_EQ(why_not(), "");
  run("pass",
      "parts = list(torch.tanh(x).chunk(4, dim=1))\nparts[1].sub_(parts[0])\nparts[2] += parts[1]\n"
      "torch._foreach_mul_(parts, 2.0)\nreturn torch.cat(parts, dim=0)");
  EXPECT_EQ(why_not(), "");
  run("pass",
      "y = torch.sigmoid(x)\nbase = torch.ones(16, 32)\nview = base.expand_as(y)\nbase.add_(y)\n"
      "late = torch.cos(view)\nbase.masked_fill_(y > 0.5, 0.0)\nreturn late - view");
  EXPECT_EQ(why_not(), "");
}

TEST_F(Tape, InputsAndStateThatForwardWritesAreRestored) {
  run("self.net = nn.Sequential(nn.Linear(32, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Linear(8, 8), "
      "nn.BatchNorm1d(8))",
      "return self.net(x)");
  EXPECT_EQ(why_not(), "");
  run("pass", "torch.relu_(x)\ny = x + 1\nx.mul_(2)\nreturn torch.tanh(y) + x");
  EXPECT_EQ(why_not(), "");
  run("self.register_buffer('steps', torch.zeros(32))",
      "self.steps.add_(1)\ny = torch.tanh(x) * self.steps\nself.steps.mul_(2)\nreturn y + self.steps.sin()");
  EXPECT_EQ(why_not(), "");
}

TEST_F(Tape, RandomCallsDrawTheSameNumbers) {
  run("self.d = nn.Dropout(0.5)\nself.a = nn.Linear(32, 8)",
      "y = self.d(x)\nz = torch.tanh(self.a(y)) * torch.rand(16, 8)\nreturn self.d(z) + torch.randn_like(z)");
  EXPECT_EQ(why_not(), "");
}

TEST_F(Tape, IndicesAndSeveralResultsAreReplayed) {
  run("self.table = nn.Embedding(8, 4)",
      "at = torch.round(torch.sigmoid(x) * 7)\nvalues, where = x.max(dim=1)\nmask = values > 1\n"
      "y = self.table(at.long()).sum(dim=(1, 2))\ny[mask] = values[mask]\nreturn y, x[torch.arange(16), where, None]");
  EXPECT_GT(passes[0]["replays"].get<int>(), 1) << passes.dump(1);
  EXPECT_FALSE(passes[0].contains("missing")) << passes.dump(1);
  run("self.r = nn.LSTM(8, 16, batch_first=True)\nself.fc = nn.Linear(16, 4)",
      "out, (h, c) = self.r(x)\ny = self.fc(out[:, -1, :])\nreturn h", "[torch.randn(2, 5, 8)]");
  EXPECT_EQ(why_not(), "");
  run("self.t = nn.TransformerEncoderLayer(32, 4, 16, batch_first=True)", "return self.t(x)",
      "[torch.randn(2, 5, 32)]");
  EXPECT_EQ(why_not(), "");
}

TEST_F(Tape, WhatATapeCannotRepeatGoesOnInPython) {
  run("pass", "y = torch.tanh(x)\nreturn y * 2 if y.sum().item() > 0 else y - 1");
  EXPECT_NE(why_not().find("hands a value to Python"), std::string::npos) << why_not();
  run("pass", "y = torch.tanh(x)\nreturn y * 2 if sum(y[0].tolist()) > 0 else y - 1");
  EXPECT_NE(why_not().find("may hand values to Python"), std::string::npos) << why_not();
  run("self.a = nn.Linear(32, 8)",
      "with torch.enable_grad():\n    z = x.detach().requires_grad_(True)\n    y = self.a(z).tanh().sum()\n"
      "    g, = torch.autograd.grad(y, z)\nreturn g * 2");
  EXPECT_NE(why_not().find("recorded by autograd"), std::string::npos) << why_not();
  run("pass", "with torch.autocast('cpu', dtype=torch.bfloat16):\n    y = torch.tanh(x) @ x.t()\nreturn y.float() * 2");
  EXPECT_NE(why_not().find("in a mode of torch"), std::string::npos) << why_not();
  run("pass", "y = torch.tanh(x)\nz = y.view(-1).view(16, 32).data\nreturn z * 2 + y");
  EXPECT_NE(why_not().find("behind the dispatcher"), std::string::npos) << why_not();
  run("pass", "y = torch.tanh(x)\ny.unsqueeze_(0)\nreturn y * 2");
  EXPECT_NE(why_not().find("how a tensor lies in memory"), std::string::npos) << why_not();
  run("pass", "return torch.tanh(x), torch.empty(2, 0)");
  EXPECT_NE(why_not().find("no operator of torch wrote"), std::string::npos) << why_not();
  run("self.n = nn.BatchNorm1d(32)",
      "y = self.n(torch.sin(x))\nself.n.eval()\nz = self.n(y)\nself.n.train()\nreturn z");
  EXPECT_NE(why_not().find("keeps state"), std::string::npos) << why_not();
  run("self.hidden = torch.zeros(16, 32)", "y = torch.tanh(self.hidden + x)\nself.hidden = torch.sin(y)\nreturn y");
  EXPECT_NE(why_not().find("no operator of torch made"), std::string::npos) << why_not();
}

// Without room for what calls give, each replay makes all of them.
TEST_F(Tape, WholePassesAreReplayedWhereMemoryIsShort) {
  options["memory_limit_bytes"] = 12 << 20;
  run("self.net = nn.Sequential(nn.Linear(256, 256), nn.BatchNorm1d(256), nn.ReLU(inplace=True), nn.Dropout(0.3))\n"
      "self.register_buffer('steps', torch.zeros(256))",
      "y = x\nfor i in range(3):\n    y = self.net(y)\n    y[:, i].mul_(2)\n    self.steps.add_(1)\n    y = y + "
      "self.steps\nreturn y",
      "[torch.randn(256, 256)]");
  EXPECT_EQ(why_not(), "");
  EXPECT_EQ(passes[0]["keeps_results"], false);
}

// No operator tells that Python read the values: the first mutant, run both ways, does.
TEST_F(Tape, ValuesReadBehindTheDispatcherAreFoundByAMutant) {
  run("pass", "y = torch.tanh(x)\ns = 2.0 if np.abs(np.from_dlpack(y)).sum() > 1 else 3.0\nreturn torch.cos(y) * s",
      "[torch.randn(16, 32)]", "import numpy as np\n");
  EXPECT_NE(why_not().find("a mutant says another thing"), std::string::npos) << why_not();
}

}  // namespace
}  // namespace kernel_audit::filters
