// lint as authors use it: selection, comments, baseline, cache, standard input, formats and policies.
#include "tests/e2e/lint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kernel_audit::e2e {
namespace {

const std::string kVendor =
    "import torch\nfrom torch.utils.cpp_extension import load_inline\n"
    "source = r'''\n#include <torch/extension.h>\n#include <cublas_v2.h>\n"
    "torch::Tensor go(torch::Tensor a, torch::Tensor b) {\n"
    "  auto c = torch::empty({a.size(0), b.size(1)}, a.options());\n  float one = 1, zero = 0;\n"
    "  cublasHandle_t handle;\n  cublasCreate(&handle);\n"
    "  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, b.size(1), a.size(0), a.size(1), &one, b.data_ptr<float>(), "
    "b.size(1), a.data_ptr<float>(), a.size(1), &zero, c.data_ptr<float>(), b.size(1));%s\n"
    "  return c;\n}\n'''\next = load_inline(name='e', cpp_sources=source, functions=['go'])\n\n\n"
    "class ModelNew(torch.nn.Module):\n    def forward(self, a, b):\n        return ext.go(a, b)\n";

std::string vendor_with(const std::string& comment) {
  std::string text = kVendor;
  return text.replace(text.find("%s"), 2, comment);
}

TEST_F(Lint, ThePolicyDecidesOnVendorLibraries) {
  const std::string file = scratch_.write("vendor.py", vendor_with(""));
  EXPECT_EQ(lint_json({file}, 3)["items"][0]["verdict"], "review");
  EXPECT_EQ(lint_json({file, "--policy", "strict"}, 1)["items"][0]["verdict"], "cheat");
  EXPECT_EQ(lint_json({file, "--set", "vendor_libraries=allow"}, 0)["items"][0]["verdict"], "clean");
  const std::string policy =
      scratch_.write("policy.json", R"({"extends": "competition", "topics": {"vendor_libraries": "review"}})");
  const Json results = lint_json({file, "--policy", policy}, 3);
  EXPECT_EQ(results["items"][0]["verdict"], "review");
  EXPECT_EQ(results["policy"], policy);
}

TEST_F(Lint, APolicyCanRaiseANote) {
  const std::string approximate = source("analysis/rules/fast-math/bad/intrinsics.cu");
  EXPECT_EQ(lint_json({approximate}, 0)["items"][0]["verdict"], "clean");
  EXPECT_EQ(lint_json({approximate, "--set", "effects.KA422=review"}, 3)["items"][0]["verdict"], "review");
  const std::string hinted = source("analysis/rules/eviction-hint/bad/in_ptx.cu");
  EXPECT_EQ(lint_json({hinted}, 0)["items"][0]["verdict"], "clean");
  const std::string policy = scratch_.write("raised.json", R"({"effects": {"KA522": "cheat"}})");
  EXPECT_EQ(lint_json({hinted, "--policy", policy}, 1)["items"][0]["verdict"], "cheat");
}

TEST_F(Lint, ACommentInAnEmbeddedSourceSetsItsFindingAside) {
  const std::string file =
      scratch_.write("vendor.py", vendor_with("  // kernel-audit: allow KA104 the task is to time this call"));
  const Json results = lint_json({file}, 0);
  EXPECT_EQ(results["items"][0]["verdict"], "clean");
  const Json& suppressed = stage_of(results)["suppressed"];
  ASSERT_EQ(suppressed.size(), 1U);
  EXPECT_EQ(suppressed[0]["by"], "inline");
  EXPECT_EQ(suppressed[0]["reason"], "the task is to time this call");
  EXPECT_EQ(suppressed[0]["place"]["line"], suppressed[0]["finding"]["span"]["line"]);
  const std::string text = run_cli({"lint", file}).standard_output;
  EXPECT_NE(text.find("is allowed by a comment: the task is to time this call"), std::string::npos) << text;
}

TEST_F(Lint, ACommentWithoutReasonOrUseIsReported) {
  const std::string bare = scratch_.write("bare.py", vendor_with("  // kernel-audit: allow KA104"));
  const Json results = lint_json({bare}, 3);
  EXPECT_EQ(stage_of(results)["findings"][1]["code"], "KA991") << results.dump(1);
  const std::string unused = scratch_.write("unused.py", "# kernel-audit: allow KA301 joined\n" + kFallback);
  EXPECT_EQ(stage_of(lint_json({unused}, 1))["findings"][1]["code"], "KA992");
  const std::string quoted = scratch_.write("quoted.py", "t = '# kernel-audit: allow KA301'\n" + kFallback);
  EXPECT_EQ(stage_of(lint_json({quoted}, 1))["findings"].size(), 1U);
}

TEST_F(Lint, SelectionAndPatterns) {
  scratch_.write("one.py", kFallback);
  scratch_.write("two.py", kFallback);
  scratch_.write("other.py", kFallback);
  EXPECT_EQ(lint_json({scratch_.path("*o*.py"), "--select", "KA1"}, 1)["items"].size(), 3U);
  EXPECT_EQ(lint_json({scratch_.path("t?o.py")}, 1)["items"].size(), 1U);
  scratch_.write("below/deep/one.py", kFallback);
  EXPECT_EQ(run_cli({"lint", scratch_.path("*/one.py")}).exit.code, 2) << "* stays within one folder";
  EXPECT_EQ(lint_json({scratch_.path("**/one.py")}, 1)["items"].size(), 2U);
  const Json none = lint_json({scratch_.path("one.py"), "--ignore", "framework-fallback"}, 0);
  EXPECT_EQ(stage_of(none)["suppressed"][0]["by"], "selection");
  const auto codes = [&](const std::string& patterns) {
    std::string found;
    const Json results = lint_json({scratch_.path("one.py"), "--select", patterns}, patterns == "ka9" ? 0 : 1);
    for (const Json& finding : stage_of(results)["findings"]) found += finding["code"].get<std::string>();
    return found;
  };
  EXPECT_EQ(codes("ka1"), "KA101");
  EXPECT_EQ(codes("Ka101,ka2"), "KA101");
  EXPECT_EQ(codes("Framework-Fallback"), "KA101");
  EXPECT_EQ(codes(" KA201 , ka101"), "KA101");
  EXPECT_EQ(codes("ka9"), "");
}

TEST_F(Lint, CommentsNameRulesInAnyCaseAndBySlug) {
  for (const std::string comment : {"kernel-audit: allow ka101", "kernel-audit: allow framework-fallback",
                                    "Kernel-Audit: Allow KA101", "KERNEL-AUDIT allow KA101"}) {
    std::string text = kFallback;
    text.insert(text.size() - 1, "  # " + comment + " it is the reference");
    EXPECT_EQ(lint_json({scratch_.write("a.py", text)}, 0)["items"][0]["verdict"], "clean") << comment;
  }
}

TEST_F(Lint, ACommentThatNamesAnUnknownRuleSaysSo) {
  std::string text = kFallback;
  text.insert(text.size() - 1, "  # kernel-audit: allow KA777 it is the reference");
  const Json results = lint_json({scratch_.write("a.py", text)}, 1);
  const Json& findings = stage_of(results)["findings"];
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[1]["code"], "KA991");
  EXPECT_NE(findings[1]["message"].get<std::string>().find("names KA777, which is no rule of lint"), std::string::npos);
}

