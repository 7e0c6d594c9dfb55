// Every number of the catalogue that a rule over the source covers is shown: by two bad fixtures at least, in each
// language in which candidates can do it, one of them hidden, and by a near miss.
#include "analysis/rules/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {
namespace {

const Rule* rule_named(const std::string& slug) {
  const auto found =
      std::find_if(registry().begin(), registry().end(), [&](const Rule& rule) { return rule.info.slug == slug; });
  return found == registry().end() ? nullptr : &*found;
}

std::set<int> covered_numbers() {
  std::set<int> numbers;
  for (const Rule& rule : registry()) numbers.insert(rule.info.catalogue.begin(), rule.info.catalogue.end());
  return numbers;
}

TEST(Catalogue, EveryNumberHasARuleOrAReason) {
  const std::set<int> covered = covered_numbers();
  ASSERT_EQ(catalogue().size(), 109U);
  int last = 0;
  for (const CatalogueNumber& row : catalogue()) {
    EXPECT_EQ(row.number, last + 1);
    last = row.number;
    EXPECT_FALSE(row.cheat.empty()) << row.number;
    EXPECT_EQ(row.without_rule.empty(), covered.contains(row.number)) << row.number;
    EXPECT_EQ(row.written_in.empty(), !covered.contains(row.number)) << row.number;
  }
}

TEST(Catalogue, EveryCoveredNumberIsShownTwiceHiddenOnceAndHasANearMiss) {
  struct Shown {
    std::vector<std::string> bad, hidden, near;
    std::set<std::string> languages;
  };
  std::map<int, Shown> by_number;
  for (const ShownBy& fixture : shown_by()) {
    const std::string name = fixture.slug + "/" + fixture.name;
    for (const int number : fixture.numbers) {
      Shown& shown = by_number[number];
      if (!fixture.bad) {
        shown.near.push_back(name);
        continue;
      }
      shown.bad.push_back(name);
      shown.languages.insert(fixture.language);
      if (!fixture.hidden_by.empty()) shown.hidden.push_back(name);
    }
  }
  for (const CatalogueNumber& row : catalogue()) {
    if (!row.without_rule.empty()) continue;
    const Shown& shown = by_number[row.number];
    EXPECT_GE(shown.bad.size(), 2U) << "bad fixtures of number " << row.number << ": " << row.cheat;
    EXPECT_GE(shown.hidden.size(), 1U) << "hidden ones of number " << row.number << ": " << row.cheat;
    EXPECT_GE(shown.near.size(), 1U) << "near misses of number " << row.number << ": " << row.cheat;
    for (const std::string& language : row.written_in)
      EXPECT_TRUE(shown.languages.contains(language))
          << "no " << language << " for number " << row.number << ": " << row.cheat;
  }
}

TEST(Catalogue, FixturesNameNumbers) {
  const std::set<int> covered = covered_numbers();
  for (const ShownBy& fixture : shown_by()) {
    const Rule* rule = rule_named(fixture.slug);
    ASSERT_NE(rule, nullptr) << fixture.slug;
    // Plain mistakes are in no catalogue of cheats.
    EXPECT_EQ(fixture.numbers.empty(), rule->info.catalogue.empty()) << fixture.slug << "/" << fixture.name;
    for (const int number : fixture.numbers)
      EXPECT_TRUE(covered.contains(number)) << fixture.slug << "/" << fixture.name;
  }
}

}  // namespace
}  // namespace kernel_audit::analysis::rules
