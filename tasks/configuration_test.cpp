#include "tasks/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernel_audit::tasks {
namespace {

using ::testing::HasSubstr;

TEST(Configuration, IsTheProductAndSharedWins) {
  const Json config = Json::parse(R"({
    "multi_init_configs": [{"method": "a", "width": 1}, {"method": "b"}],
    "multi_input_configs": [{"batch": 1}, {"batch": 8}],
    "multi_shared_configs": [{"width": 64}]})");
  const auto runs = configurations_of(config, "multi", "c.json");
  ASSERT_TRUE(runs.ok()) << runs.error().describe();
  ASSERT_EQ(runs->size(), 4u);
  EXPECT_EQ((*runs)[0], Json::parse(R"({"init": {"method": "a", "width": 64}, "inputs": {"batch": 1, "width": 64}})"));
  EXPECT_EQ((*runs)[1]["inputs"]["batch"], 8);  // inputs vary faster than init
  EXPECT_EQ((*runs)[2]["init"]["method"], "b");
  const auto none = configurations_of(config, "single", "c.json");
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->size(), 1u);
  EXPECT_TRUE((*none)[0]["init"].empty());
  EXPECT_EQ(describe_configuration((*runs)[0]), "batch=1, method=a, width=64");
}

TEST(Configuration, RefusesWhatIsNone) {
  EXPECT_FALSE(configurations_of(Json::array(), "single", "c.json").ok());
  EXPECT_FALSE(configurations_of({{"single_init_configs", 3}}, "single", "c.json").ok());
  EXPECT_THAT(configurations_of({{"single_init_configs", {1}}}, "single", "c.json").error().field,
              HasSubstr("single_init_configs"));
  Json many = Json::array();
  for (int i = 0; i < 40; ++i) many.push_back({{"n", i}});
  const Json huge = {{"single_init_configs", many}, {"single_input_configs", many}};
  EXPECT_THAT(configurations_of(huge, "single", "c.json").error().message, HasSubstr("more than 1000"));
}

TEST(Configuration, RoundTripsThroughItsFile) {
  const Json configuration = {{"init", {{"eps", 1e-8}, {"bias", false}}}, {"inputs", {{"n", 3}}}};
  const auto back = configurations_of(config_file_for(configuration), "single", "c.json");
  ASSERT_TRUE(back.ok());
  ASSERT_EQ(back->size(), 1u);
  EXPECT_EQ(back->front(), configuration);
}

TEST(Configuration, DigestCoversBoth) {
  const Json one = {{"init", {{"n", 1}}}}, two = {{"init", {{"n", 2}}}};
  EXPECT_NE(configured_digest("code", one), configured_digest("code", two));
  EXPECT_NE(configured_digest("code", one), configured_digest("other", one));
}

TEST(Configuration, ValuesCannotLeaveTheirLiteral) {
  Task task;
  task.configuration = {{"init", {{"mode", "\"); import os #\n'''"}}}, {"inputs", Json::object()}};
  const std::string text = bound_module(task);
  EXPECT_THAT(text, HasSubstr(R"(_init = json.loads("{\"mode\":\"\\\"); import os #\\n'''\"}"))"));
}

}  // namespace
}  // namespace kernel_audit::tasks
