// Every published code of the corpus gives Facts: no crash, a problem for the one that does not parse.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>

#include "analysis/split/extract_test_support.h"

namespace kernel_audit::analysis::split {
namespace {

TEST(Corpus, EveryCodeGivesFacts) {
  const char* given = std::getenv("KERNEL_AUDIT_SHARED");
  const std::string folder = given != nullptr ? given : KA_SOURCE_DIR "/../shared";
  std::ifstream input(folder + "/corpora/cuda_l1/a100.jsonl");
  if (!input) GTEST_SKIP() << "the corpus is not at " << folder;
  int codes = 0, unparsed = 0, with_entry = 0;
  std::map<std::string, int> problems;
  const auto begin = std::chrono::steady_clock::now();
  for (std::string line; std::getline(input, line);) {
    const Json row = Json::parse(line);
    if (!row["custom_code"].is_string() || row["custom_code"] == "None") continue;
    const facts::Facts facts = extract_python(row["custom_code"].get<std::string>());
    ++codes;
    unparsed += !facts.units.front().parsed ? 1 : 0;  // the Python file itself
    with_entry += facts.entry_function != facts::kNone ? 1 : 0;
    for (const facts::Problem& problem : facts.problems) {
      ++problems[problem.kind];
      if (std::getenv("KERNEL_AUDIT_SHOW_PROBLEMS") != nullptr) {
        std::printf("%s.%s line %d %s: %s\n", row["level_id"].dump().c_str(), row["task_id"].dump().c_str(),
                    problem.span.line, problem.kind.c_str(), problem.message.c_str());
      }
    }
    EXPECT_TRUE(facts::facts_from_json(Json(facts), "corpus").ok());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%d codes in %.1f s: %.1f per second\n", codes, seconds.count(), codes / seconds.count());
  for (const auto& [kind, count] : problems) std::printf("  %s %d\n", kind.c_str(), count);
  EXPECT_GE(codes, 225);
  EXPECT_EQ(unparsed, 1);
  EXPECT_EQ(with_entry, codes - unparsed);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
