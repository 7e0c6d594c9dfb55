// Comments that speak to the program are taken from comment tokens, in every language, at their place in the user's
// file.
#include "analysis/split/directives.h"

#include <gtest/gtest.h>

#include "analysis/split/extract_test_support.h"

namespace kernel_audit::analysis::split {
namespace {

std::vector<std::string> cpp(const std::string& source) {
  std::vector<std::string> found;
  for (const ByteRange& range : marked_cpp_comments(source))
    found.push_back(source.substr(range.begin, range.end - range.begin));
  return found;
}

using Texts = std::vector<std::string>;

TEST(Directives, CppCommentsAreTokens) {
  EXPECT_EQ(cpp("int x;  // kernel-audit: allow KA301 a\nint y;"), Texts{"// kernel-audit: allow KA301 a"});
  EXPECT_EQ(cpp("/* kernel-audit: allow KA301 a */ int y;"), Texts{"/* kernel-audit: allow KA301 a */"});
  EXPECT_EQ(cpp("auto s = \"// kernel-audit: allow KA301 a\";"), Texts{});
  EXPECT_EQ(cpp("auto s = \"\\\"// kernel-audit: a\"; // kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("auto s = R\"x(\n// kernel-audit: a\n)\" )x\"; // kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("auto s = u8R\"(// kernel-audit: a)\";"), Texts{});
  EXPECT_EQ(cpp("char c = '\"'; // kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("int n = 1'000'000; // kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("#error don't\n// kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("// one \\\n kernel-audit: b\nint x;"), Texts{"// one \\\n kernel-audit: b"});
  EXPECT_EQ(cpp("a / b; c /* d */ / e; // kernel-audit: b"), Texts{"// kernel-audit: b"});
  EXPECT_EQ(cpp("/* kernel-audit: open"), Texts{"/* kernel-audit: open"});
  EXPECT_EQ(cpp("R\"kernel-audit: never closed"), Texts{});
  EXPECT_EQ(cpp("int x;  // Kernel-Audit: Allow KA301 a"), Texts{"// Kernel-Audit: Allow KA301 a"});
}

facts::Facts with_comments(const std::string& source) { return extract_python(source); }

TEST(Directives, PythonStringsAreNoComments) {
  const facts::Facts facts = with_comments(
      "'''\n# kernel-audit: allow KA101 in a docstring\n'''\n"
      "tag = \"# kernel-audit: allow KA101 in a string\"\n"
      "name = f\"# kernel-audit: allow KA101 {tag} in a format\"\n"
      "x = 1  # kernel-audit: allow KA101 in a comment, é\n");
  ASSERT_EQ(facts.directives.size(), 1U);
  EXPECT_EQ(facts.directives[0].text, "allow KA101 in a comment, é");
  EXPECT_EQ(facts.directives[0].line, 6);
  EXPECT_EQ(facts.directives[0].span.line, 6);
  EXPECT_EQ(facts.directives[0].span.column, 8);
}

TEST(Directives, OneThatStandsAloneSpeaksOfTheNextCode) {
  const facts::Facts facts = with_comments(
      "# kernel-audit: allow KA101 one\n\n# another remark\n    # kernel-audit: allow KA201 two\nx = 1\n"
      "# kernel-audit:\n# mention of kernel-audit: nothing\n# why # kernel-audit: allow KA301 three\n");
  ASSERT_EQ(facts.directives.size(), 4U);
  EXPECT_EQ(facts.directives[0].line, 5);
  EXPECT_EQ(facts.directives[1].line, 5);
  EXPECT_EQ(facts.directives[2].text, "");
  EXPECT_EQ(facts.directives[3].text, "allow KA301 three");
  EXPECT_EQ(facts.directives[3].line, 8) << "no code follows";
}

TEST(Directives, TheMarkIsReadInAnyCaseAndWithoutItsColon) {
  const facts::Facts facts = with_comments(
      "a = 1  # Kernel-Audit: Allow KA101 one\nb = 1  # KERNEL-AUDIT : allow KA101 two\n"
      "c = 1  # kernel-audit allow KA101 three\nd = 1  # kernel-audit allows much\ne = 1  # kernel-audit is a tool\n"
      "f = 1  # kernel-audit-allow KA101 four\n");
  ASSERT_EQ(facts.directives.size(), 3U);
  EXPECT_EQ(facts.directives[0].text, "Allow KA101 one");
  EXPECT_EQ(facts.directives[1].text, "allow KA101 two");
  EXPECT_EQ(facts.directives[2].text, "allow KA101 three");
}

TEST(Directives, EmbeddedSourcesKeepTheirPlace) {
  const facts::Facts facts = with_comments(
      "from torch.utils.cpp_extension import load_inline\n"
      "source = \"\"\"\n"
      "#include <torch/extension.h>\n"
      "// kernel-audit: allow KA301 alone\n"
      "torch::Tensor go(torch::Tensor x) { return x; }\n"
      "const char* text = \"// kernel-audit: allow KA301 in a string\";\n"
      "\"\"\" + \"int y;  // kernel-audit: allow KA104 behind \\\\n\"\n"
      "ext = load_inline(name=\"e\", cpp_sources=source, functions=[\"go\"])\n");
  ASSERT_EQ(facts.directives.size(), 2U);
  EXPECT_EQ(facts.directives[0].text, "allow KA301 alone");
  EXPECT_EQ(facts.directives[0].span.line, 4);
  EXPECT_EQ(facts.directives[0].span.column, 1);
  EXPECT_EQ(facts.directives[0].line, 5);
  EXPECT_EQ(facts.directives[1].span.line, 7);
  EXPECT_EQ(facts.directives[1].line, 7);
}

TEST(Directives, OfABareSource) {
  const facts::Facts facts =
      extract_files({{"a.cu", "a.cu", "cuda", "int forward() { return 1; }  // kernel-audit: allow KA801 a\n"},
                     {"b.cuh", "b.cuh", "cuda", "// kernel-audit: allow KA801 b\nint x;\n"}});
  ASSERT_EQ(facts.directives.size(), 2U);
  EXPECT_EQ(facts.directives[0].span.file, "a.cu");
  EXPECT_EQ(facts.directives[1].span.file, "b.cuh");
  EXPECT_EQ(facts.directives[1].line, 2);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
