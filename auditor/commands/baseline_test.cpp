#include "auditor/commands/baseline.h"

#include <gtest/gtest.h>

#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::commands {
namespace {

Finding finding_in(const std::string& file, const std::string& code) {
  Finding finding;
  finding.code = code;
  finding.message = code + " here.";
  finding.span = {file, 0, 4, 1, 1, 1, 5};
  return finding;
}

TEST(Baseline, SpeaksOnlyOfWhatWasLookedAt) {
  const tasks::TempTree tree;
  const Baseline::Sources sources = {{tree.path("a.py"), "call(x)\n"}, {tree.path("b.py"), "call(y)\n"}};
  Baseline baseline(tree.path("baseline.json"));
  baseline.add(finding_in(tree.path("a.py"), "KA101"), sources);
  baseline.add(finding_in(tree.path("a.py"), "KA201"), sources);
  baseline.add(finding_in(tree.path("b.py"), "KA101"), sources);
  ASSERT_TRUE(baseline.write().ok());
  Result<Baseline> read = Baseline::read(tree.path("baseline.json"));
  ASSERT_TRUE(read.ok());
  const auto any = [](const std::string&) { return true; };
  EXPECT_EQ(read->gone({}, any), 0);
  EXPECT_EQ(read->gone({tree.path("a.py")}, any), 2);
  EXPECT_EQ(read->gone({tree.path("b.py"), tree.path("./a.py")}, any), 3);
  EXPECT_EQ(read->gone({tree.path("a.py")}, [](const std::string& code) { return code == "KA201"; }), 1);
  EXPECT_TRUE(read->take(finding_in(tree.path("a.py"), "KA201"), sources));
  EXPECT_FALSE(read->take(finding_in(tree.path("a.py"), "KA201"), sources)) << "each covers as many as were noted";
  EXPECT_EQ(read->gone({tree.path("a.py")}, any), 1);
}

TEST(Baseline, WhatIsFoundForOneOfTwoCandidatesIsStillThere) {
  const tasks::TempTree tree;
  const Baseline::Sources sources = {{tree.path("lib.py"), "call(x)\n"}};
  const Finding finding = finding_in(tree.path("lib.py"), "KA101");
  Baseline baseline(tree.path("baseline.json"));
  baseline.add(finding, sources);
  baseline.add(finding, sources);
  EXPECT_TRUE(baseline.take(finding, sources));
  EXPECT_EQ(baseline.gone({tree.path("lib.py")}, [](const std::string&) { return true; }), 0);
}

}  // namespace
}  // namespace kernel_audit::commands