TEST_F(Lint, ASourceWithoutAnEntryIsToldOfOnce) {
  for (const char* name : {"none.py", "none.cu"}) {
    const Json results = lint_json({scratch_.write(name, name[5] == 'p' ? "x = 1\n" : "int f();\n")}, 3);
    ASSERT_EQ(stage_of(results)["findings"].size(), 1U) << results.dump(1);
    EXPECT_EQ(stage_of(results)["findings"][0]["code"], "KA701");
  }
}

constexpr const char* kUsesPackage =
    "import torch\nfrom lib.ops import relu\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n"
    "        return relu(x)\n";
constexpr const char* kPackage =
    "import torch\nfrom . import table\n\n\ndef relu(x):\n    key = x.data_ptr()\n    if key not in table.kept:\n"
    "        table.kept[key] = torch.relu(x)\n    return table.kept[key]\n";

TEST_F(Lint, PackagesBesideACandidateAreRead) {
  const std::string entry = scratch_.write("entry.py", kUsesPackage);
  scratch_.write("lib/ops.py", kPackage);
  scratch_.write("lib/table.py", "kept = {}\n");
  const Json results = lint_json({entry}, 1);
  std::string codes;
  for (const Json& finding : stage_of(results)["findings"]) codes += finding["code"].get<std::string>() + " ";
  EXPECT_NE(codes.find("KA201"), std::string::npos) << results.dump(1);
  EXPECT_EQ(results["items"][0]["files"], Json({entry, scratch_.path("lib/ops.py"), scratch_.path("lib/table.py")}));
  const std::string text = run_cli({"lint", entry}).standard_output;
  EXPECT_NE(text.find("read with it: " + scratch_.path("lib/ops.py")), std::string::npos) << text;
}

