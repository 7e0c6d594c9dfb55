#include <gtest/gtest.h>

#include <functional>

#include "analysis/facts/facts_test_support.h"

namespace kernel_audit::analysis::facts {
namespace {

TEST(FactsJson, RoundTripKeepsEverything) {
  const Json json = json_of(sample_facts());
  const auto read = facts_from_json(json, "test");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(json_of(*read), json);
  EXPECT_EQ(read->functions[1].blocks[0].statements[1].launch->kernel_name, "scale");
  EXPECT_EQ(read->entry_function, 1);
}

TEST(FactsJson, EveryEnumerationHasANameForEachValue) {
  Facts facts = sample_facts();
  for (int kind = 0; kind <= static_cast<int>(TypeKind::kOther); ++kind) {
    facts.values[0].type.kind = static_cast<TypeKind>(kind);
    facts.values[0].type.name = "t";
    const auto read = facts_from_json(json_of(facts), "test");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->values[0].type.kind, static_cast<TypeKind>(kind));
  }
  for (int kind = 0; kind <= static_cast<int>(StorageKind::kForeign); ++kind) {
    facts.storages[0].kind = static_cast<StorageKind>(kind);
    const auto read = facts_from_json(json_of(facts), "test");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->storages[0].kind, static_cast<StorageKind>(kind));
  }
}

// Visits every node of a JSON document with a way to replace it.
void each_node(Json& root, Json& node, const std::function<void()>& tried) {
  const Json before = node;
  for (const Json& hostile : {Json(), Json(-2), Json(1 << 30), Json(18446744073709551615ULL), Json(1.5), Json("x"),
                              Json(true), Json::array({Json::array()}), Json::object({{"kind", 7}})}) {
    node = hostile;
    tried();
  }
  node = before;
  if (node.is_structured()) {
    for (auto& child : node) each_node(root, child, tried);
  }
}

TEST(FactsJson, HostileDocumentsAreErrorsOrSoundFacts) {
  Json json = json_of(sample_facts());
  int accepted = 0, refused = 0;
  each_node(json, json, [&] {
    const auto read = facts_from_json(json, "test");
    if (!read) {
      ++refused;
      EXPECT_FALSE(read.error().message.empty());
      return;
    }
    ++accepted;
    // What is accepted has ids that refer to something.
    EXPECT_TRUE(facts_from_json(json_of(*read), "again").ok());
  });
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 0);
}

TEST(FactsJson, IdsOutOfRangeAreNamed) {
  Facts facts = sample_facts();
  facts.functions[1].blocks[0].statements[0].args.at(0) = 9999;
  const auto read = facts_from_json(json_of(facts), "test");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("refers to nothing"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
