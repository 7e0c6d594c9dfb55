#include "analysis/extract_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace kernel_audit::analysis {
namespace {

// The limit is one that only what never answers reaches, on a busy machine too.
ExtractOptions fake(int processes = 1) {
  ExtractOptions options;
  options.binary = KA_FAKE_EXTRACT;
  options.time_limit = std::chrono::seconds(60);
  options.memory_limit_bytes = 150ULL << 20;
  options.processes = processes;
  return options;
}

ExtractRequest named(const std::string& name) {
  return {name, {{"candidate.py", "candidate.py", "python", "x = 1\n"}}};
}

std::map<std::size_t, Result<facts::Facts>> extract(const ExtractOptions& options,
                                                    const std::vector<ExtractRequest>& requests) {
  std::map<std::size_t, Result<facts::Facts>> answers;
  const Status status = extract_candidates(options, requests, [&](std::size_t i, Result<facts::Facts> answer) {
    EXPECT_TRUE(answers.emplace(i, std::move(answer)).second) << "answered twice: " << i;
    return true;
  });
  EXPECT_TRUE(status.ok());
  return answers;
}

TEST(ExtractClient, EveryFaultIsTypedAndCostsOneCandidate) {
  const std::vector<std::pair<std::string, ErrorKind>> faults = {
      {"crash", ErrorKind::kSignal},      {"exit", ErrorKind::kExit},         {"grow", ErrorKind::kMemory},
      {"other-id", ErrorKind::kProtocol}, {"not-json", ErrorKind::kProtocol}, {"error", ErrorKind::kTool},
      {"odd-error", ErrorKind::kTool},    {"no-facts", ErrorKind::kTool},     {"odd-facts", ErrorKind::kProtocol}};
  std::vector<ExtractRequest> requests;
  for (const auto& [name, kind] : faults) {
    requests.push_back(named(name));
    requests.push_back(named("fine"));
  }
  const auto answers = extract(fake(), requests);
  ASSERT_EQ(answers.size(), requests.size());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto& bad = answers.at(2 * i);
    ASSERT_FALSE(bad.ok()) << faults[i].first;
    EXPECT_EQ(bad.error().kind, faults[i].second) << faults[i].first << ": " << bad.error().describe();
    EXPECT_FALSE(bad.error().message.empty());
    EXPECT_TRUE(answers.at(2 * i + 1).ok()) << "after " << faults[i].first;
  }
}

TEST(ExtractClient, WhatNeverAnswersCostsOneCandidate) {
  ExtractOptions options = fake();
  options.time_limit = std::chrono::seconds(3);
  const auto answers = extract(options, {named("hang"), named("fine")});
  ASSERT_FALSE(answers.at(0).ok());
  EXPECT_EQ(answers.at(0).error().kind, ErrorKind::kTimeout) << answers.at(0).error().describe();
  EXPECT_TRUE(answers.at(1).ok());
}

TEST(ExtractClient, AFaultNamesTheFile) {
  for (const char* name : {"crash", "error", "odd-facts", "not-json"}) {
    const auto answers = extract(fake(), {named(name)});
    ASSERT_FALSE(answers.at(0).ok());
    EXPECT_EQ(answers.at(0).error().file, named(name).files.front().file) << name;
  }
}

TEST(ExtractClient, WhatIsCalledOffEndsAtOnce) {
  ExtractOptions options = fake();
  const auto start = std::chrono::steady_clock::now();
  options.cancelled = [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(300); };
  const auto answers = extract(options, {named("hang")});
  ASSERT_FALSE(answers.at(0).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ExtractClient, AMissingProgramIsAnError) {
  ExtractOptions options = fake();
  options.binary = "/nowhere/kernel-audit-extract";
  int answered = 0;
  const Status status = extract_candidates(options, {named("a")}, [&](std::size_t, const Result<facts::Facts>& answer) {
    EXPECT_FALSE(answer.ok());
    ++answered;
    return true;
  });
  EXPECT_TRUE(!status.ok() || answered == 1);
}

TEST(ExtractClient, TextThatIsNotUtf8IsAnError) {
  std::vector<ExtractRequest> requests{named("a"), named("b")};
  requests[0].files[0].text = "\xff\xfe";
  const auto answers = extract(fake(), requests);
  EXPECT_FALSE(answers.at(0).ok());
  EXPECT_TRUE(answers.at(1).ok());
}

TEST(ExtractClient, FactsComeWholeWhateverTheirSize) {
  const auto answers = extract(fake(), {named("small"), named("large")});
  ASSERT_TRUE(answers.at(0).ok() && answers.at(1).ok());
  EXPECT_EQ(answers.at(0)->extractor_version, "small");
  ASSERT_EQ(answers.at(1)->problems.size(), 1U);
  EXPECT_EQ(answers.at(1)->problems[0].message.size(), std::size_t{1} << 20);
}

TEST(ExtractClient, ProcessesShareTheCandidates) {
  std::vector<ExtractRequest> requests;
  for (int i = 0; i < 20; ++i) requests.push_back(named(i == 7 ? "crash" : "fine"));
  const auto answers = extract(fake(2), requests);
  EXPECT_EQ(answers.size(), 20U);
  EXPECT_EQ(std::count_if(answers.begin(), answers.end(), [](const auto& a) { return !a.second.ok(); }), 1);
}

TEST(ExtractClient, TheCallerCanStopEarly) {
  int answered = 0;
  const Status status = extract_candidates(fake(), {named("a"), named("b"), named("c")},
                                           [&](std::size_t, const Result<facts::Facts>&) { return ++answered < 2; });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(answered, 2);
}

}  // namespace
}  // namespace kernel_audit::analysis
