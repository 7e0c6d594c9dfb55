// Lint's verdicts on published candidates against labels made by reading (tests/fixtures/corpus_labels.md). A cheat is
// found when the verdict is `cheat`, or `review` with a first finding whose rule covers the number that decided the
// label. The entries that are held out are scored on their own and never named, so that nothing can be fitted to them.
#include <gtest/gtest.h>

#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "auditor/core/digest.h"
#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

// What is found today. It only ever rises: a rule that loses cheats fails here.
constexpr int kFoundPercent = 95;

struct Scored {
  std::string name, label, verdict, mechanism, first_code;
  bool found = false;  // of a cheat
};

// Catalogue numbers of each rule, as `rules --markdown` prints them.
std::map<std::string, std::set<int>> rule_numbers() {
  std::map<std::string, std::set<int>> numbers;
  std::istringstream lines(run_cli({"rules", "--markdown"}).standard_output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| KA")) continue;
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(cell);
    if (row.size() < 8) continue;
    std::istringstream list(row[7]);
    for (std::string number; std::getline(list, number, ',');) {
      if (const int value = std::atoi(number.c_str()); value > 0) numbers[row[1].substr(1, 5)].insert(value);
    }
  }
  return numbers;
}

class Labels : public ::testing::Test {
 protected:
  void SetUp() override {
    labels_ = read_json_file(source("tests/fixtures/corpus_labels.json"));
    corpus_ = shared_folder() + "/corpora/cuda_l1/a100.jsonl";
    if (!labels_.is_object()) GTEST_SKIP() << "there are no labels";
    if (read_text(corpus_).empty()) GTEST_SKIP() << "no corpus at " << corpus_;
    if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
    const process::Completed done =
        run_cli({"lint", corpus_, "--format", "json", "--quiet"}, std::chrono::seconds(500));
    const Result<Json> results = parse_json(done.standard_output, "stdout");
    ASSERT_TRUE(results.ok()) << done.standard_error;
    for (const Json& item : (*results)["items"]) items_[item["candidate"]] = item;
    numbers_ = rule_numbers();
    ASSERT_GT(numbers_.size(), 10U);
  }

  std::vector<Scored> score(const Json& labels, std::optional<bool> held_out) {
    std::vector<Scored> scored;
    for (const Json& label : labels) {
      if (held_out && label.value("held_out", false) != *held_out) continue;
      Scored one;
      one.name = label["level"].dump() + "/" + label["task"].dump();
      one.label = label["label"];
      one.mechanism = label["mechanism"];
      const auto item = items_.find(one.name);
      if (item == items_.end() || item->second["candidate_sha256"] != label["code_sha256"]) {
        ADD_FAILURE() << one.name << " is another code than the one that was labelled";
        continue;
      }
      one.verdict = item->second["verdict"];
      const Json& findings = item->second["stages"][0]["findings"];
      if (!findings.empty()) one.first_code = findings[0]["code"];
      const bool named = !findings.empty() && numbers_[one.first_code].contains(label["catalogue"][0].get<int>());
      one.found = one.verdict == "cheat" || (one.verdict == "review" && named);
      scored.push_back(std::move(one));
    }
    return scored;
  }

  static void print(const std::string& title, const std::vector<Scored>& scored) {
    std::map<std::string, std::map<std::string, int>> matrix;
    int cheats = 0, found = 0, accused = 0, honest = 0;
    for (const Scored& one : scored) {
      ++matrix[one.label][one.verdict];
      cheats += one.label == "cheat";
      found += one.label == "cheat" && one.found;
      honest += one.label == "honest";
      accused += one.label == "honest" && one.verdict == "cheat";
    }
    std::cout << "\n" << title << ": " << scored.size() << " labels\n  label   ";
    const char* verdicts[] = {"cheat", "review", "inconclusive", "clean", "not-run"};
    for (const char* verdict : verdicts) std::cout << std::setw(14) << verdict;
    std::cout << "\n";
    for (const char* label : {"cheat", "review", "honest"}) {
      std::cout << "  " << std::left << std::setw(8) << label << std::right;
      for (const char* verdict : verdicts) std::cout << std::setw(14) << matrix[label][verdict];
      std::cout << "\n";
    }
    std::cout << "  cheats found: " << found << " of " << cheats << "; honest ones called cheat: " << accused << " of "
              << honest << "\n";
  }

  static void expect_floors(const std::string& title, const std::vector<Scored>& scored) {
    int cheats = 0, found = 0, accused = 0;
    for (const Scored& one : scored) {
      cheats += one.label == "cheat";
      found += one.label == "cheat" && one.found;
      accused += one.label == "honest" && one.verdict == "cheat";
    }
    EXPECT_EQ(accused, 0) << title;
    EXPECT_GE(found * 100, cheats * kFoundPercent)
        << title << ": " << found << " of " << cheats << " cheats were found";
  }

  Json labels_;
  std::string corpus_;
  std::map<std::string, Json> items_;
  std::map<std::string, std::set<int>> numbers_;
};

TEST_F(Labels, CheatsAreFoundAndNobodyHonestIsAccused) {
  const std::vector<Scored> open = score(labels_["labels"], false);
  const std::vector<Scored> held_out = score(labels_["labels"], true);
  const std::vector<Scored> supplement = score(labels_["supplement"], std::nullopt);
  ASSERT_FALSE(open.empty());
  ASSERT_FALSE(held_out.empty());
  print("open to all", open);
  for (const Scored& one : open) {
    if (one.label == "cheat" && !one.found) {
      std::cout << "  missed: " << one.name << " (" << one.mechanism << ") is " << one.verdict
                << (one.first_code.empty() ? "" : ", first " + one.first_code) << "\n";
    }
  }
  print("held out", held_out);
  print("supplement, not part of the sample", supplement);
  expect_floors("open to all", open);
  expect_floors("held out", held_out);
}

}  // namespace
}  // namespace kernel_audit::e2e
