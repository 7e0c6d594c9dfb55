// Writers against golden texts and the schema, over one hand-made report that has everything in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/model.h"
#include "reports/registry.h"
#include "tests/support/golden.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::reports {
namespace {

using testing_support::golden_file_difference;
using testing_support::read_json_file;
using testing_support::schema_violations;

const std::string kGolden = KA_SOURCE_DIR "/reports/golden/";

Metric metric(const std::string& id, Hint hint, const std::string& unit, Origin origin, std::optional<double> value,
              const std::string& reason = "") {
  Metric result;
  result.id = id;
  result.hint = hint;
  result.unit = unit;
  result.origin = origin;
  result.value = value;
  result.missing_reason = reason;
  result.description = "A number.";
  return result;
}

Item confirmed_item() {
  Item item;
  item.task = "1/9";
  item.task_name = "9_Gate";
  item.candidate = "honest_fused";
  item.task_sha256 = std::string(64, 'a');
  item.candidate_sha256 = std::string(64, 'b');
  item.verdict = Verdict::kConfirmed;
  item.reason = "The whole interval of the proven speedup lies above 1.";
  item.claimed_speedup = 3.2;
  item.measured_speedup =
      metric("device_speedup", Hint::kRatio, "1", Origin::kCandidateProcess, std::nullopt, "the CPU has no events");
  item.proven_speedup = metric("speedup", Hint::kRatio, "1", Origin::kRefereeClock, 3.05);
  item.proven_speedup->interval = Interval{2.98, 3.12, 0.95};
  item.expected_verdict = "confirmed";
  StageResult eval;
  eval.stage = Stage::kEval;
  eval.verdict = Verdict::kConfirmed;
  eval.attempts = 2;
  eval.metrics = {metric("candidate_time", Hint::kDuration, "ns", Origin::kRefereeClock, 3.21e6),
                  metric("outputs_checked", Hint::kCount, "1", Origin::kRefereeMemory, 640)};
  item.stages = {eval};
  return item;
}

Item cheating_item(Report& report) {
  const std::string text = "class ModelNew:\n    def forward(self, x):\n        return self.kept[x.data_ptr()]\n";
  report.sources["demo/memo.py"] = text;
  Item item;
  item.task = "a_task_with_a_rather_long_name_that_must_be_cut";
  item.candidate = "memo|\x1b[2J";
  item.verdict = Verdict::kCheat;
  item.expected_verdict = "wrong";
  StageResult analysis;
  analysis.stage = Stage::kAnalysis;
  analysis.verdict = Verdict::kCheat;
  analysis.attempts = 1;
  Finding finding;
  finding.code = "KA201";
  finding.slug = "result-cache";
  finding.severity = Severity::kError;
  finding.confidence = Confidence::kHigh;
  finding.effect = Effect::kCheat;
  finding.message = "`forward` returns `self.kept`, which holds results of earlier calls by the address of the input.";
  finding.span.file = "demo/memo.py";
  finding.span.begin = static_cast<std::int64_t>(text.find("self.kept"));
  finding.span.end = finding.span.begin + 9;
  locate(finding.span, text);
  analysis.findings = {finding};
  item.stages = {analysis};
  return item;
}

Report example() {
  Report report;
  report.command = "run";
  report.tool_version = "0.1.0";
  report.policy = "kernelbench";
  report.started = "2026-01-02T03:04:05Z";
  report.environment.device = "cpu";
  report.environment.cpu_model = "Some Processor";
  report.environment.cpu_cores = 2;
  report.environment.torch_version = "2.11.0";
  report.warnings = {"2 other processes used a whole core while times were taken."};
  report.sandbox = {{"namespaces", "active"}, {"landlock", "the kernel has no Landlock"}};
  report.problems = {"a.jsonl: record 17:custom_code: is not text (put the source code in it as a string)"};
  report.items.push_back(confirmed_item());
  report.items.push_back(cheating_item(report));
  Item idle;
  idle.task = "1/45";
  idle.verdict = Verdict::kNotRun;
  idle.reason = "The inputs need 16.0 GiB, this machine has 8.0 GiB.";
  report.items.push_back(idle);
  report.exit_code = 1;
  return report;
}

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
