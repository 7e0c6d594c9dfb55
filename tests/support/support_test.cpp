// The checkers must fail where they should: each keyword once with a document that breaks it.
#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/json_schema.h"

namespace kernel_audit::testing_support {
namespace {

Json parsed(const char* text) {
  auto json = parse_json(text, "test");
  EXPECT_TRUE(json.ok()) << text;
  return json ? *json : Json(nullptr);
}

struct Case {
  const char* schema;
  const char* good;
  const char* bad;
};

TEST(JsonSchema, EachKeywordAcceptsAndRefuses) {
  const Case cases[] = {
      {R"({"type": "integer"})", "3", "3.5"},
      {R"({"type": ["string", "null"]})", "null", "1"},
      {R"({"const": 1})", "1", "2"},
      {R"({"enum": ["a", 2]})", "2", "\"b\""},
      {R"({"minimum": 1})", "1", "0"},
      {R"({"exclusiveMinimum": 0})", "0.1", "0"},
      {R"({"exclusiveMaximum": 1})", "0.9", "1"},
      {R"({"minLength": 2})", "\"ab\"", "\"a\""},
      {R"({"maxLength": 2})", "\"ab\"", "\"abc\""},
      {R"({"pattern": "^KA[0-9]{3}$"})", "\"KA201\"", "\"KA20\""},
      {R"({"required": ["a"]})", R"({"a": 1})", R"({"b": 1})"},
      {R"({"properties": {"a": {"type": "null"}}})", R"({"a": null})", R"({"a": 1})"},
      {R"({"properties": {"a": true}, "additionalProperties": false})", R"({"a": 1})", R"({"a": 1, "b": 1})"},
      {R"({"additionalProperties": {"type": "string"}})", R"({"a": "x"})", R"({"a": 1})"},
      {R"({"propertyNames": {"enum": ["a"]}})", R"({"a": 1})", R"({"b": 1})"},
      {R"({"items": {"type": "integer"}})", "[1, 2]", "[1, \"2\"]"},
      {R"({"anyOf": [{"type": "null"}, {"type": "integer"}]})", "null", "\"x\""},
      {R"({"not": {"required": ["a"]}})", "{}", R"({"a": 1})"},
      {R"({"if": {"type": "integer"}, "then": {"minimum": 5}})", "5", "4"},
      {R"({"if": {"type": "integer"}, "else": {"type": "null"}})", "4", "\"x\""},
      {R"({"$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}})", "null", "1"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(schema_violations(parsed(c.schema), parsed(c.good)).empty()) << c.schema << " " << c.good;
    EXPECT_FALSE(schema_violations(parsed(c.schema), parsed(c.bad)).empty()) << c.schema << " " << c.bad;
  }
}

TEST(JsonSchema, RefusesKeywordsAndReferencesThatItDoesNotKnow) {
  EXPECT_FALSE(schema_violations(parsed(R"({"contains": {}})"), parsed("[]")).empty());
  EXPECT_FALSE(schema_violations(parsed(R"({"requierd": ["a"]})"), parsed("{}")).empty());
  EXPECT_FALSE(
      schema_violations(parsed(R"({"properties": {"a": {"maxContains": 1}}})"), parsed(R"({"a": []})")).empty());
  EXPECT_FALSE(schema_violations(parsed(R"({"$ref": "#/$defs/absent"})"), parsed("1")).empty());
}

TEST(JsonSchema, NamesThePlace) {
  const auto violations =
      schema_violations(parsed(R"({"properties": {"a": {"items": {"type": "null"}}}})"), parsed(R"({"a": [null, 7]})"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0], "/a/1: is 7, not of type \"null\"");
}

TEST(JsonSchema, FindsPropertiesWithoutDescription) {
  const Json schema =
      parsed(R"({"properties": {"a": {"description": "x"}, "b": {"type": "null"}, "c": {"$ref": "#/$defs/d"}},
                                 "$defs": {"d": {"description": "y", "properties": {"e": true}}}})");
  EXPECT_EQ(undocumented_properties(schema), (std::vector<std::string>{"/b", "/$defs/d/e"}));
}

TEST(Golden, HolesFitNumbersAndNothingElse) {
  EXPECT_EQ(golden_difference("a %float b\n", "a -1.5e-3 b\n"), "");
  EXPECT_EQ(golden_difference("%int (x)\n", "12 (x)\n"), "");
  EXPECT_EQ(golden_difference("a %any\n", "a b c\n"), "");
  EXPECT_NE(golden_difference("a %float b\n", "a x b\n"), "");
  EXPECT_NE(golden_difference("%int\n", "1.5\n"), "");
  EXPECT_NE(golden_difference("a.c\n", "abc\n"), "");
  EXPECT_EQ(golden_difference("a\n", "a\nb\n"), "line 2:\n  unexpected: b");
  EXPECT_EQ(golden_difference("a\nb\n", "a\n"), "line 2:\n  missing: b");
}

}  // namespace
}  // namespace kernel_audit::testing_support
