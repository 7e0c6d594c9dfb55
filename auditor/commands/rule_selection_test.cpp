#include "auditor/commands/rule_selection.h"

#include <gtest/gtest.h>

namespace kernel_audit::commands {
namespace {

using Lists = std::vector<std::string>;

Lists settled(Lists select) {
  Lists none;
  const Status status = settle_selection(select, none);
  EXPECT_TRUE(status.ok()) << status.error().describe();
  return select;
}

std::string refusal(Lists select, Lists ignore = {}) {
  const Status status = settle_selection(select, ignore);
  return status.ok() ? "" : status.error().describe();
}

TEST(RuleSelection, BlanksAndCaseDoNotMatter) {
  EXPECT_EQ(settled({" KA201 , ka101", "Result-Cache"}), (Lists{"KA201", "KA101", "result-cache"}));
  EXPECT_EQ(settled({"ka", "KA8", "ka991"}), (Lists{"KA", "KA8", "KA991"}));
}

TEST(RuleSelection, RulesOfOtherStagesAreRefused) {
  for (const char* name : {"KA851", "wrong-output", "KA85", "ka951"}) {
    const std::string words = refusal({name});
    EXPECT_NE(words.find("--select"), std::string::npos) << words;
    EXPECT_NE(words.find(name), std::string::npos) << words;
    EXPECT_NE(words.find("`eval`"), std::string::npos) << words;
  }
  EXPECT_NE(refusal({"KA0"}).find("`filter`"), std::string::npos);
  EXPECT_NE(refusal({}, {"KA001"}).find("--ignore"), std::string::npos);
}

TEST(RuleSelection, WhatSelectsNothingIsRefused) {
  for (const char* name : {"KA777", "KB", "", " ", "KA1,,KA2", "KA201 KA101"}) EXPECT_NE(refusal({name}), "") << name;
  EXPECT_NE(refusal({"KA2"}, {"ka2"}).find("no rule is left"), std::string::npos);
  EXPECT_NE(refusal({}, {"KA"}), "");
  EXPECT_EQ(refusal({"KA2"}, {"KA201"}), "");
  EXPECT_EQ(refusal({}), "");
}

}  // namespace
}  // namespace kernel_audit::commands
