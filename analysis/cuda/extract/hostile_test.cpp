// Positions that a candidate cannot move, errors that cost no more than they must, and inputs made to
// exhaust whoever reads them.
#include <gmock/gmock.h>

#include <chrono>

#include "analysis/cuda/extract/lowering_test_support.h"

namespace kernel_audit::analysis::cuda {
namespace {

using facts::StatementKind;
using ::testing::HasSubstr;

const facts::Statement* call_of(const Lowered& lowered, const std::string& callee) {
  for (const facts::Function& function : lowered.facts.functions) {
    for (const facts::Block& block : function.blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.kind == StatementKind::kCall && statement.callee == callee) return &statement;
      }
    }
  }
  return nullptr;
}

Limits quick() {
  Limits limits;
  limits.seconds = 2;
  limits.tokens = 500'000;
  return limits;
}

TEST(Positions, ArePhysicalOffsets) {
  const std::string text =
      "#line 900 \"other.cu\"\n#include <torch/extension.h>\nat::Tensor f(at::Tensor a) {\n#line 1 \"x\"\n  return "
      "torch::matmul(a, a); }\n";
  const Lowered lowered(text);
  const facts::Statement* call = call_of(lowered, "at::matmul");
  ASSERT_NE(call, nullptr) << dump(lowered.facts);
  EXPECT_EQ(call->span.file, "unit.cu");
  EXPECT_EQ(text.substr(static_cast<std::size_t>(call->span.begin),
                        static_cast<std::size_t>(call->span.end - call->span.begin)),
            "torch::matmul(a, a)");
  EXPECT_FALSE(call->in_macro);
}

TEST(Positions, MacroBodiesAreWhereTheMacroIsUsed) {
  const std::string text =
      "#include <torch/extension.h>\n#define CALL(f, x) torch::f##mul(x, x)\nat::Tensor f(at::Tensor a) { return "
      "CALL(mat, a.relu()); }\n";
  const Lowered lowered(text);
  const facts::Statement* call = call_of(lowered, "at::matmul");
  ASSERT_NE(call, nullptr) << dump(lowered.facts);
  EXPECT_TRUE(call->in_macro);
  EXPECT_EQ(text.substr(static_cast<std::size_t>(call->span.begin),
                        static_cast<std::size_t>(call->span.end - call->span.begin)),
            "CALL(mat, a.relu())");
  const facts::Statement* argument = call_of(lowered, "at::Tensor::relu");
  ASSERT_NE(argument, nullptr);
  EXPECT_EQ(text.substr(static_cast<std::size_t>(argument->span.begin), 8), "a.relu()");
}

TEST(Positions, GoThroughTheOffsetMap) {
  split::SourceUnit unit;
  unit.name = "c.py:src";
  unit.language = facts::UnitLanguage::kCuda;
  unit.text = "int g(int);\nint f() { return g(1); }\n";
  unit.map.append(split::Segment{0, 12, "c.py", 100, 112, true});
  unit.map.append(split::Segment{12, static_cast<std::int64_t>(unit.text.size()) - 12, "c.py", 500,
                                 500 + static_cast<std::int64_t>(unit.text.size()) - 12, true});
  facts::Facts facts;
  ASSERT_TRUE(lower_cuda(unit, {}, facts).ok());
  bool seen = false;
  for (const facts::Function& function : facts.functions) {
    if (function.name != "f") continue;
    seen = true;
    EXPECT_EQ(function.span.file, "c.py");
    EXPECT_EQ(function.span.begin, 500);
  }
  EXPECT_TRUE(seen);
}

TEST(Positions, NeighboursKeepTheirOwnFile) {
  const Lowered lowered("#include \"sub/h.cuh\"\nint f() { return helper(); }\n", {},
                        {{"sub/h.cuh", "dir/sub/h.cuh", "inline int helper() { return 3; }\n"}});
  ASSERT_NE(lowered.find("helper"), facts::kNone) << dump(lowered.facts);
  EXPECT_EQ(lowered.facts.functions[static_cast<std::size_t>(lowered.find("helper"))].span.file, "dir/sub/h.cuh");
  EXPECT_THAT(lowered.text("f"), HasSubstr("-> @helper"));
}

TEST(Errors, MissingHeadersAreRecordedAndNotFatal) {
  const Lowered lowered(
      "#include <nobody/knows.h>\n#include \"mine.h\"\n#if __has_include(\"/etc/passwd\")\nint leaked;\n#endif\nint "
      "f() { return 1; }\n");
  ASSERT_EQ(lowered.facts.units[0].missing_includes.size(), 2U);
  EXPECT_EQ(lowered.facts.units[0].missing_includes[0], "nobody/knows.h");
  EXPECT_NE(lowered.find("f"), facts::kNone);
  EXPECT_FALSE(lowered.has_problem("syntax-error"));
  for (const facts::Storage& storage : lowered.facts.storages) EXPECT_NE(storage.name, "leaked");
}

TEST(Errors, FilesOnDiskAreNeverRead) {
  const Lowered lowered(
      "#include \"/etc/passwd\"\n#include </etc/hostname>\nconst char data[] = {\n#embed \"/etc/passwd\"\n};\nint f() "
      "{ return 1; }\n");
  EXPECT_THAT(lowered.facts.units[0].missing_includes, ::testing::ElementsAre("/etc/passwd", "/etc/hostname"));
  EXPECT_EQ(dump(lowered.facts).find("root"), std::string::npos);
  EXPECT_NE(lowered.find("f"), facts::kNone);
}

