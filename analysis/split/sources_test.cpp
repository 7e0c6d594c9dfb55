// Embedded sources: found through whatever builds the string, with the place of every byte.
#include <gtest/gtest.h>

#include "analysis/python/lower.h"
#include "analysis/split/extract_test_support.h"
#include "analysis/split/locator.h"

namespace kernel_audit::analysis::split {
namespace {

python::LowerResult lower(const std::string& source, const std::vector<VirtualFile>& others = {}) {
  Locator locator;
  locator.add("c.py", source);
  return python::lower_python({{"c.py", "c.py", source}}, others, test_interpreter(), locator);
}

// The text of the only source given as `what`, or what is wrong.
std::string folded(const python::LowerResult& result, const std::string& what = "cuda_sources") {
  std::string text;
  int count = 0;
  for (const python::EmbeddedSource& source : result.sources) {
    if (source.what != what) continue;
    const python::Atom* atom = source.value.single();
    if (atom == nullptr || atom->kind != python::AtomKind::kText) return "<unknown>";
    text = atom->partial ? "<partial>" + atom->text->bytes : atom->text->bytes;
    ++count;
  }
  return count == 1 ? text : "<" + std::to_string(count) + " sources>";
}

std::string build(const std::string& before, const std::string& value) {
  return "from torch.utils.cpp_extension import load_inline\nimport textwrap\n" + before +
         "\nmod = load_inline(name='m', cpp_sources='', cuda_sources=" + value + ", functions=['f'])\n";
}

struct Way {
  const char* name;
  std::string before;
  std::string value;
  std::string expected = "int KERNEL;";
};

class Sources : public testing::TestWithParam<Way> {};

TEST_P(Sources, Folds) {
  const std::string source = build(GetParam().before, GetParam().value);
  const python::LowerResult result = lower(source);
  EXPECT_EQ(folded(result), GetParam().expected) << source;
  // Whatever built it, "KERNEL" in the unit is "KERNEL" in the file when the file has it.
  const std::size_t in_file = source.find("KERNEL");
  for (const python::EmbeddedSource& each : result.sources) {
    const python::Atom* atom = each.value.single();
    if (each.what != "cuda_sources" || atom == nullptr || atom->text == nullptr || in_file == std::string::npos)
      continue;
    const auto at = static_cast<std::int64_t>(atom->text->bytes.find("KERNEL"));
    const SourceSpan span = atom->text->map.resolve(at, at + 6);
    EXPECT_EQ(source.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.end - span.begin)),
              "KERNEL");
  }
}

const std::vector<Way> kWays = {
    {"Literal", "", "'int KERNEL;'"},
    {"List", "", "['int KERNEL;']"},
    {"Variable", "s = 'int KERNEL;'", "s"},
    {"Concatenation", "s = 'int ' + 'KERNEL' + ';'", "[s]"},
    {"Adjacent", "", "('int '  # note\n  'KERNEL;')"},
    {"Augmented", "s = 'int '\ns += 'KERNEL;'", "s"},
    {"Join", "", "' '.join(['int', 'KERNEL;'])"},
    {"Format", "", "'int {};'.format('KERNEL')"},
    {"FormatNamed", "", "'int {n};'.format(n='KERNEL')"},
    {"Percent", "", "'int %s;' % 'KERNEL'"},
    {"PercentTuple", "n = 'KERNEL'", "'%s %s;' % ('int', n)"},
    {"FString", "n = 'KERNEL'", "f'int {n};'"},
    {"FStringBraces", "n = 'KERNEL'", "f'int {n}{{}};'", "int KERNEL{};"},
    {"FStringNumber", "N = 4 * 8", "f'int KERNEL[{N}];'", "int KERNEL[32];"},
    {"FStringTriple", "n = 3", "f\"\"\"\nint KERNEL = {n};\n\"\"\"", "\nint KERNEL = 3;\n"},
    {"Replace", "", "'int NAME;'.replace('NAME', 'KERNEL')"},
    {"Dedent", "", "textwrap.dedent('''\n    int KERNEL;\n    ''').strip()"},
    {"Escapes", "", "'int\\x20\\tKERNEL;\\n'", "int \tKERNEL;\n"},
    {"Raw", "", "r'int KERNEL\\n;'", "int KERNEL\\n;"},
    {"Continuation", "", "'int \\\nKERNEL;'"},
    {"Appended", "parts = []\nparts.append('int ')\nparts.append('KERNEL;')", "''.join(parts)"},
    {"Argument", "def make(s): return s + ';'", "make('int KERNEL')"},
    {"Tuple", "a, b = 'int ', 'KERNEL;'", "a + b"},
    {"Attribute", "class C:\n    src = 'int KERNEL;'", "C.src"},
    {"Dictionary", "d = {'k': 'int KERNEL;'}", "d['k']"},
    {"Bytes", "", "b'int KERNEL;'.decode()"},
    {"Conditional", "", "'int KERNEL;' if True else 'other'"},
    {"UnknownPart", "import os\nn = os.environ['N']", "'int KERNEL = ' + str(n)", "<partial>int KERNEL = "},
};

