// Every key of a policy decides on the findings that it names, by every value and in every preset.
#include <algorithm>

#include "tests/e2e/lint.h"

namespace kernel_audit::e2e {
namespace {

struct Topic {
  const char* name;
  const char* code;
  const char* fixture;          // below analysis/rules
  const char* presets[3] = {};  // effects under kernelbench, strict, competition
};

const Topic kTopics[] = {
    {"framework_compute", "KA101", "framework-fallback/bad/added_product.py", {"cheat", "cheat", "cheat"}},
    {"framework_compute", "KA103", "framework-beside-kernel/bad/fig_leaf.py", {"review", "review", "cheat"}},
    {"vendor_libraries", "KA104", "vendor-library/bad/by_ctypes.py", {"review", "cheat", "cheat"}},
    {"torch_compile", "KA111", "compiled-by-framework/bad/scripted_branch.py", {"review", "cheat", "cheat"}},
    {"cuda_graphs", "KA314", "cuda-graph/bad/copied_in.py", {"review", "review", "cheat"}},
    {"cuda_graphs", "KA324", "native-graph/bad/copied_in.cu", {"review", "review", "cheat"}},
    {"reduced_precision", "KA421", "narrowed-precision/bad/cut_bits.cu", {"review", "cheat", "cheat"}},
    {"side_streams", "KA302", "joined-stream/bad/joined_in_python.py", {"note", "review", "cheat"}},
    {"side_streams", "KA302", "joined-stream/bad/joined_by_event.cu", {"note", "review", "cheat"}},
    {"backend_flags", "KA411", "backend-flag/bad/at_import.py", {"review", "cheat", "cheat"}},
};

// The effect that all findings of `code` have, and whether the verdict is what the findings ask for.
std::string effect_of(const std::vector<std::string>& arguments, const std::string& code) {
  std::vector<std::string> all = {"lint", "--format", "json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const process::Completed done = run_cli(all);
  const Result<Json> results = parse_json(done.standard_output, "stdout");
  EXPECT_TRUE(results.ok()) << done.standard_error;
  if (!results) return {};
  std::string effect;
  bool cheat = false, review = false;
  for (const Json& finding : stage_of(*results)["findings"]) {
    cheat = cheat || finding["effect"] == "cheat";
    review = review || finding["effect"] == "review";
    if (finding["code"] != code) continue;
    EXPECT_TRUE(effect.empty() || finding["effect"] == effect) << arguments.back();
    effect = finding["effect"].get<std::string>();
  }
  EXPECT_EQ((*results)["items"][0]["verdict"], cheat ? "cheat" : review ? "review" : "clean") << arguments.back();
  return effect;
}

class LintPolicy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  }
};

TEST_F(LintPolicy, EachStanceActsOnTheFindingsOfItsTopic) {
  for (const Topic& topic : kTopics) {
    const std::string fixture = source(std::string("analysis/rules/") + topic.fixture);
    for (const auto& [stance, effect] : {std::pair("allow", "note"), {"review", "review"}, {"forbid", "cheat"}}) {
      const std::string setting = std::string(topic.name) + "=" + stance;
      EXPECT_EQ(effect_of({fixture, "--set", setting}, topic.code), effect) << topic.fixture << " " << setting;
    }
  }
}

TEST_F(LintPolicy, EachPresetTakesItsStance) {
  const char* const presets[] = {"kernelbench", "strict", "competition"};
  for (const Topic& topic : kTopics) {
    const std::string fixture = source(std::string("analysis/rules/") + topic.fixture);
    for (std::size_t i = 0; i < std::size(presets); ++i) {
      EXPECT_EQ(effect_of({fixture, "--policy", presets[i]}, topic.code), topic.presets[i])
          << topic.fixture << " " << presets[i];
    }
  }
}

TEST_F(LintPolicy, SharesDecideOnFrameworkCompute) {
  const std::string beside = source("analysis/rules/framework-beside-kernel/bad/fig_leaf.py");
  EXPECT_EQ(effect_of({beside, "--set", "framework_compute=0"}, "KA103"), "cheat");
  EXPECT_EQ(effect_of({beside, "--set", "framework_compute=1"}, "KA103"), "review");
  EXPECT_EQ(effect_of({beside, "--set", "framework_compute=1", "--set", "framework_compute.review_above=1"}, "KA103"),
            "note");
}

TEST_F(LintPolicy, AnEffectActsOnItsRuleAlone) {
  for (const Topic& topic : kTopics) {
    const std::string fixture = source(std::string("analysis/rules/") + topic.fixture);
    for (const char* effect : {"note", "review", "cheat"}) {
      const std::string setting = "effects." + std::string(topic.code) + "=" + effect;
      EXPECT_EQ(effect_of({fixture, "--set", setting}, topic.code), effect) << topic.fixture << " " << setting;
    }
  }
}

TEST_F(LintPolicy, EffectsNameRulesBySlugToo) {
  const std::string vendor = source("analysis/rules/vendor-library/bad/by_ctypes.py");
  EXPECT_EQ(effect_of({vendor, "--set", "effects.Vendor-Library=cheat"}, "KA104"), "cheat");
  EXPECT_EQ(effect_of({vendor, "--set", "effects.ka104=cheat", "--set", "effects.vendor-library=note"}, "KA104"),
            "note")
      << "the last setting decides";
  EXPECT_EQ(effect_of({vendor, "--set", "effects.vendor-library=note", "--set", "effects.KA104=cheat"}, "KA104"),
            "cheat");
  const Scratch scratch;
  const std::string policy = scratch.write(
      "p.json", R"({"extends": "competition", "effects": {"reused-output": "note", "vendor-library": "review"}})");
  EXPECT_EQ(effect_of({vendor, "--policy", policy}, "KA104"), "review");
}

// How bad a finding is shown to be is what the policy makes of it.
TEST_F(LintPolicy, SeverityFollowsTheEffectInEveryFormat) {
  struct Case {
    const char* fixture;
    const char* code;
    const char* setting;
    const char* words[3];  // of JSON and text, SARIF, GitHub
  };
  const Case cases[] = {
      {"joined-stream/bad/joined_in_python.py", "KA302", "side_streams=forbid", {"error", "error", "::error "}},
      {"joined-stream/bad/joined_in_python.py", "KA302", "side_streams=review", {"warning", "warning", "::warning "}},
      {"joined-stream/bad/joined_in_python.py", "KA302", "side_streams=allow", {"note", "note", "::notice "}},
      {"framework-fallback/bad/added_product.py", "KA101", "framework_compute=allow", {"note", "note", "::notice "}},
      {"framework-fallback/bad/added_product.py",
       "KA101",
       "framework_compute=review",
       {"warning", "warning", "::warning "}},
      {"framework-fallback/bad/added_product.py", "KA101", "framework_compute=forbid", {"error", "error", "::error "}},
  };
  for (const Case& each : cases) {
    const std::string fixture = source(std::string("analysis/rules/") + each.fixture);
    const auto output = [&](const char* format) {
      return run_cli({"lint", fixture, "--select", each.code, "--set", each.setting, "--format", format})
          .standard_output;
    };
    const Result<Json> json = parse_json(output("json"), "json"), sarif = parse_json(output("sarif"), "sarif");
    ASSERT_TRUE(json.ok() && sarif.ok());
    const Json& findings = stage_of(*json)["findings"];
    ASSERT_FALSE(findings.empty()) << each.setting;
    for (const Json& finding : findings) EXPECT_EQ(finding["severity"], each.words[0]) << each.setting;
    for (const Json& result : (*sarif)["runs"][0]["results"]) EXPECT_EQ(result["level"], each.words[1]) << each.setting;
    const std::string of_github = output("github");
    EXPECT_TRUE(of_github.starts_with(each.words[2])) << of_github;
    for (const char* format : {"text", "junit", "markdown"}) {
      const std::string text = output(format);
      EXPECT_NE(text.find(std::string(": ") + each.words[0] + ": "), std::string::npos) << format << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace kernel_audit::e2e
