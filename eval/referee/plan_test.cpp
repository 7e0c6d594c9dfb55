#include "eval/referee/plan.h"

#include <gtest/gtest.h>

#include "eval/referee/secrets.h"
#include "eval/referee/weights.h"

namespace kernel_audit::eval {
namespace {

WindowLimits generous() {
  WindowLimits limits;
  limits.message_calls = 1024;
  limits.call_bytes = 1 << 20;
  limits.memory_bytes = std::uint64_t{64} << 30;
  limits.draw_ns = 1;
  limits.budget_ns = 20e9;
  return limits;
}

TEST(Plan, WindowsLastAboutThreeMillisecondsAndCannotBeForeseen) {
  Random random(1);
  int least = 1 << 20, most = 0;
  for (int i = 0; i < 200; ++i) {
    const int calls = choose_calls(100e3, generous(), random);
    least = std::min(least, calls);
    most = std::max(most, calls);
    EXPECT_GE(calls * 100e3, kWindowNs);
    EXPECT_LE(calls * 100e3, kWindowNs * 1.3);
  }
  EXPECT_GT(most, least + 3);
  EXPECT_EQ(choose_calls(3e6, generous(), random), 1);
  EXPECT_LE(choose_calls(0, generous(), random), 1024);
}

TEST(Plan, WindowsStandOutFromANoisyMachine) {
  Random random(1);
  WindowLimits noisy = generous();
  noisy.null_spread_ns = 1e6;
  EXPECT_GE(choose_calls(100e3, noisy, random) * 100e3, 20e6);
  EXPECT_GE(choose_calls(5e6, noisy, random), 4);
}

TEST(Plan, WindowsOfADeviceAreLongerAndSingleCallsAreNot) {
  Random random(1);
  WindowLimits device = generous();
  device.window_ns = kDeviceWindowNs;
  EXPECT_GE(choose_calls(100e3, device, random) * 100e3, kDeviceWindowNs);
  EXPECT_EQ(choose_calls(3e6, device, random), 1);
}

TEST(Plan, MemoryMessagesAndDrawingLimitTheWindow) {
  Random random(1);
  WindowLimits memory = generous();
  memory.memory_bytes = 10 * kCopiesPerCall * memory.call_bytes;
  EXPECT_EQ(choose_calls(20e3, memory, random), 10);
  WindowLimits message = generous();
  message.message_calls = 7;
  EXPECT_EQ(choose_calls(20e3, message, random), 7);
  WindowLimits slow = generous();
  slow.draw_ns = 1e9;  // a second to draw one call's content
  EXPECT_EQ(choose_calls(20e3, slow, random), 1);
}

TEST(Plan, AWindowThatDrownsInNoiseGrows) {
  const std::vector<double> null = {100e3, 101e3, 99e3, 100e3};
  const std::vector<double> clear = {3.1e6, 3.11e6, 3.09e6, 3.1e6}, drowned = {3.1e6, 1.2e6, 5.3e6, 2.2e6};
  EXPECT_EQ(more_calls(8, clear, null, generous()), std::nullopt);
  EXPECT_EQ(more_calls(8, drowned, null, generous()), 16);
  EXPECT_EQ(more_calls(8, null, null, generous()), 16) << "as long as an empty window";
  EXPECT_EQ(more_calls(8, drowned, {}, generous()), std::nullopt) << "nothing to judge by";
  WindowLimits message = generous();
  message.message_calls = 10;
  EXPECT_EQ(more_calls(8, drowned, null, message), 10);
  EXPECT_EQ(more_calls(10, drowned, null, message), std::nullopt);
}

TEST(Plan, RoundsFollowNoiseAndBudget) {
  RoundCosts costs{10e6, 4e6, 20e9};
  const int quiet = choose_rounds({100, 100.1, 99.9, 100}, costs);
  const int noisy = choose_rounds({100, 110, 90, 105, 95}, costs);
  EXPECT_LT(quiet, noisy);
  EXPECT_LE(noisy, kMostRounds);
  costs.budget_ns = 1;
  EXPECT_EQ(choose_rounds({100, 110, 90, 105, 95}, costs), kLeastRounds);
}

TEST(Secrets, AreReproducibleOnlyByReplay) {
  Secrets a = Secrets::from_replay_seed(5), b = Secrets::from_replay_seed(5);
  EXPECT_EQ(a.next("input"), b.next("input"));
  EXPECT_NE(a.next("input"), b.next("order"));
  EXPECT_TRUE(a.replayed());
  auto c = Secrets::from_kernel(), d = Secrets::from_kernel();
  ASSERT_TRUE(c.ok() && d.ok());
  EXPECT_NE(c->next("input"), d->next("input"));
  EXPECT_NE(c->key_hex(), d->key_hex());
  EXPECT_FALSE(c->replayed());
  int sampled = 0;
  for (int i = 0; i < 4000; ++i) sampled += a.sample("probe", 4);
  EXPECT_NEAR(sampled, 1000, 120);
}

TEST(Weights, OnlyValuesOfEqualNamesAreCopied) {
  const std::vector<StateDigest> reference = {{"a", "float32", "11", {2}}, {"b", "float32", "22", {3}}};
  const auto entry = [](const char* name, const char* sha, int size) {
    return Json{{"name", name}, {"dtype", "float32"}, {"sha256", sha}, {"shape", {size}}};
  };
  const auto equal = compare_state(reference, Json::array({entry("a", "11", 2), entry("b", "22", 3)}));
  EXPECT_TRUE(equal.to_copy.empty());
  EXPECT_TRUE(equal.note.empty());
  const auto other = compare_state(reference, Json::array({entry("a", "99", 2), entry("b", "22", 3)}));
  EXPECT_EQ(other.to_copy, std::vector<std::string>{"a"});
  EXPECT_FALSE(other.note.empty());
  const auto renamed = compare_state(reference, Json::array({entry("packed", "99", 5)}));
  EXPECT_TRUE(renamed.to_copy.empty());
  EXPECT_FALSE(renamed.note.empty());
  const auto reshaped = compare_state(reference, Json::array({entry("a", "99", 4), entry("b", "22", 3)}));
  EXPECT_TRUE(reshaped.to_copy.empty());
  for (const Json& hostile : {Json(), Json(3), Json::array({1, "x", Json::object(), Json{{"name", 3}}})}) {
    EXPECT_TRUE(compare_state(reference, hostile).to_copy.empty());
  }
}

}  // namespace
}  // namespace kernel_audit::eval
