// Policies: presets, files, single settings, and that each mistake is one error that names file, field and remedy.
#include "auditor/core/policy.h"

#include <gtest/gtest.h>

namespace kernel_audit {
namespace {

RuleInfo rule_of(Topic topic, Effect effect = Effect::kReview) {
  RuleInfo rule;
  rule.code = "KA104";
  rule.effect = effect;
  rule.topic = topic;
  return rule;
}

Policy read(const char* text) {
  const auto policy = policy_from_json(Json::parse(text), "p.json");
  EXPECT_TRUE(policy.ok()) << policy.error().describe();
  return policy.ok() ? *policy : Policy{};
}

void expect_error(const char* text, const std::string& field, const std::string& remedy) {
  const auto policy = policy_from_json(Json::parse(text), "p.json");
  ASSERT_FALSE(policy.ok()) << text;
  EXPECT_EQ(policy.error().kind, ErrorKind::kUsage) << text;
  EXPECT_EQ(policy.error().file, "p.json") << text;
  EXPECT_EQ(policy.error().field, field) << text;
  EXPECT_NE(policy.error().remedy.find(remedy), std::string::npos) << policy.error().remedy;
}

TEST(Policy, TheDefaultIsThePresetKernelbench) {
  const auto preset = find_policy("kernelbench");
  ASSERT_TRUE(preset.ok()) << preset.error().describe();
  const Policy standard;
  EXPECT_EQ(preset->name, standard.name);
  EXPECT_EQ(preset->framework_compute, standard.framework_compute);
  EXPECT_EQ(preset->topics, standard.topics);
  EXPECT_EQ(preset->effects, standard.effects);
  EXPECT_EQ(preset->thresholds, standard.thresholds);
}

TEST(Policy, PresetsTakeAStanceOnEveryTopic) {
  EXPECT_EQ(policy_presets(), (std::vector<std::string>{"competition", "kernelbench", "strict"}));
  for (const std::string& name : policy_presets()) {
    const auto policy = find_policy(name);
    ASSERT_TRUE(policy.ok()) << policy.error().describe();
    EXPECT_EQ(policy->name, name);
    EXPECT_EQ(policy->topics.size(), 6U) << name;
  }
  EXPECT_FALSE(find_policy("lax").ok());
  EXPECT_NE(find_policy("lax").error().remedy.find("strict"), std::string::npos);
}

TEST(Policy, AStanceDecidesForRulesOfItsTopicAlone) {
  const Policy policy = read(R"({"topics": {"vendor_libraries": "forbid", "torch_compile": "allow"}})");
  EXPECT_EQ(policy.effect(rule_of(Topic::kVendorLibraries)), Effect::kCheat);
  EXPECT_EQ(policy.effect(rule_of(Topic::kTorchCompile)), Effect::kNote);
  EXPECT_EQ(policy.effect(rule_of(Topic::kBackendFlags)), Effect::kReview);
  EXPECT_EQ(policy.effect(rule_of(Topic::kNone, Effect::kInconclusive)), Effect::kInconclusive);
  const Policy single = read(R"({"topics": {"vendor_libraries": "forbid"}, "effects": {"KA104": "note"}})");
  EXPECT_EQ(single.effect(rule_of(Topic::kVendorLibraries)), Effect::kNote) << "the rule's own effect goes first";
}

TEST(Policy, FrameworkComputeIsJudgedByItsShare) {
  const RuleInfo rule = rule_of(Topic::kFrameworkCompute);
  const Policy standard;
  EXPECT_EQ(standard.effect(rule, 0), Effect::kNote);
  EXPECT_EQ(standard.effect(rule, 0.5), Effect::kReview);
  EXPECT_EQ(standard.effect(rule), Effect::kCheat);
  const Policy half = read(R"({"topics": {"framework_compute": {"review_above": 0.25, "forbid_above": 0.5}}})");
  EXPECT_EQ(half.effect(rule, 0.25), Effect::kNote);
  EXPECT_EQ(half.effect(rule, 0.5), Effect::kReview);
  EXPECT_EQ(half.effect(rule, 0.51), Effect::kCheat);
  const Policy allow = read(R"({"topics": {"framework_compute": "allow"}})");
  EXPECT_EQ(allow.effect(rule), Effect::kNote);
  EXPECT_EQ(read(R"({"topics": {"framework_compute": "review"}})").effect(rule), Effect::kReview);
  EXPECT_EQ(read(R"({"topics": {"framework_compute": "forbid"}})").effect(rule, 0.01), Effect::kCheat);
}

TEST(Policy, AFileExtendsAPreset) {
  const Policy policy = read(R"({"extends": "competition", "topics": {"cuda_graphs": "allow"}})");
  EXPECT_EQ(policy.name, "p.json");
  EXPECT_EQ(policy.topics.at(Topic::kCudaGraphs), Stance::kAllow);
  EXPECT_EQ(policy.topics.at(Topic::kTorchCompile), Stance::kForbid);
  EXPECT_EQ(read(R"({"name": "mine", "thresholds": {"a.b": 2}})").threshold("a.b", 1), 2);
}

TEST(Policy, MistakesNameFileFieldAndRemedy) {
  expect_error(R"({"topic": {}})", "topic", "topics");
  expect_error(R"({"topics": {"vendors": "allow"}})", "topics.vendors", "vendor_libraries");
  expect_error(R"({"topics": {"none": "allow"}})", "topics.none", "vendor_libraries");
  expect_error(R"({"topics": {"vendor_libraries": "perhaps"}})", "topics.vendor_libraries", "forbid");
  expect_error(R"({"topics": {"framework_compute": {"above": 1}}})", "topics.framework_compute.above", "review_above");
  expect_error(R"({"topics": {"framework_compute": {"review_above": 2}}})", "topics.framework_compute.review_above",
               "between 0 and 1");
  expect_error(R"({"topics": {"framework_compute": {"review_above": 1, "forbid_above": 0.5}}})",
               "topics.framework_compute", "forbidden");
  expect_error(R"({"topics": []})", "topics", "allow");
  expect_error(R"({"effects": {"KA104": "shrug"}})", "effects.KA104", "review");
  expect_error(R"({"effects": {"vendor library": "note"}})", "effects.vendor library", "KA104");
  expect_error(R"({"thresholds": {"x": "1"}})", "thresholds.x", "");
  expect_error(R"({"extends": "lax"})", "extends", "strict");
  expect_error(R"({"name": 1})", "name", "");
  EXPECT_FALSE(policy_from_json(Json::array(), "p.json").ok());
}

TEST(Policy, SingleSettings) {
  Policy policy;
  for (const char* setting :
       {"vendor-libraries=forbid", "framework_compute=0.5", "effects.ka104=note", "effects.Vendor-Library=review",
        "thresholds.filters.range-low=-0.5", "framework_compute.review_above=0.1"}) {
    const Status set = set_policy_option(policy, setting);
    EXPECT_TRUE(set.ok()) << setting << ": " << set.error().describe();
  }
  EXPECT_EQ(policy.topics.at(Topic::kVendorLibraries), Stance::kForbid);
  EXPECT_EQ(policy.framework_compute, (ShareLimits{0.1, 0.5}));
  EXPECT_EQ(policy.effects.at("KA104"), Effect::kNote);
  EXPECT_EQ(policy.effects.at("vendor-library"), Effect::kReview) << "who knows the rules puts the code there";
  EXPECT_EQ(policy.threshold("filters.range-low", 0), -0.5);
  for (const char* setting : {"vendor_libraries", "=x", "vendor_libraries=", "vendor_libraries=maybe", "x=allow",
                              "framework_compute=1.5", "framework_compute.review_above=0.9", "effects.KA104=shrug"}) {
    EXPECT_FALSE(set_policy_option(policy, setting).ok()) << setting;
  }
}

}  // namespace
}  // namespace kernel_audit
