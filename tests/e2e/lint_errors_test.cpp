// Each mistake of a user of `lint` is one line that names the file or the option, what is wrong and what to do; exit
// code 2, and nothing else is printed or left behind.
#include <algorithm>
#include <filesystem>

#include "tests/e2e/lint.h"

namespace kernel_audit::e2e {
namespace {

class LintErrors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
    file_ = scratch_.write("a.py", kFallback);
  }

  void refused(std::vector<std::string> arguments, const std::vector<std::string>& named,
               const std::string& standard_input = "") {
    arguments.insert(arguments.begin(), "lint");
    process::SpawnOptions options = options_for(arguments, std::chrono::seconds(60));
    options.standard_input = standard_input;
    const Result<process::Completed> done = process::run(options);
    ASSERT_TRUE(done.ok());
    const std::string& text = done->standard_error;
    EXPECT_EQ(done->exit.code, 2) << text << done->standard_output;
    EXPECT_EQ(done->standard_output, "") << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    EXPECT_TRUE(text.starts_with("kernel-audit: error: ")) << text;
    EXPECT_TRUE(text.ends_with(")\n")) << "no remedy: " << text;
    EXPECT_LT(text.size(), 420U) << text;
    EXPECT_EQ(text.find("exception"), std::string::npos) << text;
    for (const std::string& words : named) EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
  }
  void refused_policy(const std::string& text, const std::vector<std::string>& named) {
    const std::string policy = scratch_.write("p.json", text);
    std::vector<std::string> all = named;
    all.push_back(policy + ": ");
    refused({file_, "--policy", policy}, all);
  }

  Scratch scratch_;
  std::string file_;
};

TEST_F(LintErrors, Candidates) {
  refused({}, {"CANDIDATES"});
  refused({""}, {"empty path"});
  refused({"-"}, {"standard input", "--stdin"});
  refused({scratch_.path("absent.py")}, {"absent.py", "there is no such file", "check the path"});
  refused({scratch_.path("absent*.py")}, {"absent*.py", "nothing matches"});
  refused({scratch_.path("[")}, {"nothing matches"});
  refused({file_ + "/x.py"}, {"a.py/x.py", "Not a directory"});
  std::filesystem::create_directory(scratch_.path("empty"));
  refused({scratch_.path("empty")}, {"empty", "no candidate", "name a .py"});
  refused({scratch_.write("notes.txt", "")}, {"notes.txt", "no format", "name a .py"});
  refused({scratch_.write("latin.py", "x = '\xe4'\n")}, {"latin.py", "UTF-8 at byte 5 (line 1)", "save"});
  refused({scratch_.write("nul.py", std::string("x\0", 2))}, {"nul.py", "NUL byte"});
  refused({scratch_.write("huge.py", std::string((std::size_t{16} << 20) + 1, '#'))},
          {"huge.py", "limit", "leave it out"});
  refused({file_, "--ids", "9/9"}, {"--ids 9/9", "such as"});
}

TEST_F(LintErrors, StandardInput) {
  refused({"--stdin"}, {"standard input", "--stdin", "nothing came in"});
  refused({"--stdin"}, {"standard input", "UTF-8 at byte 0"}, "\xff");
  refused({"--stdin"}, {"standard input", "more than 16777216 bytes"}, std::string((std::size_t{16} << 20) + 1, '#'));
  refused({"--stdin", "--stdin-filename", "a.txt"}, {"--stdin-filename", ".cu"}, "x");
  refused({file_, "--stdin-filename", "a.py"}, {"--stdin-filename", "--stdin"});
}

