// Modules that a candidate imports from its own folder come along; nothing else does.
#include "tasks/loaders/imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tasks/loaders/loader.h"
#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> file_names(const Candidate& candidate) {
  std::vector<std::string> names;
  for (const SourceFile& file : candidate.files) names.push_back(std::filesystem::path(file.path).filename().string());
  return names;
}

TEST(Imports, AreReadFromAllFormsOfTheStatement) {
  EXPECT_THAT(imported_modules("import torch, my_kernels.core as mk\nfrom .helpers import f\nfrom tools.a import b\n"),
              ElementsAre("torch", "my_kernels.core", ".helpers", ".helpers.f", "tools.a", "tools.a.b"));
  EXPECT_THAT(imported_modules("if x:\n    import a; import b  # import c\nfrom . import d, e as f\n"),
              ElementsAre("a", "b", ".d", ".e"));
  EXPECT_THAT(imported_modules("from . import (one,\n    two as t,\n)\nfrom lib import *\n"),
              ElementsAre(".one", ".two", "lib"));
  EXPECT_THAT(imported_modules("importlib.import_module('k.l')\n__import__( \".m\")\n"), ElementsAre("k.l", ".m"));
  EXPECT_THAT(imported_modules("__import__(name)\nimport_module = 'n'\n__import__('"), ElementsAre());
  const std::string long_name(1 << 20, 'a');
  EXPECT_THAT(imported_modules("__import__('" + long_name + "')\n"), ElementsAre(long_name));
  EXPECT_THAT(imported_modules("from .. import above\nfrom ..b.c import x\nfrom .import y\nfrom . . z import w\n"),
              ElementsAre("..above", "..b.c", "..b.c.x", ".y", "..z", "..z.w"));
  EXPECT_THAT(imported_modules("important = 1\nfrom_x = 2\nimport\nfrom\nfrom .\nimport ..\nimport a.\n"),
              ElementsAre());
}

