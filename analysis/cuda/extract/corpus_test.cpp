// Every C++ string of the corpus of published codes, when it is at hand: none crashes the lowering, and
// nearly all parse without an error. The strings are the triple-quoted ones; the splitter has better
// ways, but this test must not need it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "analysis/cuda/extract/lowering_test_support.h"

namespace kernel_audit::analysis::cuda {
namespace {

std::vector<std::string> native_strings(const std::string& code) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t open = std::min(code.find("\"\"\"", at), code.find("'''", at));
    if (open == std::string::npos) break;
    const std::size_t close = code.find(code.substr(open, 3), open + 3);
    if (close == std::string::npos) break;
    const std::string text = code.substr(open + 3, close - open - 3);
    if (text.find("#include") != std::string::npos || text.find("__global__") != std::string::npos ||
        text.find("torch::Tensor ") != std::string::npos) {
      result.push_back(text);
    }
    at = close + 3;
  }
  return result;
}

std::string corpus_path() {
  const char* root = std::getenv("KERNEL_AUDIT_SHARED");
  return (root != nullptr ? std::string(root) : std::string(KA_SOURCE_DIR) + "/../shared") +
         "/corpora/cuda_l1/a100.jsonl";
}

// Damaged code reaches states of the parser that no author would: each unit once with a piece cut out,
// once with a piece doubled, once with bytes changed.
TEST(Corpus, DamagedUnitsAreSurvived) {
  std::ifstream file(corpus_path());
  if (!file) GTEST_SKIP() << corpus_path() << " is not there";
  const char* seed = std::getenv("KA_CORPUS_SEED");
  std::uint64_t state = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
  const auto draw = [&state](std::size_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state >> 33U) % below;
  };
  int units = 0;
  std::string line;
  while (std::getline(file, line)) {
    const Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded() || !row["custom_code"].is_string()) continue;
    for (std::string text : native_strings(row["custom_code"].get<std::string>())) {
      const std::size_t at = draw(text.size());
      const std::size_t length = std::min(text.size() - at, 1 + draw(200));
      switch (units % 3) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(at, length));
          break;
        default:
          for (int i = 0; i < 8; ++i) text[draw(text.size())] = "{}()<>;,*&#\"\\0a:="[draw(17)];
      }
      const Lowered lowered(text);
      ASSERT_EQ(lowered.failure, "");
      ++units;
    }
  }
  EXPECT_GE(units, 80);
}

TEST(Corpus, EveryUnitIsLowered) {
  const std::string path = corpus_path();
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << path << " is not there";
  const char* only = std::getenv("KA_CORPUS_ONLY");
  const bool verbose = std::getenv("KA_CORPUS_VERBOSE") != nullptr;
  if (const char* one = std::getenv("KA_LOWER_FILE")) {
    std::ifstream source(one);
    const std::string text((std::istreambuf_iterator<char>(source)), {});
    std::printf("%s\n", dump(Lowered(text).facts).c_str());
    return;
  }
  int units = 0;
  int clean = 0;
  double seconds = 0;
  double slowest = 0;
  std::string line;
  while (std::getline(file, line)) {
    const Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded() || !row["custom_code"].is_string()) continue;
    const std::string id = std::to_string(row["level_id"].get<int>()) + "/" + std::to_string(row["task_id"].get<int>());
    if (only != nullptr && id != only) continue;
    for (const std::string& text : native_strings(row["custom_code"].get<std::string>())) {
      const auto begin = std::chrono::steady_clock::now();
      const Lowered lowered(text);
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      seconds += took;
      slowest = std::max(slowest, took);
      ++units;
      ASSERT_EQ(lowered.failure, "");
      if (only != nullptr) std::printf("%s\n", dump(lowered.facts).c_str());
      if (!lowered.has_problem("syntax-error") && !lowered.has_problem("limit")) {
        ++clean;
        continue;
      }
      for (const facts::Problem& problem : lowered.facts.problems) {
        if (verbose) std::printf("%s: %s: %s\n", id.c_str(), problem.kind.c_str(), problem.message.c_str());
      }
    }
  }
  std::printf("%d units, %d without an error, %.3f s each, slowest %.3f s\n", units, clean,
              seconds / std::max(1, units), slowest);
  if (only == nullptr) {
    EXPECT_GE(units, 80);
    EXPECT_GE(clean * 100, units * 90);
  }
}

}  // namespace
}  // namespace kernel_audit::analysis::cuda