TEST_F(LintErrors, Policies) {
  refused({file_, "--policy", "lax"}, {"lax", "kernelbench"});
  std::filesystem::create_directory(scratch_.path("folder"));
  refused({file_, "--policy", scratch_.path("folder")}, {"folder", "--policy", "regular file"});
  refused_policy("", {"no JSON"});
  refused_policy("{", {"no JSON", "line 1"});
  refused_policy("\xff", {"UTF-8"});
  refused_policy("[]", {"object"});
  refused_policy(R"({"topic": {}})", {"topic", "topics"});
  refused_policy(R"({"topics": {"vendors": "allow"}})", {"topics.vendors", "vendor_libraries"});
  refused_policy(R"({"topics": {"cuda_graphs": 5}})", {"topics.cuda_graphs", "forbid"});
  refused_policy(R"({"topics": {"cuda_graphs": "maybe"}})", {"topics.cuda_graphs", "forbid"});
  refused_policy(R"({"topics": {"framework_compute": {"forbid_above": 2}}})", {"forbid_above", "between 0 and 1"});
  refused_policy(R"({"effects": {"KA123": "note"}})", {"effects.KA123", "rules"});
  refused_policy(R"({"effects": {"no-such-rule": "note"}})", {"effects.no-such-rule", "rules"});
  refused_policy(R"({"effects": {"KA104": "note", "vendor-library": "cheat"}})", {"effects", "KA104", "twice"});
  refused_policy(R"({"effects": {"KA104": "shrug"}})", {"effects.KA104", "review"});
  refused_policy(R"({"thresholds": {"eval.wrong.atol": "x"}})", {"thresholds.eval.wrong.atol", "number"});
  refused_policy(R"({"thresholds": {"eval.wrong.btol": 1}})", {"thresholds.eval.wrong.btol", "atol"});
  refused_policy(R"({"topics": {}, "topics": {"cuda_graphs": "allow"}})", {"topics", "twice"});
  refused_policy(R"({"extends": "lax"})", {"extends", "strict"});
  refused_policy(R"({"extends": 3})", {"extends", "strict"});
  refused_policy(R"({"name": 3})", {"name", "quotes"});
  refused({file_, "--set", "x"}, {"--set", "x", "vendor_libraries=forbid"});
  refused({file_, "--set", "vendor_libraries=perhaps"}, {"--set", "vendor_libraries", "forbid"});
  refused({file_, "--set", "effects.KA123=note"}, {"--set", "effects.KA123"});
}

TEST_F(LintErrors, Baselines) {
  const auto refused_baseline = [&](const std::string& text, const std::vector<std::string>& named) {
    refused({file_, "--baseline", scratch_.write("b.json", text)}, named);
  };
  refused({file_, "--baseline", scratch_.path("absent.json")}, {"absent.json", "--baseline", "--write-baseline"});
  refused_baseline("{", {"b.json", "no JSON", "--write-baseline"});
  refused_baseline("{}", {"b.json", "kind", "--write-baseline"});
  refused_baseline(R"({"kind": "kernel-audit-baseline", "schema_version": 9})", {"schema_version"});
  refused_baseline(R"({"kind": "kernel-audit-baseline", "schema_version": 1, "findings": 3})", {"findings"});
  refused_baseline(R"({"kind": "kernel-audit-baseline", "schema_version": 1, "findings": [{"code": 3}]})",
                   {"findings[0]"});
}

TEST_F(LintErrors, PlacesToWriteTo) {
  refused({file_, "--write-baseline", scratch_.path("absent/b.json")}, {"absent/b.json", "written", "folder"});
  std::filesystem::create_directory(scratch_.path("folder"));
  refused({file_, "--write-baseline", scratch_.path("folder")}, {"folder", "written"});
  EXPECT_FALSE(std::filesystem::exists(scratch_.path("folder.tmp")));
  refused({file_, "--out", file_}, {"a.py", "--out", "writable"});
  refused({file_, "--cache", file_}, {"a.py", "--cache", "writable"});
}

TEST_F(LintErrors, Options) {
  refused({file_, "--select", "KB1"}, {"--select", "KB1", "rules"});
  refused({file_, "--select", ""}, {"--select"});
  refused({file_, "--ignore", "KA1,no-such-rule"}, {"--ignore", "no-such-rule"});
  refused({file_, "--select", "KA851"}, {"--select", "KA851", "`eval`", "kernel-audit eval"});
  refused({file_, "--select", "wrong-output"}, {"--select", "wrong-output", "`eval`"});
  refused({file_, "--select", "KA777"}, {"--select", "KA777", "rules"});
  refused({file_, "--ignore", "KA0"}, {"--ignore", "KA0", "`filter`"});
  refused({file_, "--select", "KA101", "--ignore", "framework-fallback"}, {"no rule is left", "--ignore"});
  refused({file_, "--format", "yaml"}, {"--format", "sarif"});
  refused({file_, "--jobs", "0"}, {"--jobs", "above 0"});
  refused({file_, "--jobs", "x"}, {"--jobs", "--help"});
  refused({file_, "--level", "x"}, {"--level", "whole number"});
  refused({file_, "--python", "absent-python"}, {"--python", "absent-python"});
  refused({file_, "--bogus"}, {"--bogus", "--help"});
  refused({file_, "--json", "--format", "sarif"}, {"--json", "--format"});
  refused({file_, "--fresh"}, {"--fresh", "--out"});
  refused({file_, "--retry"}, {"--retry", "--out"});
  refused({file_, "--fresh", "--retry", "--out", scratch_.path("out")}, {"--fresh", "--retry"});
  for (const char* option : {"--baseline", "--write-baseline", "--cache", "--select", "--ignore"}) {
    refused({file_, option, "KA1", "--out", scratch_.path("out")}, {option, "--out"});
  }
}

}  // namespace
}  // namespace kernel_audit::e2e
