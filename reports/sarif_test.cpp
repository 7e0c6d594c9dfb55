// SARIF: what the standard demands beyond types is checked here always; the OASIS schema itself is not part of this
// repository, so validation against it runs where KERNEL_AUDIT_SARIF_SCHEMA names a copy of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "reports/report_for_test.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::reports {
namespace {

Json sarif(const Report& report) {
  const auto json = parse_json(render_sarif(report), "sarif");
  EXPECT_TRUE(json.ok());
  return json.ok() ? *json : Json();
}

void expect_location(const Json& run, const Json& location) {
  const Json& physical = location["physicalLocation"];
  const Json& artifact = physical["artifactLocation"];
  const auto index = artifact["index"].get<std::size_t>();
  ASSERT_LT(index, run["artifacts"].size());
  EXPECT_EQ(run["artifacts"][index]["location"]["uri"], artifact["uri"]);
  if (!physical.contains("region")) return;
  const Json& region = physical["region"];
  EXPECT_GE(region["startLine"], 1);
  EXPECT_GE(region["endLine"], region["startLine"]);
  EXPECT_GE(region["byteOffset"], 0);
  EXPECT_GE(region["byteLength"], 0);
  if (region.contains("startColumn") && region["endLine"] == region["startLine"]) {
    EXPECT_GE(region["endColumn"], region["startColumn"]);
  }
}

// What a viewer relies on and a schema cannot say.
void expect_consistent(const Json& log) {
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_EQ(log["runs"].size(), 1U);
  const Json& run = log["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const Json& rule : rules) EXPECT_TRUE(ids.insert(rule["id"]).second) << rule["id"];
  for (const Json& artifact : run["artifacts"]) {
    if (artifact.contains("parentIndex")) {
      EXPECT_LT(artifact["parentIndex"], run["artifacts"].size());
      EXPECT_EQ(artifact["location"]["uri"].get<std::string>().front(), '/') << "a path within its parent";
    }
  }
  for (const Json& result : run["results"]) {
    EXPECT_EQ(rules.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
    EXPECT_EQ(result["kind"] == "fail", result["level"] != "none") << "a level is for failures alone";
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    for (const Json& location : result["locations"]) expect_location(run, location);
    for (const Json& flow : result.value("codeFlows", Json::array())) {
      ASSERT_FALSE(flow["threadFlows"].empty());
      for (const Json& thread : flow["threadFlows"]) {
        ASSERT_FALSE(thread["locations"].empty());
        for (const Json& step : thread["locations"]) expect_location(run, step["location"]);
      }
    }
    for (const Json& suppression : result.value("suppressions", Json::array())) {
      EXPECT_TRUE(suppression["kind"] == "inSource" || suppression["kind"] == "external");
    }
  }
}

TEST(Sarif, IsConsistent) {
  expect_consistent(sarif(example()));
  expect_consistent(sarif(lint_example()));
  expect_consistent(sarif(Report{}));
}

TEST(Sarif, SaysWhatTheReportSays) {
  const Json run = sarif(lint_example())["runs"][0];
  ASSERT_EQ(run["results"].size(), 4U);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "KA301");
  EXPECT_EQ(result["level"], "error");
  const Json& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 2);
  EXPECT_EQ(region["startColumn"], 3);
  EXPECT_EQ(region["endColumn"], 26) << "in characters: é is one";
  EXPECT_EQ(region["byteLength"], 24);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"][0]["location"]["message"]["text"], "called here");
  EXPECT_FALSE(result.contains("suppressions"));
  EXPECT_EQ(run["results"][1]["suppressions"][0]["justification"], "in place");
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "dir/a%20b.py");
  EXPECT_EQ(run["artifacts"][1]["location"]["uri"], "all.jsonl");
  EXPECT_EQ(run["artifacts"][2]["location"]["uri"], "/record%203/custom_code");
  EXPECT_EQ(run["artifacts"][2]["parentIndex"], 1);
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["help"]["markdown"], "# KA301 side-stream\n");
  const Json& notifications = run["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notifications.size(), 2U);
  EXPECT_THAT(notifications[0]["message"]["text"].get<std::string>(), testing::HasSubstr("opaque: inconclusive"));
}

TEST(Sarif, InconclusiveIsOpen) {
  Report report = lint_example();
  report.items[0].stages[0].findings[0].effect = Effect::kInconclusive;
  const Json result = sarif(report)["runs"][0]["results"][0];
  EXPECT_EQ(result["kind"], "open");
  EXPECT_EQ(result["level"], "none");
}

TEST(Sarif, FitsTheSchemaOfOasis) {
  const char* path = std::getenv("KERNEL_AUDIT_SARIF_SCHEMA");
  if (path == nullptr) GTEST_SKIP() << "KERNEL_AUDIT_SARIF_SCHEMA names no copy of sarif-schema-2.1.0.json";
  const Json schema = testing_support::read_json_file(path);
  ASSERT_TRUE(schema.is_object()) << path;
  for (const Report& report : {example(), lint_example(), Report{}})
    EXPECT_THAT(testing_support::schema_violations(schema, sarif(report)), testing::IsEmpty());
  Json broken = sarif(lint_example());
  broken["runs"][0]["results"][0]["level"] = "grave";
  broken["runs"][0]["artifacts"][0]["location"]["uri"] = "a b";
  broken["runs"][0].erase("tool");
  EXPECT_THAT(testing_support::schema_violations(schema, broken), testing::SizeIs(testing::Ge(3U)));
}

}  // namespace
}  // namespace kernel_audit::reports