TEST(Errors, OneBadStatementDoesNotHideTheRest) {
  const Lowered lowered(
      "#include <torch/extension.h>\nat::Tensor f(at::Tensor a) { auto b = a.relu(); NoSuchType q = 3; b = "
      "torch::matmul(b, undefined_name); return b; }\nint g() { return 2; }\n");
  EXPECT_TRUE(lowered.has_problem("syntax-error"));
  EXPECT_NE(call_of(lowered, "at::Tensor::relu"), nullptr) << dump(lowered.facts);
  EXPECT_NE(call_of(lowered, "at::matmul"), nullptr) << dump(lowered.facts);
  EXPECT_NE(lowered.find("g"), facts::kNone);
}

TEST(Errors, DeviceOnlyCodeIsSaid) {
  const Lowered lowered("__global__ void k(int* p) {\n#if __CUDA_ARCH__ >= 800\n p[0] = 1;\n#endif\n}\n");
  EXPECT_TRUE(lowered.has_problem("dynamic-call"));
}

class Hostile : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_LT(std::chrono::steady_clock::now() - begin_, std::chrono::seconds(60)); }
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

TEST_F(Hostile, MacroBomb) {
  std::string text = "#define A0 1 +\n";
  for (int i = 1; i < 40; ++i)
    text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  const Lowered lowered(text + "int x = A39 1;\n", quick());
  EXPECT_TRUE(lowered.has_problem("limit"));
  EXPECT_FALSE(lowered.facts.units[0].parsed);
}

TEST_F(Hostile, IncludesThatIncludeThemselves) {
  const Lowered once("#include \"a.h\"\nint f() { return 1; }\n", quick(), {{"a.h", "a.h", "#include \"a.h\"\n"}});
  EXPECT_TRUE(once.has_problem("syntax-error") || once.has_problem("limit"));
  const Lowered twice("#include \"a.h\"\nint f() { return 1; }\n", quick(),
                      {{"a.h", "a.h", "#include \"a.h\"\n#include \"a.h\"\n"}});
  EXPECT_FALSE(twice.facts.problems.empty());
  // Never deep, always again: only counting helps.
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "#include \"b.h\"\n";
  std::string wider;
  for (int i = 0; i < 100; ++i) wider += "#include \"a.h\"\n";
  const Lowered many(wider + "int f() { return 1; }\n", quick(), {{"a.h", "a.h", wide}, {"b.h", "b.h", "\n"}});
  EXPECT_TRUE(many.has_problem("limit")) << dump(many.facts);
}

TEST_F(Hostile, DeepNesting) {
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const Lowered parens("int x = " + repeat("(", 100'000) + "1" + repeat(")", 100'000) + ";\n", quick());
  EXPECT_FALSE(parens.facts.problems.empty());
  const Lowered minus("int f(int a) { return " + repeat("- ", 20'000) + "a; }\n", quick());
  EXPECT_TRUE(minus.has_problem("limit"));
  const Lowered sum("int f(int a) { return a" + repeat(" + a", 20'000) + "; }\n", quick());
  EXPECT_TRUE(sum.has_problem("limit"));
  const Lowered chain("int f(int a) {" + repeat("if (a) return 1; else ", 20'000) + "return 2; }\n", quick());
  EXPECT_FALSE(chain.facts.problems.empty());
}

TEST_F(Hostile, TemplatesWithoutEnd) {
  const Lowered deep("template <int N> struct T { static constexpr int v = T<N + 1>::v; }; int x = T<0>::v;\n",
                     quick());
  EXPECT_TRUE(deep.has_problem("syntax-error"));
  const Lowered wide(
      "template <int N, int M> struct T { static constexpr int v = T<N - 1, M * 2>::v + T<N - 1, M * 2 + 1>::v; };\n"
      "template <int M> struct T<0, M> { static constexpr int v = 1; }; int x = T<26, 1>::v; int f() { return 1; }\n",
      quick());
  EXPECT_TRUE(wide.has_problem("limit"));
  const Lowered loop("constexpr int spin() { int i = 0; while (true) ++i; return i; } constexpr int x = spin();\n",
                     quick());
  EXPECT_TRUE(loop.has_problem("syntax-error"));
}

TEST_F(Hostile, ListsWithoutAType) {
  const Lowered bound(
      "#include <torch/extension.h>\n"
      "template <class T> struct S { void go(pybind11::module_& m) {\n"
      "  T made(1, 2); m.def(\"a\", made); m.def(\"b\", &made[0]); made[0] = 1; *made = 2; T guard(made, {1, 2}); } "
      "};\n"
      "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { S<int>().go(m); }\n",
      quick());
  EXPECT_EQ(bound.failure, "");
}

TEST_F(Hostile, Garbage) {
  std::string noise;
  unsigned state = 1;
  for (int i = 0; i < 20'000; ++i) noise += static_cast<char>((state = state * 1103515245U + 12345U) >> 16U);
  EXPECT_EQ(Lowered(noise, quick()).failure, "");
  EXPECT_EQ(Lowered(std::string(1000, '\0') + "int f() { return 1; }", quick()).failure, "");
  EXPECT_EQ(Lowered("int f() { return 1; ", quick()).failure, "");
  EXPECT_EQ(
      Lowered("#pragma clang __debug crash\n#pragma clang __debug overflow_stack\nint f() { return \"\xff\xfe\"[0]; }",
              quick())
          .failure,
      "");
  EXPECT_EQ(Lowered("", quick()).failure, "");
}

}  // namespace
}  // namespace kernel_audit::analysis::cuda