// Every spelling leads to the function that is cached.
TEST_F(Lint, AnyFormOfImportLeadsIntoAPackage) {
  scratch_.write("lib/ops.py", kPackage);
  scratch_.write("lib/table.py", "kept = {}\n");
  scratch_.write("pkg/__init__.py", "from .sub import inner\nfrom .sub.inner import relu as shown\n");
  scratch_.write("pkg/sub/inner.py", "from ...lib import ops as above\nfrom lib.ops import relu\n");
  const std::pair<const char*, const char*> forms[] = {
      {"from .lib.ops import relu", "relu"},
      {"import lib.ops", "lib.ops.relu"},
      {"import lib.ops as o", "o.relu"},
      {"from lib import ops", "ops.relu"},
      {"from lib.ops import *", "relu"},
      {"from . import lib\nimport lib.ops", "lib.ops.relu"},
      {"import pkg.sub.inner", "pkg.sub.inner.relu"},
      {"import pkg", "pkg.shown"},
      {"from pkg import inner", "inner.relu"},
      {"o = __import__('lib.ops')", "o.ops.relu"},
      {"import importlib\no = importlib.import_module('lib.ops')", "o.relu"}};
  for (const auto& [statement, function] : forms) {
    const std::string entry = scratch_.write(
        "entry.py", "import torch\n" + std::string(statement) +
                        "\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return " +
                        function + "(x)\n");
    const Json results = lint_json({entry, "--select", "KA2"}, 1);
    EXPECT_FALSE(stage_of(results)["findings"].empty()) << statement;
  }
}

TEST_F(Lint, AHookNamesWhatItLikes) {
  const std::string entry = scratch_.write("c/entry.py", kUsesPackage);
  const std::string ops = scratch_.write("c/lib/ops.py", kPackage);
  scratch_.write("c/lib/table.py", "kept = {}\n");
  const std::string setup = scratch_.write("setup.py", "from setuptools import setup\nsetup()\n");
  const std::string test = scratch_.write("c/test_it.py", "def test_it():\n    assert True\n");
  const Json none = lint_json({"--only-candidates", setup, test}, 0);
  EXPECT_TRUE(none["items"].empty());
  EXPECT_EQ(none["notes"].size(), 1U);
  EXPECT_EQ(run_cli({"lint", "--only-candidates", setup, "--out", scratch_.path("out")}).exit.code, 0);
  EXPECT_EQ(lint_json({setup}, 3)["items"][0]["verdict"], "inconclusive") << "named without the option, it is judged";
  // A part of a candidate stands for it, and it is judged once.
  process::SpawnOptions below = options_for({"lint", "--only-candidates", "--format", "json", "lib/ops.py", "entry.py"},
                                            std::chrono::seconds(60));
  below.working_directory = scratch_.path("c");
  const Result<process::Completed> done = process::run(below);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->exit.code, 1) << done->standard_output << done->standard_error;
  const Result<Json> whole = parse_json(done->standard_output, "stdout");
  ASSERT_TRUE(whole.ok());
  ASSERT_EQ((*whole)["items"].size(), 1U);
  EXPECT_EQ((*whole)["items"][0]["files"], Json({"entry.py", "lib/ops.py", "lib/table.py"}));
  EXPECT_EQ(lint_json({"--only-candidates", setup, entry}, 1)["items"].size(), 1U);
  EXPECT_EQ(run_cli({"lint", "--only-candidates", scratch_.path("absent.py")}).exit.code, 2);
  EXPECT_EQ(run_cli({"lint", "--only-candidates", scratch_.write("c/bad.py", "\xff")}).exit.code, 2);
  EXPECT_EQ(run_cli({"lint", "--only-candidates", "-q", setup, entry, scratch_.path("c/bad.py")}).exit.code, 1);
}

