// Writers against golden texts and the schema, over one hand-made report that has everything in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/model.h"
#include "reports/registry.h"
#include "reports/report_for_test.h"
#include "tests/support/golden.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::reports {
namespace {

using testing_support::golden_file_difference;
using testing_support::read_json_file;
using testing_support::schema_violations;

const std::string kGolden = KA_SOURCE_DIR "/reports/golden/";

TEST(Terminal, FitsAWideTerminal) {
  EXPECT_EQ(golden_file_difference(kGolden + "terminal_120.txt", render_terminal(example(), false, 120)), "");
}

TEST(Terminal, PutsReasonsBelowOnANarrowOne) {
  EXPECT_EQ(golden_file_difference(kGolden + "terminal_60.txt", render_terminal(example(), false, 60)), "");
}

TEST(Terminal, HasNoEscapesUnlessAsked) {
  EXPECT_EQ(render_terminal(example(), false, 80).find('\x1b'), std::string::npos);
  const std::string colored = render_terminal(example(), true, 80);
  EXPECT_NE(colored.find("\x1b[31mcheat\x1b[0m"), std::string::npos);
  EXPECT_EQ(colored.find("\x1b[2J"), std::string::npos);  // the candidate's own
}

TEST(Terminal, SaysWhenNothingIsKnownAgainstTheMachine) {
  Report report;
  const std::string text = render_terminal(report, false, 80);
  EXPECT_NE(text.find("Nothing known makes the numbers of this machine untrustworthy."), std::string::npos);
  EXPECT_NE(text.find("0 items\n"), std::string::npos);
}

TEST(Levels, AreCountedForTheFilterAlone) {
  Report report;
  report.command = "filter";
  for (const auto& [task, verdict] : {std::pair("1/2", Verdict::kKeep), std::pair("1/3", Verdict::kDrop),
                                      std::pair("3/1", Verdict::kKeep), std::pair("loose", Verdict::kKeep)}) {
    report.items.emplace_back().task = task;
    report.items.back().verdict = verdict;
  }
  const std::string text = render_terminal(report, false, 100);
  EXPECT_NE(text.find("  level 1: 2 items: 1 keep, 1 drop\n  level 3: 1 item: 1 keep\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  no level: 1 item: 1 keep\n"), std::string::npos) << text;
  EXPECT_NE(render_markdown(report).find("- level 3: 1 item: 1 keep\n"), std::string::npos);
  report.command = "run";
  EXPECT_EQ(render_terminal(report, false, 100).find("level 1"), std::string::npos);
}

TEST(Markdown, IsAsExpected) {
  EXPECT_EQ(golden_file_difference(kGolden + "report.md", render_markdown(example())), "");
}

TEST(Markdown, OfLintSpeaksOfNoNumbers) {
  Report report;
  report.command = "lint";
  Item& item = report.items.emplace_back();
  item.candidate = "fine";
  item.verdict = Verdict::kClean;
  const std::string text = render_markdown(report);
  EXPECT_NE(text.find("nothing was run or measured"), std::string::npos) << text;
  EXPECT_NE(text.find("| verdict | item | why |\n"), std::string::npos) << text;
  for (const char* words : {"Measured on", "claimed", "proven", "machine", "weakens", "\n\n\n"})
    EXPECT_EQ(text.find(words), std::string::npos) << words << " in " << text;
}

TEST(ResultsJson, FitsItsSchema) {
  const Json schema = read_json_file(KA_SOURCE_DIR "/reports/schema/results.schema.json");
  ASSERT_TRUE(schema.is_object());
  EXPECT_THAT(testing_support::undocumented_properties(schema), testing::IsEmpty());
  const auto json = parse_json(render_json(example()), "results.json");
  ASSERT_TRUE(json.ok());
  EXPECT_THAT(schema_violations(schema, *json), testing::IsEmpty());
  EXPECT_EQ((*json)["items"][0]["measured_speedup"]["reason"], "the CPU has no events");
  EXPECT_EQ((*json)["verdict_counts"]["cheat"], 1);
  Report empty;
  empty.command = "lint";
  EXPECT_THAT(schema_violations(schema, *parse_json(render_json(empty), "")), testing::IsEmpty());
}

TEST(ResultsJson, SchemaRefusesWhatItShould) {
  const Json schema = read_json_file(KA_SOURCE_DIR "/reports/schema/results.schema.json");
  const Json good = *parse_json(render_json(example()), "");
  const auto refused = [&](auto change) {
    Json json = good;
    change(json);
    return !schema_violations(schema, json).empty();
  };
  EXPECT_TRUE(refused([](Json& j) { j["items"][0]["verdict"] = "splendid"; }));
  EXPECT_TRUE(refused([](Json& j) { j["items"][0].erase("stages"); }));
  EXPECT_TRUE(refused([](Json& j) { j["items"][0]["measured_speedup"].erase("reason"); }));
  EXPECT_TRUE(refused([](Json& j) { j["items"][0]["proven_speedup"]["reason"] = "two truths"; }));
  EXPECT_TRUE(refused([](Json& j) { j["items"][0]["proven_speedup"]["origin"] = "hearsay"; }));
  EXPECT_TRUE(refused([](Json& j) { j["items"][1]["stages"][0]["findings"][0]["code"] = "201"; }));
  EXPECT_TRUE(refused([](Json& j) { j["exit_code"] = 4; }));
  EXPECT_TRUE(refused([](Json& j) { j["extra"] = 1; }));
  EXPECT_TRUE(refused([](Json& j) { j["verdict_counts"]["splendid"] = 1; }));
}

TEST(Registry, IsSorted) {
  for (std::size_t i = 1; i < writers().size(); ++i) EXPECT_LT(writers()[i - 1].name, writers()[i].name);
  for (const Writer& writer : writers()) EXPECT_FALSE(writer.render(example()).empty()) << writer.name;
}

}  // namespace
}  // namespace kernel_audit::reports
