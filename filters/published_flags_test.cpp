#include "filters/published_flags.h"

#include <gtest/gtest.h>

#include "filters/rules/rule.h"
#include "filters/rules/test_support.h"

namespace kernel_audit::filters {
namespace {

TEST(PublishedFlags, SoundTaskHasNone) {
  const Json flags = published_flags(sound_evidence());
  for (const char* name : {"output_range", "output_std", "output_axes", "input_impact"}) {
    EXPECT_EQ(flags.at(name), false) << name;
  }
}

TEST(PublishedFlags, EachIsSetAlone) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].minimum = -0.0099;
  evidence.outputs[0].maximum = 0.0099;
  EXPECT_EQ(published_flags(evidence).at("output_range"), true);
  EXPECT_EQ(published_flags(evidence).at("output_std"), false);
  evidence = sound_evidence();
  evidence.outputs[0].axis_std_max[2] = 0.0099;
  EXPECT_EQ(published_flags(evidence).at("output_axes"), true);
  EXPECT_EQ(published_flags(evidence).at("output_range"), false);
  evidence = sound_evidence();
  evidence.influences[0].seed_std_max = 0.0099;
  EXPECT_EQ(published_flags(evidence).at("input_impact"), true);
  evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = evidence.outputs[0].axis_std_max[0] = 0.0099;
  EXPECT_EQ(published_flags(evidence).at("output_std"), true);
  EXPECT_EQ(published_flags(evidence).at("output_axes"), true);  // the seed axis is one of them
}

TEST(PublishedFlags, MissingNumbersGiveNoFlag) {
  EXPECT_TRUE(published_flags(TaskEvidence{}).empty());
  TaskEvidence evidence = sound_evidence();
  evidence.influences.clear();
  EXPECT_FALSE(published_flags(evidence).contains("input_impact"));
}

TEST(PublishedFlags, AnUndefinedSpreadIsNotBelowTheLimit) {
  TaskEvidence evidence = sound_evidence();
  evidence.outputs[0].seed_std_max = 0.0;
  evidence.outputs[0].axis_std_max[0].reset();
  evidence.outputs[0].seed_std_undefined = 1;
  evidence.influences[0].seed_std_max.reset();
  evidence.influences[0].missing = kUndefinedSpread;
  EXPECT_EQ(published_flags(evidence).at("output_std"), false);
  EXPECT_EQ(published_flags(evidence).at("output_axes"), false);
  EXPECT_EQ(published_flags(evidence).at("input_impact"), false);
}

// The rules under the preset robust-kbench and the flags are two readings of one definition.
TEST(PublishedFlags, AgreeWithTheRules) {
  const std::vector<double> numbers = {0.0, 0.0099, 0.0101, 2.0};
  int compared = 0;
  for (const double range : numbers) {
    for (const double seed : numbers) {
      for (const double axis : numbers) {
        for (const double impact : numbers) {
          TaskEvidence evidence = sound_evidence();
          evidence.outputs[0].minimum = -range;
          evidence.outputs[0].maximum = range;
          evidence.outputs[0].seed_std_max = evidence.outputs[0].axis_std_max[0] = seed;
          evidence.outputs[0].axis_std_max[1] = axis;
          evidence.influences[0].seed_std_max = impact;
          const Json flags = published_flags(evidence);
          const std::pair<const char*, const char*> names[] = {{"output-range", "output_range"},
                                                               {"seed-std", "output_std"},
                                                               {"axis-uniformity", "output_axes"},
                                                               {"input-influence", "input_impact"}};
          for (const auto& [slug, flag] : names) {
            const bool found = !find_rule(slug)->check(evidence, published_policy()).empty();
            EXPECT_EQ(found, flags.at(flag).get<bool>()) << slug << " " << Json(evidence).dump();
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, 4 * 4 * 4 * 4 * 4);
}

}  // namespace
}  // namespace kernel_audit::filters