TEST(Imports, BringTheModulesOfTheSameFolder) {
  const TempTree tree;
  tree.write("c/entry.py", "from .helpers import f\nimport torch\nclass ModelNew: pass\n");
  tree.write("c/helpers.py", "import deeper\n");
  tree.write("c/deeper.py", "import entry\n");
  tree.write("c/kernel.cu", "");
  tree.write("torch.py", "");
  const auto set = load_candidates(tree.path("c/entry.py"), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  ASSERT_THAT(set->candidates, SizeIs(1));
  EXPECT_THAT(file_names(set->candidates[0]), ElementsAre("entry.py", "helpers.py", "deeper.py", "kernel.cu"));
  EXPECT_EQ(set->candidates[0].code_sha256, code_digest(set->candidates[0].files));
  // A directory has one candidate there: what it brings along is none.
  const auto all = load_candidates(tree.path("c"), {});
  ASSERT_TRUE(all.ok()) << all.error().describe();
  ASSERT_THAT(all->candidates, SizeIs(1));
  EXPECT_THAT(file_names(all->candidates[0]), SizeIs(4));
}

std::vector<std::string> names_within(const std::string& entry) {
  const auto set = load_candidates(entry, {});
  EXPECT_TRUE(set.ok()) << set.error().describe();
  std::vector<std::string> names;
  if (!set) return names;
  for (const SourceFile& file : set->candidates[0].files) names.push_back(name_within(entry, file.path));
  return names;
}

TEST(Imports, BringThePackagesOfTheSameFolder) {
  const TempTree tree;
  tree.write("c/lib/ops.py", "from .memo import remember\nfrom ..beside import b\nimport flat\n");
  tree.write("c/lib/memo.py", "");
  tree.write("c/lib/unused.py", "");
  tree.write("c/lib/kernel.cu", "");
  tree.write("c/beside.py", "");
  tree.write("c/flat.py", "");
  tree.write("c/pkg/__init__.py", "from .names import *\n");
  tree.write("c/pkg/names.py", "");
  tree.write("c/pkg/sub/mod.py", "");
  tree.write("c/entry.py", "from lib.ops import f\nimport pkg.sub.mod\nclass ModelNew: pass\n");
  const std::vector<std::string> all = {"entry.py",  "lib/ops.py", "pkg/__init__.py", "pkg/sub/mod.py", "lib/memo.py",
                                        "beside.py", "flat.py",    "pkg/names.py",    "lib/kernel.cu"};
  EXPECT_EQ(names_within(tree.path("c/entry.py")), all);
  tree.write("c/entry.py", "from .lib import ops\nfrom . import pkg\nclass ModelNew: pass\n");
  EXPECT_THAT(names_within(tree.path("c/entry.py")),
              ElementsAre("entry.py", "lib/ops.py", "pkg/__init__.py", "lib/memo.py", "beside.py", "flat.py",
                          "pkg/names.py", "lib/kernel.cu"));
  // What a candidate brings along is none itself, in its subfolders either.
  const auto set = load_candidates(tree.path("c"), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  EXPECT_THAT(set->candidates, SizeIs(1));
}

TEST(Imports, StayInTheFolderOfTheCandidate) {
  const TempTree tree;
  tree.write("above.py", "secret = 1\n");
  tree.write("other/ops.py", "secret = 1\n");
  tree.link(tree.path("other"), "c/linked");
  tree.link(tree.path("above.py"), "c/lib/above.py");
  tree.write("c/lib/ops.py", "from ... import above\nfrom ...other import ops\nfrom . import above\n");
  tree.write("c/entry.py", "import linked.ops\nfrom .. import above\nfrom ..other.ops import secret\nimport lib.ops\n");
  EXPECT_THAT(names_within(tree.path("c/entry.py")), ElementsAre("entry.py", "lib/ops.py"));
}

TEST(Imports, ADigestTellsFoldersApart) {
  const auto digest = [](const std::string& helper) {
    return code_digest({{"a/entry.py", "a/entry.py", "import x", Language::kPython},
                        {"a/" + helper, "a/" + helper, "", Language::kPython}});
  };
  EXPECT_NE(digest("x.py"), digest("lib/x.py"));
  EXPECT_EQ(name_within("a/entry.py", "a/lib/x.py"), "lib/x.py");
  EXPECT_EQ(name_within("entry.py", "lib/x.py"), "lib/x.py");
  EXPECT_EQ(name_within("a/entry.py", "b/x.py"), "x.py");
  EXPECT_EQ(name_within("a/entry.py", "a/../x.py"), "x.py");
  EXPECT_EQ(name_within("entry.py", "/etc/x.py"), "x.py");
}

TEST(Imports, ChangeTheDigest) {
  const TempTree tree;
  tree.write("entry.py", "import helpers\n");
  tree.write("helpers.py", "a = 1\n");
  const auto before = load_candidates(tree.path("entry.py"), {});
  tree.write("helpers.py", "a = 2\n");
  const auto after = load_candidates(tree.path("entry.py"), {});
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_NE(before->candidates[0].code_sha256, after->candidates[0].code_sha256);
}

TEST(Imports, LeaveOtherCandidatesAndLinksAlone) {
  const TempTree tree;
  tree.write("c/one.py", "import linked, other, operator\n");
  tree.write("c/operator.py", "class ModelNew: pass\n");
  tree.write("c/two.py", "class ModelNew: pass\n");
  tree.write("elsewhere.py", "secret = 1\n");
  tree.link(tree.path("elsewhere.py"), "c/linked.py");
  const auto set = load_candidates(tree.path("c/one.py"), {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(file_names(set->candidates[0]), ElementsAre("one.py"));
}

TEST(Imports, ACandidateThatAnotherImportsStaysOne) {
  const TempTree tree;
  tree.write("c/one.py", "from two import f\nclass ModelNew: pass\n");
  tree.write("c/two.py", "class ModelNew: pass\n");
  const auto set = load_candidates(tree.path("c"), {});
  ASSERT_TRUE(set.ok());
  ASSERT_THAT(set->candidates, SizeIs(2));
  EXPECT_THAT(file_names(set->candidates[0]), ElementsAre("one.py", "two.py"));
  EXPECT_THAT(file_names(set->candidates[1]), ElementsAre("two.py"));
}

TEST(Imports, StopAtTheLimit) {
  const TempTree tree;
  std::string entry;
  for (int i = 0; i < 5; ++i) {
    entry += "import m" + std::to_string(i) + "\n";
    tree.write("m" + std::to_string(i) + ".py", "");
  }
  tree.write("entry.py", entry);
  Limits limits;
  limits.modules = 3;
  const auto set = load_candidates(tree.path("entry.py"), {}, limits);
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(set->candidates[0].files, SizeIs(4));
  ASSERT_THAT(set->problems, SizeIs(1));
  EXPECT_THAT(set->problems[0].describe(), HasSubstr("imports more than it may bring along"));
}

}  // namespace
}  // namespace kernel_audit::tasks
