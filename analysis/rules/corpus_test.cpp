// Published candidates that nobody here wrote: none may stop the analysis, those without a kernel of their
// own that are known to be no kernels must be `cheat`. Prints the distribution of verdicts.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "analysis/engine.h"
#include "analysis/extract_client.h"

namespace kernel_audit::analysis::rules {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  const char* shared = std::getenv("KERNEL_AUDIT_SHARED");
  const fs::path folder = shared != nullptr ? fs::path(shared) : fs::path(KA_SOURCE_DIR) / ".." / "shared";
  return folder / "corpora" / "cuda_l1" / "a100.jsonl";
}

std::string text_of(const Json& number) { return number.is_string() ? number.get<std::string>() : number.dump(); }

TEST(Corpus, EveryPublishedCodeGetsAVerdict) {
  const fs::path path = corpus();
  if (!fs::exists(path)) GTEST_SKIP() << "no corpus at " << path;
  std::ifstream file(path);
  std::vector<ExtractRequest> requests;
  for (std::string line; std::getline(file, line);) {
    const auto row = parse_json(line, path.string());
    ASSERT_TRUE(row.ok());
    const Json& code = (*row)["custom_code"];
    if (!code.is_string() || code == "None") continue;
    const std::string name = text_of((*row)["level_id"]) + "/" + text_of((*row)["task_id"]);
    requests.push_back({name, {{name, "candidate.py", "python", code.get<std::string>()}}});
  }
  EXPECT_EQ(requests.size(), 225U);
  ExtractOptions options;
  options.binary = KA_EXTRACT;
  options.processes = 2;
  std::map<std::string, int> verdicts;
  std::map<std::string, std::string> by_name;
  const char* report = std::getenv("KERNEL_AUDIT_CORPUS_REPORT");
  std::ofstream details(report != nullptr ? report : "/dev/null");
  const auto start = std::chrono::steady_clock::now();
  std::chrono::duration<double> analysing{0};
  const Status status = extract_candidates(options, requests, [&](std::size_t i, const Result<facts::Facts>& answer) {
    const std::string& name = requests[i].name;
    EXPECT_TRUE(answer.ok()) << name << ": " << answer.error().describe();
    if (!answer) return true;
    const auto began = std::chrono::steady_clock::now();
    const AnalysisResult result = analyze(*answer, Policy{});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    analysing += took;
    const std::string verdict = to_string(lint_verdict(summarize(result)));
    ++verdicts[verdict];
    by_name[name] = verdict;
    details << "== " << name << " " << verdict << " " << took.count() << "\n";
    for (const Finding& finding : result.findings) {
      details << "   " << finding.span.line << " " << finding.code << " " << to_string(finding.effect) << " "
              << finding.message << "\n";
      for (const FlowNote& note : finding.notes) details << "        " << note.span.line << " " << note.message << "\n";
    }
    return true;
  });
  ASSERT_TRUE(status.ok()) << status.error().describe();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "corpus: " << took.count() << " s, of which rules " << analysing.count() << " s:";
  for (const auto& [verdict, count] : verdicts) std::cout << " " << verdict << " " << count;
  std::cout << "\n";
  for (const char* name : {"1/9", "1/13", "2/66", "2/80", "3/31"}) EXPECT_EQ(by_name[name], "cheat") << name;
}

}  // namespace
}  // namespace kernel_audit::analysis::rules
