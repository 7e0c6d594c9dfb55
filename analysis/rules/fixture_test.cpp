// The fixtures of every rule are whole candidates, read by the real extractor. A finding that no comment
// claims fails, and so does a claim without a finding. Positions are lines of the file as it lies on disk,
// inside embedded sources too. A number of the catalogue that a bad fixture shows belongs to a rule that it claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "analysis/engine.h"
#include "analysis/extract_client.h"
#include "analysis/rules/catalogue.h"
#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  std::string name;  // "result-cache/bad/identity.py"
  std::string text;
  std::set<std::pair<int, std::string>> claims;  // line, code
  std::map<int, std::string> says;               // line → part of a message there
  std::string verdict;
};

std::vector<Fixture> load_fixtures() {
  std::vector<Fixture> fixtures;
  const fs::path folder = fs::path(KA_SOURCE_DIR) / "analysis" / "rules";
  static const std::regex expect("(?:#|//) expect: (KA[0-9]{3}(?:, KA[0-9]{3})*)");
  static const std::regex says("; says: (.+)$");
  static const std::regex verdict("^(?:#|//) verdict: ([a-z-]+)");
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string kind = entry.path().parent_path().filename().string();
    if (!entry.is_regular_file() || (kind != "bad" && kind != "good")) continue;
    Fixture fixture;
    fixture.name = fs::relative(entry.path(), folder).string();
    std::ifstream file(entry.path(), std::ios::binary);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      fixture.text += line + "\n";
      std::smatch match;
      if (std::regex_search(line, match, verdict)) fixture.verdict = match[1];
      if (!std::regex_search(line, match, expect)) continue;
      std::smatch said;
      if (std::regex_search(line, said, says)) fixture.says[number] = said[1];
      std::stringstream codes(match[1].str());
      std::string code;
      while (std::getline(codes, code, ',')) fixture.claims.emplace(number, code.substr(code.find('K')));
    }
    fixtures.push_back(std::move(fixture));
  }
  std::sort(fixtures.begin(), fixtures.end(), [](const Fixture& a, const Fixture& b) { return a.name < b.name; });
  return fixtures;
}

std::string language_of(const std::string& name) {
  const std::string extension = fs::path(name).extension().string();
  return extension == ".py" ? "python" : extension == ".cpp" ? "cpp" : "cuda";
}

TEST(Fixtures, WhatABadFixtureShowsBelongsToARuleThatItClaims) {
  std::map<std::string, std::set<int>> numbers_of;  // code → numbers of the catalogue
  for (const Rule& rule : registry())
    numbers_of[rule.info.code] = {rule.info.catalogue.begin(), rule.info.catalogue.end()};
  std::map<std::string, std::vector<int>> shown;
  for (const ShownBy& fixture : shown_by()) {
    if (fixture.bad) shown[fixture.slug + "/bad/" + fixture.name] = fixture.numbers;
  }
  for (const Fixture& fixture : load_fixtures()) {
    for (const int number : shown[fixture.name]) {
      EXPECT_TRUE(std::any_of(fixture.claims.begin(), fixture.claims.end(),
                              [&](const auto& claim) { return numbers_of[claim.second].contains(number); }))
          << fixture.name << " shows " << number << ", which no rule that it claims covers";
    }
  }
}

// A rule that finds nothing fails all of them.
TEST(Fixtures, EveryRuleHasTwoBadFixturesThatClaimIt) {
  std::map<std::string, int> claimed;  // by code
  for (const Fixture& fixture : load_fixtures()) {
    if (fixture.name.find("/bad/") == std::string::npos) continue;
    const std::string slug = fixture.name.substr(0, fixture.name.find('/'));
    const auto rule =
        std::find_if(registry().begin(), registry().end(), [&](const Rule& each) { return each.info.slug == slug; });
    if (rule == registry().end()) {
      ADD_FAILURE() << fixture.name << " lies in a folder of no rule";
      continue;
    }
    const std::string code = rule->info.code;
    const bool own = std::any_of(fixture.claims.begin(), fixture.claims.end(),
                                 [&](const auto& claim) { return claim.second == code; });
    EXPECT_TRUE(own) << fixture.name << " does not claim " << code;
    claimed[code] += own ? 1 : 0;
  }
  for (const Rule& rule : registry()) EXPECT_GE(claimed[rule.info.code], 2) << rule.info.slug;
}

