// Canonical names: whatever way a candidate takes to a function of the framework, the call says so.
#include <gtest/gtest.h>

#include "analysis/split/extract_test_support.h"

namespace kernel_audit::analysis::split {
namespace {

struct Disguise {
  const char* name;
  std::string source;
  const char* callee = "torch.matmul";
};

class Names : public testing::TestWithParam<Disguise> {};

TEST_P(Names, ForwardCallsIt) {
  const facts::Facts facts = extract_python(GetParam().source);
  EXPECT_TRUE(calls(facts, "ModelNew.forward", GetParam().callee)) << dump(facts);
}

const std::vector<Disguise> kDisguises = {
    {"Plain", model("", "return torch.matmul(a, b)")},
    {"Alias", model("import torch as t", "return t.matmul(a, b)")},
    {"From", model("from torch import matmul as m", "return m(a, b)")},
    {"LocalImport", model("", "from torch import matmul as q; return q(a, b)")},
    {"Rebound", model("mm = torch.matmul", "return mm(a, b)")},
    {"Operator", model("", "return a @ b"), "operator.matmul"},
    {"OperatorModule", model("import operator", "return operator.matmul(a, b)"), "operator.matmul"},
    {"Method", model("", "return a.matmul(b)"), "torch.Tensor.matmul"},
    {"Unbound", model("", "return torch.Tensor.matmul(a, b)"), "torch.Tensor.matmul"},
    {"Getattr", model("", "return getattr(torch, 'mat' + 'mul')(a, b)")},
    {"GetattrFormat", model("w = 'mul'", "return getattr(torch, f'mat{w}')(a, b)")},
    {"GetattrJoin", model("", "return getattr(torch, ''.join(['mat', 'mul']))(a, b)")},
    {"GetattrReplace", model("", "return getattr(torch, 'matXmul'.replace('X', ''))(a, b)")},
    {"GetattrChr", model("", "return getattr(torch, chr(109) + 'atmul')(a, b)")},
    {"GetattrMethod", model("", "return getattr(a, 'mat' 'mul')(b)"), "torch.Tensor.matmul"},
    {"DunderImport", model("", "return __import__('tor' + 'ch').matmul(a, b)")},
    {"Importlib", model("import importlib", "return importlib.import_module('torch').matmul(a, b)")},
    {"Sys", model("import sys", "return sys.modules['torch'].matmul(a, b)")},
    {"InstanceAttribute", model("", "return self.op(a, b)", "self.op = torch.matmul")},
    {"Setattr", model("", "return self.op(a, b)", "setattr(self, 'o' + 'p', torch.matmul)")},
    {"DictOfSelf", model("", "return self.op(a, b)", "self.__dict__['op'] = torch.matmul")},
    {"Partial", model("import functools", "return functools.partial(torch.matmul, a)(b)")},
    {"Table", model("ops = {'mm': torch.matmul, 'x': torch.add}", "return ops['m' + 'm'](a, b)")},
    {"ListOfFunctions", model("ops = [torch.add, torch.matmul]", "return ops[1](a, b)")},
    {"Globals", model("op = torch.matmul", "return globals()['op'](a, b)")},
    {"Exec", model("exec('op = torch.' + 'matmul')", "return op(a, b)")},
    {"ExecNamespace",
     model("ns = {}\nexec('import torch\\ndef f(x, y): return torch.matmul(x, y)\\nop = torch.matmul', ns)",
           "return ns['op'](a, b)")},
    {"Eval", model("", "return eval('torch.matmul')(a, b)")},
    {"EvalCall", model("", "return eval('torch.matmul(a, b)')")},
    {"Star",
     "from torch import *\nimport torch.nn as nn\nclass ModelNew(nn.Module):\n    def forward(self, a, b):\n        "
     "return matmul(a, b)\n"},
    {"Conditional", model("import math", "return (torch.matmul if a.numel() > 3 else torch.add)(a, b)")},
    {"Walrus", model("", "return (op := torch.matmul)(a, b)")},
    {"Unpacked", model("", "op, other = torch.matmul, torch.add; return op(a, b)")},
    {"ClassAttribute",
     "import torch\nclass ModelNew(torch.nn.Module):\n    op = staticmethod(torch.matmul)\n    def forward(self, a, "
     "b):\n        return self.op(a, b)\n"},
    {"TypeOfSelf",
     "import torch\nclass ModelNew(torch.nn.Module):\n    op = torch.matmul\n    def forward(self, a, b):\n        "
     "return type(self).op(a, b)\n"},
    {"DunderClass",
     "import torch\nclass ModelNew(torch.nn.Module):\n    op = torch.matmul\n    def forward(self, a, b):\n        "
     "return self.__class__.op(a, b)\n"},
    {"Linear", model("", "return self.fc(a)", "self.fc = nn.Linear(3, 3)"), "torch.nn.Linear.__call__"},
    {"SequentialChild", model("", "return self.s(a)", "self.s = nn.Sequential(nn.ReLU(), nn.Linear(3, 3))"),
     "torch.nn.Linear.__call__"},
    {"ModuleListChild", model("", "return self.s[0](a)", "self.s = nn.ModuleList([nn.Linear(3, 3)])"),
     "torch.nn.Linear.__call__"},
    {"InnerAlias", model("", "return torch._C._VariableFunctions.matmul(a, b)")},
    {"Ops", model("", "return torch.ops.aten.mm(a, b)"), "torch.ops.aten.mm"},
    {"Functional", model("", "return F.conv2d(a, b)"), "torch.nn.functional.conv2d"},
    {"Base64", model("import base64\nexec(base64.b64decode('b3AgPSB0b3JjaC5tYXRtdWw=').decode())", "return op(a, b)")},
};

INSTANTIATE_TEST_SUITE_P(Disguises, Names, testing::ValuesIn(kDisguises),
                         [](const auto& each) { return each.param.name; });

TEST(NearMisses, NamesInTextAndCommentsAreNotCalls) {
  const facts::Facts facts =
      extract_python(model("note = 'torch.matmul(a, b)'",
                           "'''torch.matmul(a, b)'''\n        # torch.matmul(a, b)\n        tag = \"#\"; return a"));
  EXPECT_FALSE(calls(facts, "ModelNew.forward", "torch.matmul")) << dump(facts);
  EXPECT_TRUE(callees_of(facts, "ModelNew.forward").empty()) << dump(facts);
  EXPECT_NE(facts.entry_function, facts::kNone) << dump(facts);
}

TEST(NearMisses, ShadowedNamesAreNotTheFrameworks) {
  const facts::Facts facts = extract_python(model("def matmul(x, y): return x", "return matmul(a, b)"));
  EXPECT_FALSE(calls(facts, "ModelNew.forward", "torch.matmul"));
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "matmul")) << dump(facts);
}

TEST(Unknowns, AreSaidAndNeverGuessed) {
  const facts::Facts facts = extract_python(model("import os", "return getattr(torch, os.environ['OP'])(a, b)"));
  const std::vector<std::string> names = callees_of(facts, "ModelNew.forward");
  EXPECT_TRUE(std::find(names.begin(), names.end(), "") != names.end()) << dump(facts);
  EXPECT_TRUE(has_problem(extract_python(model("import os\nexec(os.environ['X'])", "return a")), "dynamic-call"));
  // Two stores of different functions: not one of them alone.
  const facts::Facts two =
      extract_python(model("import os\nop = torch.add\nif os.name: op = torch.matmul", "return op(a, b)"));
  EXPECT_TRUE(calls(two, "ModelNew.forward", "torch.matmul")) << dump(two);
  EXPECT_TRUE(calls(two, "ModelNew.forward", "torch.add")) << dump(two);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
