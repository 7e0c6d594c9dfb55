// Every rule is documented, named after what it finds, listed once and in order, and has fixtures.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <set>

#include "analysis/rules/rule.h"
#include "auditor/core/embedded_text.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& analysis_rule_docs();
}

namespace kernel_audit::analysis::rules {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(KA_SOURCE_DIR) / "analysis" / "rules";
const std::vector<std::string> kHeadings = {"What it finds", "Why it matters", "Example",
                                            "Not flagged",   "Known misses",   "References"};

int count_files(const fs::path& folder) {
  int count = 0;
  if (!fs::is_directory(folder)) return 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
  return count;
}

std::string_view documentation(const std::string& slug) {
  for (const EmbeddedText& text : analysis_rule_docs()) {
    if (text.name == slug + "/README.md") return text.text;
  }
  return {};
}

TEST(Registry, CodesAreUniqueSortedAndWellFormed) {
  std::string last;
  std::set<std::string> slugs;
  for (const Rule& rule : registry()) {
    const RuleInfo& info = rule.info;
    ASSERT_EQ(info.code.size(), 5U);
    EXPECT_EQ(info.code.substr(0, 2), "KA");
    EXPECT_LT(last, info.code);
    last = info.code;
    EXPECT_TRUE(slugs.insert(info.slug).second) << info.slug;
    for (const char c : info.slug) EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) || c == '-') << info.slug;
    EXPECT_EQ(info.slug.rfind("no-", 0), std::string::npos) << "a slug names the pattern found";
    EXPECT_FALSE(info.summary.empty());
    EXPECT_EQ(info.stage, Stage::kAnalysis);
    EXPECT_NE(rule.check, nullptr);
    // Hygiene rules (KA9xx) find mistakes, which are in no catalogue of cheats; nor is what only some policies forbid.
    const bool no_cheat = info.code[2] == '9' || (info.topic != Topic::kNone && info.effect == Effect::kNote);
    EXPECT_TRUE(!info.catalogue.empty() || no_cheat) << info.code;
    int previous = 0;
    for (const int number : info.catalogue) {
      EXPECT_GT(number, previous);
      EXPECT_LE(number, 109);
      previous = number;
    }
  }
}

TEST(Registry, EachRuleHasItsFolderDocumentationAndFixtures) {
  for (const Rule& rule : registry()) {
    const fs::path folder = kFolder / rule.info.slug;
    EXPECT_TRUE(fs::exists(folder / "rule.cpp")) << rule.info.slug;
    EXPECT_GT(count_files(folder / "bad"), 0) << rule.info.slug;
    EXPECT_GT(count_files(folder / "good"), 0) << rule.info.slug;
    const std::string_view text = documentation(rule.info.slug);
    ASSERT_FALSE(text.empty()) << rule.info.slug;
    EXPECT_EQ(text.rfind("# " + rule.info.code + " " + rule.info.slug + "\n", 0), 0U) << rule.info.slug;
    std::size_t at = 0;
    for (const std::string& heading : kHeadings) {
      const std::size_t found = text.find("\n## " + heading + "\n", at);
      ASSERT_NE(found, std::string_view::npos) << rule.info.slug << ": " << heading;
      at = found + 1;
    }
    std::size_t headings = 0;
    for (std::size_t i = text.find("\n## "); i != std::string_view::npos; i = text.find("\n## ", i + 1)) ++headings;
    EXPECT_EQ(headings, kHeadings.size()) << rule.info.slug;
    for (const int number : rule.info.catalogue) {
      EXPECT_NE(text.substr(at).find(std::to_string(number)), std::string_view::npos)
          << rule.info.slug << " " << number;
    }
  }
}

TEST(Registry, EveryFolderIsARule) {
  std::set<std::string> slugs;
  for (const Rule& rule : registry()) slugs.insert(rule.info.slug);
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.is_directory()) {
      EXPECT_TRUE(slugs.contains(entry.path().filename().string())) << entry.path();
    }
  }
}

}  // namespace
}  // namespace kernel_audit::analysis::rules