INSTANTIATE_TEST_SUITE_P(Ways, Sources, testing::ValuesIn(kWays), [](const auto& each) { return each.param.name; });

TEST(Sources, BuildOptionsAndFunctionsAreKept) {
  const python::LowerResult result = lower(
      "import torch.utils.cpp_extension as e\nflags = ['-O3'] + ['--use_fast_math']\n"
      "m = e.load_inline('my_ops', cpp_sources=['int f();'], cuda_sources=['a', 'b'], functions=['f', 'g'], "
      "extra_cuda_cflags=flags)\n");
  ASSERT_EQ(result.sources.size(), 3u);
  EXPECT_EQ(result.sources[0].extension, "ext:my_ops");
  EXPECT_EQ(result.sources[0].bound_functions, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(result.sources[1].build_flags, (std::vector<std::string>{"-O3", "--use_fast_math"}));
}

TEST(Sources, NeighbourFilesAreReadAndBuilt) {
  const std::vector<VirtualFile> others = {{"kernel.cu", "dir/kernel.cu", "int KERNEL;"}};
  EXPECT_EQ(folded(lower("import os\nfrom torch.utils.cpp_extension import load\n"
                         "m = load(name='m', sources=[os.path.join(os.path.dirname(__file__), 'kernel.cu')])\n",
                         others),
                   "kernel.cu"),
            "int KERNEL;");
  EXPECT_EQ(folded(lower("from pathlib import Path\nfrom torch.utils.cpp_extension import load_inline\n"
                         "s = (Path(__file__).parent / 'kernel.cu').read_text()\nm = load_inline('m', '', s)\n",
                         others)),
            "int KERNEL;");
  EXPECT_EQ(
      folded(lower("from torch.utils.cpp_extension import load_inline\nwith open('kernel.cu') as f:\n    s = f.read()\n"
                   "m = load_inline('m', '', s)\n",
                   others)),
      "int KERNEL;");
}

TEST(Sources, FilesThatTheCandidateWritesAreBuilt) {
  EXPECT_EQ(folded(lower("import pathlib, tempfile\nfrom torch.utils.cpp_extension import load\n"
                         "d = pathlib.Path(tempfile.gettempdir()) / 'mine'\np = d / 'k.cu'\n"
                         "p.write_text('int WRITTEN;')\nm = load(name='m', sources=[str(p)])\n"),
                   "?/mine/k.cu"),
            "int WRITTEN;");
  EXPECT_EQ(folded(lower("import os, tempfile\nfrom torch.utils.cpp_extension import load\nd = tempfile.mkdtemp()\n"
                         "p = os.path.join(d, 'k.cu')\nwith open(p, 'w') as f:\n    f.write('int KERNEL;')\nm = "
                         "load(name='m', sources=[p])\n"),
                   "?/k.cu"),
            "int KERNEL;");
}

TEST(Sources, RawKernelsAreLaunches) {
  const facts::Facts facts = extract_python(
      "import cupy as cp, torch\nk = cp.RawKernel(r'''extern \"C\" __global__ void add(float* a) {}''', 'add')\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        k((1,), (32,), (x.data_ptr(),))\n        "
      "return x\n");
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "launch add")) << dump(facts);
}

TEST(Sources, KernelsOfRawModulesAreLaunches) {
  const facts::Facts facts = extract_python(
      "import cupy as cp, torch\nm = cp.RawModule(code=r'''extern \"C\" __global__ void add(float* a) {}''')\n"
      "class ModelNew(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.k = "
      "m.get_function('add')\n"
      "    def forward(self, x):\n        self.k((1,), (32,), (x.data_ptr(),))\n        return x\n");
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "launch add")) << dump(facts);
}

TEST(Sources, TritonKernelsAreLaunches) {
  const facts::Facts facts = extract_python(
      "import torch, triton\nimport triton.language as tl\n@triton.autotune(configs=[], key=[])\n@triton.jit\ndef "
      "add(p, N: tl.constexpr):\n    tl.store(p, 1)\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        grid = lambda meta: (1,)\n        "
      "add[grid](x, N=4)\n        return x\n");
  EXPECT_TRUE(calls(facts, "ModelNew.forward", "launch add")) << dump(facts);
  for (const facts::Function& function : facts.functions) {
    EXPECT_TRUE(function.name != "add" || function.is_kernel);
  }
}

TEST(Sources, WhatDoesNotFoldIsSaid) {
  EXPECT_TRUE(has_problem(extract_python(build("s = input()", "s")), "unfoldable-source"));
  EXPECT_TRUE(has_problem(extract_python(build("import os", "'int a;' + os.environ['X']")), "unfoldable-source"));
  EXPECT_TRUE(
      has_problem(extract_python(build("s = []\nfor i in range(3): s.append(str(i))", "s")), "unfoldable-source"));
  EXPECT_FALSE(has_problem(extract_python(build("", "'int a;'")), "unfoldable-source"));
}

}  // namespace
}  // namespace kernel_audit::analysis::split
