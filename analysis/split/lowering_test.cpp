// Shapes of LOWERING.md: control flow, storages, entries, borders.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/split/extract_test_support.h"

namespace kernel_audit::analysis::split {
namespace {

using facts::Facts;

const facts::Function* function_of(const Facts& facts, const std::string& name) {
  const auto found = std::find_if(facts.functions.begin(), facts.functions.end(),
                                  [&](const facts::Function& each) { return each.qualified_name == name; });
  return found == facts.functions.end() ? nullptr : &*found;
}

const facts::Storage* storage_of(const Facts& facts, const std::string& name, facts::StorageKind kind) {
  const auto found = std::find_if(facts.storages.begin(), facts.storages.end(),
                                  [&](const facts::Storage& each) { return each.name == name && each.kind == kind; });
  return found == facts.storages.end() ? nullptr : &*found;
}

bool has_edge(const Facts& facts, const std::string& function, facts::EdgeKind kind) {
  const facts::Function* found = function_of(facts, function);
  return found != nullptr && std::any_of(found->blocks.begin(), found->blocks.end(), [&](const facts::Block& block) {
           return std::any_of(block.successors.begin(), block.successors.end(),
                              [&](const facts::Edge& edge) { return edge.kind == kind; });
         });
}

TEST(Lowering, StatePlacesHaveTheirStorage) {
  const Facts facts = extract_python(
      "import torch\ncache = {}\nclass ModelNew(torch.nn.Module):\n    shared = None\n    def __init__(self):\n        "
      "super().__init__()\n"
      "        self.held = None\n    def forward(self, x, memo={}):\n        global cache\n        cache = x\n        "
      "self.held = x\n"
      "        ModelNew.shared = x\n        helper.last = x\n        memo['x'] = x\n        "
      "torch.backends.cuda.matmul.allow_tf32 = True\n        return x\n"
      "def helper(): pass\n");
  using facts::Lifetime;
  using facts::StorageKind;
  const std::vector<std::tuple<const char*, StorageKind, Lifetime>> expected = {
      {"cache", StorageKind::kGlobal, Lifetime::kStatic},
      {"held", StorageKind::kInstanceAttribute, Lifetime::kObject},
      {"shared", StorageKind::kClassAttribute, Lifetime::kStatic},
      {"last", StorageKind::kFunctionAttribute, Lifetime::kStatic},
      {"memo", StorageKind::kDefaultArgument, Lifetime::kStatic},
      {"torch.backends.cuda.matmul.allow_tf32", StorageKind::kForeign, Lifetime::kStatic}};
  for (const auto& [name, kind, lifetime] : expected) {
    const facts::Storage* storage = storage_of(facts, name, kind);
    ASSERT_NE(storage, nullptr) << name << "\n" << dump(facts);
    EXPECT_EQ(storage->lifetime, lifetime) << name;
  }
}

TEST(Lowering, ClosuresThatEscapeOutliveTheCall) {
  const Facts facts = extract_python(
      "import torch\ndef make():\n    kept = None\n    def f(x):\n        nonlocal kept\n        kept = x\n        "
      "return kept\n    return f\n"
      "g = make()\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return g(x)\n");
  const facts::Storage* storage = storage_of(facts, "kept", facts::StorageKind::kClosure);
  ASSERT_NE(storage, nullptr) << dump(facts);
  EXPECT_EQ(storage->lifetime, facts::Lifetime::kStatic);
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "make.<locals>.f")) << dump(facts);
}

TEST(Lowering, TryHandlersAndFinally) {
  const Facts facts = extract_python(model("",
                                           "try:\n            y = torch.mm(a, b)\n        except RuntimeError:\n       "
                                           "     y = a\n        finally:\n            print(a)\n        return y"));
  EXPECT_TRUE(has_edge(facts, "ModelNew.forward", facts::EdgeKind::kException)) << dump(facts);
  const std::vector<std::string> names = callees_of(facts, "ModelNew.forward");
  EXPECT_EQ(std::count(names.begin(), names.end(), "builtins.print"), 2) << dump(facts);  // both ways out
}

TEST(Lowering, StreamsAreEnteredAndLeftOnEveryWay) {
  const Facts facts =
      extract_python(model("", "with torch.cuda.stream(torch.cuda.Stream()):\n            return torch.mm(a, b)"));
  const std::vector<std::string> names = callees_of(facts, "ModelNew.forward");
  EXPECT_EQ(std::count(names.begin(), names.end(), "contextlib.enter"), 1) << dump(facts);
  EXPECT_GE(std::count(names.begin(), names.end(), "contextlib.exit"), 2) << dump(facts);
}

TEST(Lowering, LoopsHaveABackEdge) {
  for (const char* body : {"for i in range(3): a = a + b\n        return a",
                           "while a.sum() > 0: a = a - b\n        return a", "return [x for x in a][0]"}) {
    EXPECT_TRUE(has_edge(extract_python(model("", body)), "ModelNew.forward", facts::EdgeKind::kLoopBack)) << body;
  }
}

TEST(Lowering, DeadBranchesAreNotReached) {
  const Facts facts = extract_python(model("", "if False:\n            return torch.mm(a, b)\n        return a"));
  const facts::Function* forward = function_of(facts, "ModelNew.forward");
  ASSERT_NE(forward, nullptr);
  std::vector<bool> seen(forward->blocks.size());
  std::vector<facts::Id> work{0};
  bool reached = false;
  while (!work.empty()) {
    const facts::Id block = work.back();
    work.pop_back();
    if (seen[static_cast<std::size_t>(block)]) continue;
    seen[static_cast<std::size_t>(block)] = true;
    for (const facts::Statement& each : forward->blocks[static_cast<std::size_t>(block)].statements)
      reached = reached || each.callee == "torch.mm";
    for (const facts::Edge& edge : forward->blocks[static_cast<std::size_t>(block)].successors) work.push_back(edge.to);
  }
  EXPECT_FALSE(reached) << dump(facts);
}