TEST(Fixtures, EveryFindingIsClaimedAndEveryClaimIsFound) {
  const std::vector<Fixture> fixtures = load_fixtures();
  ASSERT_GT(fixtures.size(), 30U);
  std::vector<ExtractRequest> requests;
  for (const Fixture& fixture : fixtures) {
    requests.push_back(
        {fixture.name,
         {{fixture.name, fs::path(fixture.name).filename().string(), language_of(fixture.name), fixture.text}}});
  }
  ExtractOptions options;
  options.binary = KA_EXTRACT;
  options.processes = 2;
  int bad_with_claims = 0;
  const Status status = extract_candidates(options, requests, [&](std::size_t i, const Result<facts::Facts>& answer) {
    const Fixture& fixture = fixtures[i];
    SCOPED_TRACE(fixture.name);
    EXPECT_TRUE(answer.ok()) << answer.error().describe();
    if (!answer) return true;
    const AnalysisResult result = analyze(*answer, Policy{});
    const std::string slug = fixture.name.substr(0, fixture.name.find('/'));
    const bool hygiene = std::any_of(registry().begin(), registry().end(), [&](const Rule& rule) {
      return rule.info.slug == slug && rule.info.code[2] == '9';
    });
    std::set<std::pair<int, std::string>> found;
    for (const Finding& finding : result.findings) {
      // Notes on plain mistakes are compared in their own folders only: other fixtures stay short.
      if (finding.code[2] == '9' && (!hygiene || finding.slug != slug)) continue;
      EXPECT_EQ(finding.span.file, fixture.name) << finding.code << ": " << finding.message;
      found.emplace(finding.span.line, finding.code);
      EXPECT_TRUE(fixture.claims.contains({finding.span.line, finding.code}))
          << "not claimed: " << fixture.name << ":" << finding.span.line << " " << finding.code << " ("
          << to_string(finding.effect) << ") " << finding.message;
    }
    // What makes the result so goes before what is wrong with it.
    const auto tells_result = [](const Finding& finding) { return finding.code.starts_with("KA8"); };
    for (std::size_t next = 1; next < result.findings.size(); ++next) {
      const Finding &before = result.findings[next - 1], &after = result.findings[next];
      EXPECT_TRUE(before.effect != after.effect || !tells_result(before) || tells_result(after)) << after.code;
    }
    for (const auto& [line, part] : fixture.says) {
      EXPECT_TRUE(std::any_of(result.findings.begin(), result.findings.end(),
                              [&, at = line, &wanted = part](const Finding& finding) {
                                return finding.span.line == at && finding.message.find(wanted) != std::string::npos;
                              }))
          << "no finding of line " << line << " says: " << part;
    }
    for (const auto& [line, code] : fixture.claims) {
      EXPECT_TRUE(found.contains({line, code})) << "claimed, not found: " << fixture.name << ":" << line << " " << code;
    }
    EXPECT_EQ(to_string(lint_verdict(summarize(result))), fixture.verdict) << fixture.name;
    // A bad fixture shows the rule of its folder; a good one shows it at most as a note. Some rules only ever note.
    const bool bad = fixture.name.find("/bad/") != std::string::npos;
    const bool notes_only = std::any_of(registry().begin(), registry().end(), [&](const Rule& rule) {
      return rule.info.slug == slug && rule.info.effect == Effect::kNote;
    });
    bool shown = false;
    for (const Finding& finding : result.findings)
      shown = shown || (finding.slug == slug && (notes_only || finding.effect != Effect::kNote));
    EXPECT_EQ(shown, bad) << fixture.name;
    bad_with_claims += bad && !fixture.claims.empty() ? 1 : 0;
    return true;
  });
  ASSERT_TRUE(status.ok()) << status.error().describe();
  EXPECT_GT(bad_with_claims, 15);
}

}  // namespace
}  // namespace kernel_audit::analysis::rules
