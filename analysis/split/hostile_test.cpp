// Sources made to break the extractor: each gives Facts with a reason, in bounded time, never a crash.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>

#include "analysis/split/extract_test_support.h"

namespace kernel_audit::analysis::split {
namespace {

std::string repeat_text(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

struct Hostile {
  const char* name;
  std::string source;
  const char* problem;  // a kind that must be there; nullptr: none is asked for
};
class HostileSources : public testing::TestWithParam<Hostile> {};

TEST_P(HostileSources, GiveAnAnswer) {
  const facts::Facts facts = extract_python(GetParam().source);
  EXPECT_TRUE(GetParam().problem == nullptr || has_problem(facts, GetParam().problem)) << dump(facts).substr(0, 2000);
  EXPECT_TRUE(facts::facts_from_json(Json(facts), "hostile").ok());
}

const std::vector<Hostile> kHostile = {
    {"Parentheses", repeat_text("(", 10000) + "1" + repeat_text(")", 10000), "syntax-error"},
    {"Minuses", "x = " + repeat_text("-", 10000) + "1", "limit"},
    {"Nots", "x = " + repeat_text("not ", 20000) + "1", "limit"},
    {"Sums", "x = 1" + repeat_text(" + 1", 20000), "limit"},
    {"Strings", "x = 'a'" + repeat_text(" + 'a'", 900), nullptr},
    {"Attributes", "x = a" + repeat_text(".b", 20000), "limit"},
    {"Calls", "x = a" + repeat_text("()", 5000), "limit"},
    {"LongLine", "x = '" + repeat_text("a", 1 << 20) + "'", nullptr},
    {"LongList", "x = [" + repeat_text("1,", 50000) + "]", nullptr},
    {"InvalidUtf8", "x = '\xff\xfe'", "syntax-error"},
    {"LoneSurrogate", "x = '\\ud800'\nclass ModelNew: pass\n", "no-entry"},
    {"NullByte", std::string("x = 1\0y", 7), "syntax-error"},
    {"Empty", "", "no-entry"},
    {"OnlyBom", "\xef\xbb\xbf", "no-entry"},
    {"FormFeed", "\f\nx = 1\f\n", "no-entry"},
    {"CarriageReturns", "x = 1\ry = '''a\rb'''\r", "no-entry"},
    {"Utf7Cookie", "# coding: utf-7\n# +AAo-import torch\n", "encoding"},
    {"UnknownCookie", "# coding: no-such-thing\nx = 1\n", "syntax-error"},
    {"ElifChain", "if a: pass\n" + repeat_text("elif a: pass\n", 600), "no-entry"},
    {"SelfExec", "s = 'exec(s)'\nexec(s)\n", "no-entry"},
    {"NestedExec", "exec('exec(\"exec(\\\\\"x = 1\\\\\")\")')\n", "no-entry"},
    {"GrowingString", "s = 'a'\nwhile q:\n    s = s + s\nexec(s)\n", "dynamic-call"},
    {"Doubling", "s = 'a' * 1000\n" + repeat_text("s = s + s\n", 40), "no-entry"},
    {"InheritsItself", "class A(A): pass\nclass ModelNew(ModelNew): pass\n", "no-entry"},
    {"MutualClasses", "for i in x:\n    class A(B): pass\n    class B(A): pass\nModelNew = A\n", nullptr},
    {"Recursion",
     "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x): return self.forward((x, x))\n",
     nullptr},
    {"NestedFinally",
     [] {
       std::string text = "def f():\n", pad = " ";
       for (int i = 0; i < 18; ++i, pad += " ") text += pad + "try: g()\n" + pad + "finally:\n";
       return text + pad + "return 1\n";
     }(),
     nullptr},
    {"Unterminated", "x = '''abc", "syntax-error"},
    {"BadIndent", "def f():\nreturn 1", "syntax-error"},
    {"Decorators", repeat_text("@d\n", 2000) + "def f(): pass\n", nullptr},
    {"ManyArguments", "f(" + repeat_text("a,", 5000) + ")", nullptr},
    {"StarStar", "f(*a, *b, **c, **d, *e)\n", nullptr},
    {"OddUnpack", "a, *b, c = d\n[(*e, f), g] = h\nfor i, (j, *k) in l: pass\n", nullptr},
    {"Match",
     "match x:\n    case {'a': 1, **r}: pass\n    case [1, *s] | (2, s): pass\n    case P(q=3) as t if t: pass\n    "
     "case _: pass\n",
     nullptr},
    {"RangesOfFreshNumbers",
     "def f(n): return [str(i) for i in range(n)]\nfor k in range(0, 9223372036854775807, 9223372036854775806): "
     "setattr(f, f'a{k}', k)\nfor name in [f'x{i}' for i in range(-2)]: exec(name)\nn = 2\nm = [f'{i}' for i in "
     "range(n)]\n",
     "no-entry"},
    {"Async", "async def f():\n    async with a as b:\n        async for c in d: yield await e\n    return\n", nullptr},
};
INSTANTIATE_TEST_SUITE_P(Kinds, HostileSources, testing::ValuesIn(kHostile),
                         [](const auto& each) { return each.param.name; });

TEST(Hostile, MutatedSourcesNeverCrash) {
  const std::string seed = model(
      "from torch.utils.cpp_extension import load_inline\nsrc = r'''int k;'''\nm = load_inline('m', '', src, "
      "functions=['k'])\n"
      "cache = {}\ndef helper(x, *rest, y=[1], **more):\n    with torch.no_grad() as q:\n        try: return "
      "x[1:2](*rest, **more)\n        except (A, B) as e: raise e from None\n        finally: del x\n",
      "y = [i for i in a if i] and {**b} or f'{a!r:>{b}}' ; cache[id(a)] = y; return helper(*y, k=lambda z=1: "
      "(yield))");
  const char* tokens[] = {"(",     ")",       "[", "]",    ":",      "=",       "self", "torch",
                          "def ",  "\n    ",  "'", "\"",   ",",      "lambda ", "*",    "if ",
                          "else ", "return ", ".", "exec", "await ", "{",       "}"};
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    std::string source = seed;
    for (unsigned change = 0; change < 1 + random() % 4; ++change) {
      const std::size_t at = random() % source.size();
      if (random() % 2 == 0)
        source.erase(at, random() % 5);
      else
        source.insert(at, tokens[random() % std::size(tokens)]);
    }
    const facts::Facts facts = extract_python(source);
    ASSERT_TRUE(facts::facts_from_json(Json(facts), "mutant").ok()) << source;
  }
}

TEST(Hostile, ADeadInterpreterIsReplaced) {
  python::Interpreter interpreter;
  ASSERT_TRUE(interpreter.parse("x = 1").ok());
  kill(interpreter.pid(), SIGKILL);
  const Result<Json> lost = interpreter.parse("x = 1");
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().kind, ErrorKind::kExit);
  EXPECT_TRUE(interpreter.parse("x = 1").ok());
  EXPECT_EQ(interpreter.starts(), 2);
}

TEST(Hostile, AHangingInterpreterIsATimeout) {
  python::Interpreter interpreter({}, std::chrono::milliseconds(1500));
  ASSERT_TRUE(interpreter.parse("x = 1").ok());
  kill(interpreter.pid(), SIGSTOP);
  const Result<Json> late = interpreter.parse("x = 1");
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().kind, ErrorKind::kTimeout);
  EXPECT_TRUE(interpreter.parse("x = 1").ok());
}

TEST(Hostile, AMissingInterpreterSaysWhatToDo) {
  python::Interpreter interpreter("/no/such/python");
  const Result<std::string> version = interpreter.version();
  ASSERT_FALSE(version.ok());
  EXPECT_NE(version.error().describe().find("--python"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
