#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "auditor/core/embedded_text.h"
#include "filters/presets.h"
#include "filters/rules/rule.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& filter_presets();
}

namespace kernel_audit::filters {
namespace {

namespace fs = std::filesystem;
const fs::path kRules = fs::path(KA_SOURCE_DIR) / "filters" / "rules";

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(FilterRegistry, IsSortedAndUnique) {
  std::set<std::string> slugs;
  std::string last;
  for (const Rule& rule : registry()) {
    EXPECT_LT(last, rule.info.code);
    last = rule.info.code;
    EXPECT_TRUE(slugs.insert(rule.info.slug).second) << rule.info.slug;
    EXPECT_EQ(rule.info.code.substr(0, 3), "KA0");
    EXPECT_EQ(rule.info.stage, Stage::kFilters);
    EXPECT_FALSE(rule.info.summary.empty());
    EXPECT_FALSE(rule.info.catalogue.empty());
    EXPECT_TRUE(std::is_sorted(rule.info.catalogue.begin(), rule.info.catalogue.end()));
    ASSERT_NE(rule.check, nullptr);
    EXPECT_EQ(find_rule(rule.info.code), &rule);
    EXPECT_EQ(find_rule(rule.info.slug), &rule);
  }
  EXPECT_EQ(find_rule("KA999"), nullptr);
}

TEST(FilterRegistry, EveryRuleIsDocumentedUnderTheFixedHeadings) {
  for (const Rule& rule : registry()) {
    const std::string text(rule_documentation(rule.info.slug));
    EXPECT_EQ(text.rfind("# " + rule.info.code + " " + rule.info.slug + "\n", 0), 0u) << rule.info.slug;
    std::size_t at = 0;
    for (const char* heading :
         {"What it finds", "Why it matters", "Example", "Not flagged", "Known misses", "References"}) {
      const std::size_t found = text.find("\n## " + std::string(heading) + "\n", at);
      ASSERT_NE(found, std::string::npos) << rule.info.slug << ": " << heading;
      at = found;
    }
    for (const int number : rule.info.catalogue) {
      EXPECT_NE(text.find(std::to_string(number), text.find("Catalogue:")), std::string::npos)
          << rule.info.slug << ": catalogue " << number;
    }
  }
}

TEST(FilterRegistry, EveryFolderIsARuleWithDegenerateSoundAndNearlyDegenerateTasks) {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(kRules)) {
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  }
  EXPECT_EQ(folders.size(), registry().size());
  for (const Rule& rule : registry()) {
    EXPECT_TRUE(folders.contains(rule.info.slug));
    EXPECT_FALSE(fs::is_empty(kRules / rule.info.slug / "bad")) << rule.info.slug;
    std::set<std::string> kinds;
    for (const auto& entry : fs::directory_iterator(kRules / rule.info.slug / "good")) {
      const std::string text = text_of(entry.path());
      for (const char* kind : {"# Near miss: ", "# Sound: "}) {
        if (text.find(kind) != std::string::npos) kinds.insert(kind);
      }
    }
    EXPECT_EQ(kinds.size(), 2U) << rule.info.slug << " needs a sound task and a near miss";
  }
}

TEST(FilterPresets, EveryEmbeddedFileParses) {
  EXPECT_EQ(presets().size(), filter_presets().size());
  for (const auto& file : filter_presets()) {
    const std::string name(file.name.substr(0, file.name.find('.')));
    const auto preset = find_preset(name);
    ASSERT_TRUE(preset.ok()) << preset.error().describe();
    EXPECT_FALSE(preset->summary.empty());
  }
  EXPECT_FALSE(find_preset("unheard-of").ok());
}

TEST(FilterPresets, EveryThresholdHasAUnitASourceAndARule) {
  for (const Preset& preset : presets()) {
    for (const Threshold& entry : preset.thresholds) {
      EXPECT_FALSE(entry.unit.empty()) << entry.id;
      EXPECT_GT(entry.source.size(), 20u) << entry.id;
      const std::string slug = entry.id.substr(8, entry.id.rfind('.') - 8);
      EXPECT_NE(find_rule(slug), nullptr) << entry.id;
    }
  }
}

TEST(FilterPresets, ApplyingKeepsWhatThePolicySays) {
  Policy policy;
  policy.thresholds["filters.seed-std.absolute"] = 0.5;
  apply_preset(*find_preset("robust-kbench"), policy);
  EXPECT_EQ(threshold(policy, "filters.seed-std.absolute"), 0.5);
  EXPECT_EQ(threshold(policy, "filters.output-range.absolute"), 0.01);
  EXPECT_EQ(threshold(Policy{}, "filters.seed-std.absolute"), std::nullopt);
  EXPECT_EQ(threshold(Policy{}, "filters.seed-std.drop_tolerance"), 1.0);
}

}  // namespace
}  // namespace kernel_audit::filters