struct Entry {
  const char* name;
  std::string source;
  const char* entry;
};
class Entries : public testing::TestWithParam<Entry> {};
TEST_P(Entries, IsFound) {
  const Facts facts = extract_python(GetParam().source);
  ASSERT_NE(facts.entry_function, facts::kNone) << dump(facts);
  EXPECT_EQ(facts.functions[static_cast<std::size_t>(facts.entry_function)].qualified_name, GetParam().entry)
      << dump(facts);
}
const std::string kBase =
    "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x): return torch.relu(x)\n";
const std::vector<Entry> kEntries = {
    {"Model", kBase, "Model.forward"},
    {"Inherited", kBase + "class ModelNew(Model): pass\n", "Model.forward"},
    {"Replaced",
     kBase + "def other(self, x): return x\nclass ModelNew(Model):\n    def forward(self, x): return "
             "x\nModelNew.forward = other\n",
     "other"},
    {"Made",
     kBase + "def make():\n    class Inner(torch.nn.Module):\n        def forward(self, x): return x\n    return "
             "Inner\nModelNew = make()\n",
     "make.<locals>.Inner.forward"},
    {"Alias", kBase + "ModelNew = Model\n", "Model.forward"},
    {"InIf",
     "import torch\nif torch.cuda.is_available():\n    class ModelNew(torch.nn.Module):\n        def forward(self, x): "
     "return x\n",
     "ModelNew.forward"},
    {"Compiled",
     kBase + "@torch.compile\nclass ModelNew(Model):\n    @torch.no_grad()\n    def forward(self, x): return x\n",
     "ModelNew.forward"},
    {"Call", kBase + "class ModelNew(Model):\n    def __call__(self, x): return x\n", "ModelNew.__call__"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, Entries, testing::ValuesIn(kEntries), [](const auto& each) { return each.param.name; });

TEST(Lowering, AmbiguousAndMissingEntriesAreProblems) {
  EXPECT_TRUE(has_problem(extract_python("def forward(x): return x\n"), "no-entry"));
  EXPECT_TRUE(has_problem(extract_python("import torch\ntry:\n    import triton\n    class "
                                         "ModelNew(torch.nn.Module):\n        def forward(self, x): return x\n"
                                         "except ImportError:\n    class ModelNew(torch.nn.Module):\n        def "
                                         "forward(self, x): return torch.relu(x)\n"),
                          "dynamic-call"));
}

TEST(Lowering, OwnMethodsResolveThroughInstancesAndSuper) {
  const Facts facts = extract_python(
      "import torch\nclass Block(torch.nn.Module):\n    def forward(self, x): return torch.relu(x)\nclass "
      "Base(torch.nn.Module):\n    def forward(self, x): return torch.tanh(x)\n"
      "class ModelNew(Base):\n    def __init__(self):\n        super().__init__()\n        self.block = Block()\n    "
      "def forward(self, x):\n        return super().forward(self.block(x))\n");
  std::vector<std::string> targets;
  for (const facts::Block& block : function_of(facts, "ModelNew.forward")->blocks) {
    for (const facts::Statement& each : block.statements) {
      if (each.target != facts::kNone)
        targets.push_back(facts.functions[static_cast<std::size_t>(each.target)].qualified_name);
    }
  }
  EXPECT_EQ(targets, (std::vector<std::string>{"Block.forward", "Base.forward"})) << dump(facts);
}

TEST(Lowering, NeighbourModulesAreLoweredWhenImported) {
  const Facts facts =
      extract_files({{"d/main.py", "main.py", "python",
                      "import torch\nfrom helper import op\nclass ModelNew(torch.nn.Module):\n    def forward(self, "
                      "x): return op(x)\n"},
                     {"d/helper.py", "helper.py", "python", "import torch\ndef op(x): return torch.relu(x)\n"}});
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "op")) << dump(facts);
  EXPECT_TRUE(calls(facts, "op", "torch.relu")) << dump(facts);
}

TEST(Lowering, FactsSurviveTheirJson) {
  const Facts facts = extract_python(model("", "return F.relu(a @ b) if a.numel() else b"));
  const Result<Facts> back = facts::facts_from_json(Json(facts), "test");
  ASSERT_TRUE(back.ok()) << back.error().describe();
  EXPECT_EQ(dump(*back), dump(facts));
}

TEST(Lowering, PositionsAreBytesOfTheFile) {
  const std::string source =
      "\xef\xbb\xbfimport torch\r\n# \xc3\xa9\r\nclass ModelNew(torch.nn.Module):\r\n    def forward(self, x):\r\n     "
      "   '\xc3\xa9'; return torch.relu(x)\r\n";
  const Facts facts = extract_python(source);
  bool found = false;
  for (const facts::Block& block : function_of(facts, "ModelNew.forward")->blocks) {
    for (const facts::Statement& each : block.statements) {
      if (each.callee != "torch.relu") continue;
      found = true;
      EXPECT_EQ(source.substr(static_cast<std::size_t>(each.span.begin),
                              static_cast<std::size_t>(each.span.end - each.span.begin)),
                "torch.relu(x)");
      EXPECT_EQ(each.span.line, 5);
    }
  }
  EXPECT_TRUE(found) << dump(facts);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
