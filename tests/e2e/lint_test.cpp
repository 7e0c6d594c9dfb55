// lint as authors use it: selection, comments, baseline, cache, standard input, formats and policies.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/e2e/cli.h"

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

const std::string kFallback =
    "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n";

Json lint_json(std::vector<std::string> arguments, int exit_code) {
  arguments.insert(arguments.begin(), "lint");
  arguments.insert(arguments.end(), {"--format", "json"});
  const process::Completed done = run_cli(arguments);
  EXPECT_EQ(done.exit.code, exit_code) << done.standard_output << done.standard_error;
  const Result<Json> json = parse_json(done.standard_output, "stdout");
  EXPECT_TRUE(json.ok()) << done.standard_output << done.standard_error;
  return json ? *json : Json();
}

const Json& stage_of(const Json& results, std::size_t item = 0) { return results["items"][item]["stages"][0]; }

class Lint : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  }
  Scratch scratch_;
};

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

TEST_F(Lint, AMistakenPolicyIsOneClearError) {
  const std::string file = scratch_.write("a.py", kFallback);
  const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& named) {
    std::vector<std::string> arguments = {"lint", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const process::Completed done = run_cli(arguments);
    EXPECT_EQ(done.exit.code, 2) << done.standard_error;
    for (const std::string& words : named)
      EXPECT_NE(done.standard_error.find(words), std::string::npos) << done.standard_error;
  };
  const std::string policy = scratch_.write("p.json", R"({"topics": {"vendors": "allow"}})");
  refused({"--policy", policy}, {policy, "topics.vendors", "vendor_libraries"});
  refused({"--policy", scratch_.write("q.json", R"({"effects": {"KA123": "note"}})")}, {"effects.KA123", "rules"});
  refused({"--policy", "lax"}, {"lax", "kernelbench"});
  refused({"--set", "vendor_libraries=perhaps"}, {"--set", "forbid"});
  refused({"--select", "KB1"}, {"--select", "KB1"});
  refused({"--format", "yaml"}, {"--format", "sarif"});
  refused({"--baseline", scratch_.write("b.json", "{}")}, {"b.json", "kind", "--write-baseline"});
  refused({"--baseline", file, "--out", scratch_.path("out")}, {"--baseline"});
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
  const Json none = lint_json({scratch_.path("one.py"), "--ignore", "framework-fallback"}, 0);
  EXPECT_EQ(stage_of(none)["suppressed"][0]["by"], "selection");
  EXPECT_EQ(run_cli({"lint", scratch_.path("absent*.py")}).exit.code, 2);
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
