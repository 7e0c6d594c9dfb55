#include "auditor/core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "auditor/core/policy.h"
#include "auditor/core/repeated_key.h"
namespace kernel_audit {
namespace {

Finding example_finding() {
  Finding finding;
  finding.code = "KA201";
  finding.slug = "result-cache";
  finding.severity = Severity::kError;
  finding.confidence = Confidence::kHigh;
  finding.effect = Effect::kCheat;
  finding.origin = Origin::kSource;
  finding.message = "`forward` returns a stored result.";
  finding.span = SourceSpan{"a.py", 10, 20, 2, 3, 2, 13};
  finding.notes.push_back({SourceSpan{"a.py", 1, 2, 1, 2, 1, 3}, "The result is stored here."});
  Metric metric;
  metric.id = "proven_time";
  metric.unit = "ns";
  metric.hint = Hint::kDuration;
  metric.origin = Origin::kRefereeClock;
  metric.value = 0.1;
  metric.interval = Interval{0.05, 0.2, 0.9};
  metric.description = "Time.";
  finding.evidence.push_back(metric);
  return finding;
}

TEST(Json, FindingSurvivesARoundTripThroughText) {
  const Finding finding = example_finding();
  const auto parsed = parse_json(dump_json(Json(finding)), "test");
  ASSERT_TRUE(parsed.ok());
  const auto back = read_json<Finding>(*parsed, "test");
  ASSERT_TRUE(back.ok()) << back.error().describe();
  EXPECT_EQ(Json(*back), Json(finding));
  EXPECT_EQ(back->span, finding.span);
  EXPECT_EQ(back->effect, Effect::kCheat);
  EXPECT_EQ(back->evidence.at(0).value, 0.1);
  EXPECT_EQ(back->evidence.at(0).interval->high, 0.2);
}

TEST(Json, MissingAndNonFiniteValuesAreNullWithAReason) {
  Metric metric;
  metric.id = "x";
  metric.missing_reason = "the device has no events";
  Json json = metric;
  EXPECT_TRUE(json["value"].is_null());
  EXPECT_EQ(json["reason"], "the device has no events");
  EXPECT_EQ(read_json<Metric>(json, "t")->missing_reason, "the device has no events");
  EXPECT_FALSE(read_json<Metric>(json, "t")->value.has_value());
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), infinity, -infinity}) {
    metric.value = value;
    json = metric;
    EXPECT_TRUE(json["value"].is_null());
    EXPECT_FALSE(json["reason"].get<std::string>().empty());
    EXPECT_FALSE(read_json<Metric>(json, "t")->value.has_value());
  }
  metric.value = 1;
  metric.interval = Interval{0, infinity, 0.95};
  EXPECT_FALSE(Json(metric).contains("interval"));
  metric.value.reset();
  metric.missing_reason.clear();
  EXPECT_FALSE(Json(metric)["reason"].get<std::string>().empty());
}

TEST(Json, ReadingNamesWhatIsOffAndNeverThrows) {
  Json json = example_finding();
  json["effect"] = "fraud";
  const auto bad_effect = read_json<Finding>(json, "journal line 3");
  ASSERT_FALSE(bad_effect.ok());
  EXPECT_NE(bad_effect.error().describe().find("fraud"), std::string::npos);
  EXPECT_NE(bad_effect.error().describe().find("journal line 3"), std::string::npos);
  json = example_finding();
  const Json whole = json;
  for (const auto& [field, value] : whole.items()) {
    Json without = json;
    without.erase(field);
    EXPECT_FALSE(read_json<Finding>(without, "t").ok()) << field;
    for (const Json& other : {Json(nullptr), Json(Json::array({1})), Json(Json::object()), Json(7)}) {
      Json changed = json;
      changed[field] = other;
      if (other.type() != value.type()) (void)read_json<Finding>(changed, "t");
    }
  }
  Json null_without_reason = Metric{};
  null_without_reason.erase("reason");
  EXPECT_FALSE(read_json<Metric>(null_without_reason, "t").ok());
}

TEST(Json, ParsingHasLimits) {
  EXPECT_TRUE(parse_json(std::string(50, '[') + std::string(50, ']'), "t", 1000, 50).ok());
  const auto deep = parse_json(std::string(51, '[') + std::string(51, ']'), "t", 1000, 50);
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().kind, ErrorKind::kProtocol);
  EXPECT_FALSE(parse_json(std::string(5000000, '['), "t").ok());
  EXPECT_TRUE(parse_json("\"" + std::string(500, '[') + "\\\"[\"", "t").ok()) << "brackets in strings do not nest";
  EXPECT_TRUE(parse_json("[1234]", "t", 6).ok());
  EXPECT_FALSE(parse_json("[12345]", "t", 6).ok());
  for (const char* text : {"", "{", "[1,]", "nul", "{\"a\":1}x", "1e999", "\"\xff\"", "\"\\ud800\""}) {
    EXPECT_FALSE(parse_json(text, "t").ok()) << text;
  }
}

TEST(Json, DumpingNeverThrows) {
  const std::string text = dump_json(Json{{"a", "\xff\xfe"}, {"b", std::nan("")}});
  const auto back = parse_json(text, "t");
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE((*back)["b"].is_null());
}

TEST(Policy, ChangesEffectsAndThresholds) {
  RuleInfo rule{"KA201",          "result-cache", "s", Severity::kError, Confidence::kHigh,
                Stage::kAnalysis, Effect::kCheat, {13}};
  const auto policy = policy_from_json(
      Json{{"name", "mine"}, {"effects", {{"KA201", "note"}}}, {"thresholds", {{"a.b", 2.5}}}}, "p.json");
  ASSERT_TRUE(policy.ok());
  EXPECT_EQ(policy->name, "mine");
  EXPECT_EQ(policy->threshold("a.b", 1), 2.5);
  EXPECT_EQ(policy->threshold("other", 1), 1);
  EXPECT_EQ(make_finding(rule, *policy, "m").effect, Effect::kNote);
  EXPECT_EQ(make_finding(rule, Policy{}, "m").effect, Effect::kCheat);
  EXPECT_EQ(make_finding(rule, Policy{}, "m").origin, Origin::kSource);
  for (const Json& bad : {Json(1), Json{{"nam", "x"}}, Json{{"name", 1}}, Json{{"effects", {{"KA1", "bad"}}}},
                          Json{{"effects", 3}}, Json{{"thresholds", {{"a", "1"}}}}, Json{{"thresholds", 1}}}) {
    const auto result = policy_from_json(bad, "p.json");
    ASSERT_FALSE(result.ok()) << bad;
    EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(result.error().file, "p.json");
  }
}

TEST(Json, ARepeatedKeyIsFound) {
  EXPECT_EQ(repeated_key(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]})"), std::nullopt);
  EXPECT_EQ(repeated_key(R"({"a": {"b": 1, "c": 2, "b": 3}})"), "b");
  EXPECT_EQ(repeated_key("{"), std::nullopt);
}

}  // namespace
}  // namespace kernel_audit