// From a folder beside it, a file is the same one by any spelling.
TEST_F(Lint, AHookNamesWhatLiesBesideItsFolder) {
  scratch_.write("here/other.py", kFallback);
  const std::string entry = scratch_.write("c/entry.py", kUsesPackage), ops = scratch_.write("c/lib/ops.py", kPackage);
  scratch_.write("c/lib/table.py", "kept = {}\n");
  const auto items = [&](const std::vector<std::string>& files) {
    std::vector<std::string> arguments = {"lint", "--only-candidates", "--format", "json"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    process::SpawnOptions options = options_for(arguments, std::chrono::seconds(60));
    options.working_directory = scratch_.path("here");
    const Result<process::Completed> done = process::run(options);
    EXPECT_TRUE(done.ok());
    Result<Json> json = parse_json(done->standard_output, "stdout");
    EXPECT_TRUE(json.ok()) << done->standard_error;
    return json ? (*json)["items"] : Json();
  };
  const Json absolute = items({ops});
  ASSERT_EQ(absolute.size(), 1U);
  EXPECT_EQ(absolute[0]["candidate"], "entry");
  EXPECT_EQ(absolute[0]["files"].size(), 3U);
  for (const std::vector<std::string>& files : {std::vector<std::string>{"../c/lib/ops.py"},
                                                {"./../here/../c/lib/ops.py"},
                                                {"../c/entry.py"},
                                                {"../c/lib/ops.py", entry}}) {
    const Json relative = items(files);
    ASSERT_EQ(relative.size(), 1U) << files[0];
    EXPECT_EQ(relative[0]["candidate"], absolute[0]["candidate"]);
    EXPECT_EQ(relative[0]["candidate_sha256"], absolute[0]["candidate_sha256"]);
    EXPECT_EQ(relative[0]["files"].size(), 3U);
  }
  EXPECT_EQ(items({"../c/entry.py"})[0]["files"][0], "../c/entry.py");
  std::filesystem::create_directory_symlink(scratch_.path("c"), scratch_.path("linked"));
  EXPECT_EQ(items({"../linked/entry.py", "../c/lib/ops.py"}).size(), 1U);
  EXPECT_EQ(items({"../linked/entry.py"}), items({"../c/entry.py"}));
}

TEST_F(Lint, WhatIsGivenTwiceIsLintedOnce) {
  const std::string file = scratch_.write("d/a.py", kFallback);
  std::filesystem::create_symlink("a.py", scratch_.path("d/b.py"));
  std::filesystem::create_directory_symlink("d", scratch_.path("e"));
  scratch_.write("other/a.py", kFallback + "\n");
  const std::string record = Json{{"custom_code", kFallback}, {"name", "one"}}.dump() + "\n";
  const std::string rows = scratch_.write("d/rows.jsonl", record + record);
  const auto count = [&](const std::vector<std::string>& arguments) { return lint_json(arguments, 1)["items"].size(); };
  EXPECT_EQ(count({file, file, scratch_.path("d/./a.py"), scratch_.path("d/b.py"), scratch_.path("e/a.py")}), 1U);
  EXPECT_EQ(count({scratch_.path("d/*.py"), file, scratch_.path("**/a.py")}), 2U) << "other/a.py is another one";
  EXPECT_EQ(count({rows, scratch_.path("e/rows.jsonl")}), 2U) << "two records that say the same are two";
  EXPECT_EQ(count({scratch_.path("d"), file, rows}), 3U);
  const Json two = lint_json({file, scratch_.path("other/a.py")}, 1);
  EXPECT_NE(two["items"][0]["candidate"], two["items"][1]["candidate"]) << "each has a name of its own";
}

TEST_F(Lint, ASourceIsNoPartOfAScriptBesideIt) {
  scratch_.write("util.py", "import os\n");
  scratch_.write("shared.cuh", "#pragma once\n__device__ float half_of(float x) { return x / 2; }\n");
  EXPECT_EQ(run_cli({"lint", scratch_.path("")}).exit.code, 2) << "a script and a header hold no candidate";
  scratch_.write("kernel.cu", read_text(source("analysis/rules/side-stream/good/refuses_capture.cu")));
  const Json results = lint_json({scratch_.path("")}, 0);
  ASSERT_EQ(results["items"].size(), 1U);
  EXPECT_EQ(results["items"][0]["files"].size(), 2U);
}

TEST_F(Lint, ABaselineHidesWhatWasThere) {
  const std::string file = scratch_.write("a.py", kFallback), baseline = scratch_.path("baseline.json");
  lint_json({file, "--write-baseline", baseline}, 0);
  EXPECT_EQ(read_json_file(baseline)["findings"][0]["file"], "a.py");
  scratch_.write("a.py", "# more lines above\n\n" + kFallback);
  EXPECT_EQ(stage_of(lint_json({file, "--baseline", baseline}, 0))["suppressed"][0]["by"], "baseline");
  scratch_.write("a.py", kFallback + "        return torch.sigmoid(x)\n");
  std::string changed = kFallback;
  changed.replace(changed.find("relu"), 4, "tanh");
  scratch_.write("a.py", changed);
  const Json results = lint_json({file, "--baseline", baseline}, 1);
  EXPECT_EQ(results["notes"].size(), 1U) << "the old finding is gone";
}

TEST_F(Lint, TheBaselineSpeaksOfWhatWasLookedAt) {
  const std::string a = scratch_.write("a.py", kFallback), b = scratch_.write("b.py", kFallback);
  const std::string baseline = scratch_.path("baseline.json");
  lint_json({a, b, "--write-baseline", baseline}, 0);
  const auto notes = [&](std::vector<std::string> arguments, int exit_code = 0) {
    arguments.insert(arguments.end(), {"--baseline", baseline});
    return lint_json(arguments, exit_code)["notes"];
  };
  EXPECT_EQ(notes({a}), Json::array()) << "b was not linted";
  EXPECT_EQ(notes({a, b, "--select", "KA2"}), Json::array()) << "KA101 was not selected";
  EXPECT_EQ(notes({a, b, "--ignore", "KA101"}), Json::array());
  std::string allowed = kFallback, changed = kFallback;
  allowed.insert(allowed.size() - 1, "  # kernel-audit: allow KA101 it is the reference");
  scratch_.write("a.py", allowed);
  EXPECT_EQ(notes({a}).size(), 1U) << "the line has other words now";
  changed.replace(changed.find("relu"), 4, "tanh");
  scratch_.write("a.py", changed);
  ASSERT_EQ(notes({a, b}, 1).size(), 1U);
  EXPECT_TRUE(notes({a, b}, 1)[0].get<std::string>().starts_with("1 finding of the baseline is no longer there"));
  EXPECT_EQ(notes({b}), Json::array());
  EXPECT_EQ(notes({a, "--select", "KA3"}), Json::array());
}

TEST_F(Lint, ARecordWithoutAKnownFieldIsToldOf) {
  const std::string rows =
      scratch_.write("rows.jsonl", Json{{"name", "one"}, {"custom_code", kFallback}}.dump() + "\n" +
                                       Json{{"name", "two"}, {"kernel", kFallback}}.dump() + "\n" +
                                       Json{{"name", "three"}, {"custom_code", nullptr}}.dump() + "\n");
  const process::Completed done = run_cli({"lint", rows, "--format", "json"});
  EXPECT_EQ(done.exit.code, 1);
  EXPECT_NE(
      done.standard_error.find("rows.jsonl: record 2: has no field custom_code or code; its fields are kernel, name"),
      std::string::npos)
      << done.standard_error;
  EXPECT_NE(done.standard_error.find("1 record holds no code and is left out: three"), std::string::npos)
      << done.standard_error;
  const Result<Json> results = parse_json(done.standard_output, "stdout");
  ASSERT_TRUE(results.ok());
  ASSERT_EQ((*results)["items"].size(), 2U);
  EXPECT_EQ((*results)["items"][1]["verdict"], "not-run");
}

TEST_F(Lint, TheCacheAnswersForUnchangedContent) {
  const std::string file = scratch_.write("a.py", kFallback), cache = scratch_.path("cache");
  const auto entries = [&] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(cache)) paths.push_back(entry.path());
    return paths;
  };
  Json first = lint_json({file, "--cache", cache}, 1);
  ASSERT_EQ(entries().size(), 1U);
  Json second = lint_json({file, "--cache", cache}, 1);
  EXPECT_EQ(entries().size(), 1U);
  EXPECT_EQ(first["items"], second["items"]);
  // It is really read: an entry that says something else is believed, one that is no result is not.
  const std::string entry = entries()[0].string();
  Json kept = read_json_file(entry);
  kept["findings"] = Json::array();
  kept["has_witness"] = true;
  std::ofstream(entry) << kept.dump();
  EXPECT_EQ(lint_json({file, "--cache", cache}, 0)["items"][0]["verdict"], "clean");
  std::ofstream(entry) << "{\"findings\": 5}";
  EXPECT_EQ(lint_json({file, "--cache", cache}, 1)["items"], first["items"]);
  lint_json({file, "--cache", cache, "--policy", "strict"}, 1);
  EXPECT_EQ(entries().size(), 2U) << "another policy is another result";
  scratch_.write("a.py", kFallback + "\n");
  lint_json({file, "--cache", cache}, 1);
  EXPECT_EQ(entries().size(), 3U);
}

