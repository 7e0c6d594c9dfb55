// The README is true: the rule table in it is what the registry says, and every command it names exists.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

TEST(Readme, RuleTableIsFresh) {
  const std::string readme = read_text(source("README.md"));
  const std::string begin = "<!-- rules -->\n", end = "<!-- /rules -->";
  const auto from = readme.find(begin), to = readme.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(readme.substr(from + begin.size(), to - from - begin.size()),
            run_cli({"rules", "--markdown"}).standard_output)
      << "put the output of `kernel-audit rules --markdown` between the rules markers of README.md";
}

TEST(Readme, CoverageTableIsFresh) {
  EXPECT_EQ(read_text(source("analysis/rules/COVERAGE.md")), run_cli({"rules", "--coverage"}).standard_output)
      << "put the output of `kernel-audit rules --coverage` into analysis/rules/COVERAGE.md";
}

TEST(Readme, EveryCommandIsThereAndExplainsItself) {
  const std::string readme = read_text(source("README.md"));
  for (const char* command : {"run", "filter", "lint", "eval", "report", "rules", "explain", "verify", "doctor"}) {
    EXPECT_NE(readme.find(std::string("kernel-audit ") + command), std::string::npos) << command;
    const process::Completed help = run_cli({command, "--help"});
    EXPECT_EQ(help.exit.code, 0) << command;
    EXPECT_NE(help.standard_output.find("usage: kernel-audit " + std::string(command)), std::string::npos) << command;
  }
}

TEST(Readme, EveryRuleExplainsItself) {
  const std::string table = run_cli({"rules"}).standard_output;
  std::istringstream lines(table);
  int rules = 0;
  for (std::string code, rest; lines >> code && std::getline(lines, rest); ++rules) {
    const process::Completed explained = run_cli({"explain", code});
    EXPECT_EQ(explained.exit.code, 0) << code;
    EXPECT_NE(explained.standard_output.find("## What it finds"), std::string::npos) << code;
  }
  EXPECT_GE(rules, 10);
}

}  // namespace
}  // namespace kernel_audit::e2e