TEST_F(Lint, StandardInput) {
  process::SpawnOptions options =
      options_for({"lint", "--stdin", "--stdin-filename", "dir/k.py"}, std::chrono::seconds(60));
  options.standard_input = kFallback;
  const Result<process::Completed> done = process::run(options);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->exit.code, 1);
  EXPECT_NE(done->standard_output.find("dir/k.py:6:16: error: "), std::string::npos) << done->standard_output;
  EXPECT_EQ(done->standard_error, "");
}

TEST_F(Lint, EveryFormatIsWritten) {
  const std::string file = scratch_.write("a.py", kFallback);
  const std::pair<const char*, const char*> formats[] = {{"sarif", "\"ruleId\": \"KA101\""},
                                                         {"github", "::error file="},
                                                         {"junit", "<failure type=\"cheat\""},
                                                         {"markdown", "# kernel-audit lint"},
                                                         {"text", "[KA101 framework-fallback]"}};
  for (const auto& [format, words] : formats) {
    const process::Completed done = run_cli({"lint", file, "-f", format});
    EXPECT_EQ(done.exit.code, 1) << format;
    EXPECT_NE(done.standard_output.find(words), std::string::npos) << format << "\n" << done.standard_output;
  }
  const process::Completed kept = run_cli({"lint", file, "-f", "sarif", "--out", scratch_.path("out")});
  EXPECT_EQ(read_text(scratch_.path("out") + "/results.sarif"), kept.standard_output);
}

}  // namespace
}  // namespace kernel_audit::e2e
