#include "filters/probes/flops.h"

#include <gtest/gtest.h>

#include "filters/presets.h"
#include "filters/probes/seed_plan.h"

namespace kernel_audit::filters {
namespace {

TEST(Flops, NamesLoseNamespaceOverloadAndInPlaceMark) {
  EXPECT_EQ(base_name("aten::addmm_.out"), "addmm");
  EXPECT_EQ(base_name("aten::relu_"), "relu");
  EXPECT_EQ(base_name("aten::__and__.Tensor"), "__and__");
  EXPECT_EQ(base_name("aten::_softmax"), "_softmax");
}

TEST(Flops, ProductsAndConvolutions) {
  EXPECT_EQ(flops_of({"aten::mm", {{4, 5}, {5, 6}}, {{4, 6}}, {}}), 2.0 * 4 * 5 * 6);
  EXPECT_EQ(flops_of({"aten::linear", {{2, 4, 5}, {6, 5}, {6}}, {{2, 4, 6}}, {}}), 2.0 * 2 * 4 * 5 * 6);
  EXPECT_EQ(flops_of({"aten::addmm", {{6}, {4, 5}, {5, 6}}, {{4, 6}}, {}}), 2.0 * 4 * 5 * 6);
  // 8 output channels, 3 input channels, 3x3, 10x10 positions.
  EXPECT_EQ(flops_of({"aten::conv2d", {{1, 3, 12, 12}, {8, 3, 3, 3}}, {{1, 8, 10, 10}}, {}}), 2.0 * 800 * 27);
  EXPECT_EQ(flops_of({"aten::conv_transpose2d.input", {{1, 3, 4, 4}, {3, 8, 2, 2}}, {{1, 8, 8, 8}}, {}}),
            2.0 * 48 * 32);
}

TEST(Flops, ReductionsPoolsMovesAndUnknowns) {
  EXPECT_EQ(flops_of({"aten::sum.dim_IntList", {{4, 5}}, {{4}}, {{1}}}), 20.0);
  EXPECT_EQ(flops_of({"aten::max.dim", {{4, 5}}, {{4}, {4}}, {}}), 20.0);
  EXPECT_EQ(flops_of({"aten::max.other", {{4, 5}, {5}}, {{4, 5}}, {}}), 20.0);
  EXPECT_EQ(flops_of({"aten::avg_pool2d", {{1, 1, 4, 4}}, {{1, 1, 2, 2}}, {{2, 2}, {2, 2}}}), 16.0);
  EXPECT_EQ(flops_of({"aten::max_pool3d", {{1, 1, 4, 4, 4}}, {{1, 1, 2, 2, 2}}, {{2}}}), 64.0);
  EXPECT_EQ(flops_of({"aten::contiguous", {{4, 5}}, {{4, 5}}, {}}), 0.0);
  EXPECT_FALSE(flops_of({"aten::fft_fft", {{4}}, {{4}}, {}}).has_value());
  EXPECT_FALSE(flops_of({"aten::mm", {}, {}, {}}).has_value());
  EXPECT_TRUE(only_moves_data("aten::_to_copy"));
  EXPECT_FALSE(only_moves_data("aten::mul.Tensor"));
}

OutputStatistics far_output() {
  OutputStatistics output;
  output.name = "output";
  output.minimum = -4;
  output.maximum = 4;
  output.mean_absolute = 0.8;
  output.seed_std_max = 2;
  output.axis_std_max = {2.0, 1.4};
  return output;
}

TEST(SeedPlan, OnlyWhatIsNearAThresholdAsksForMore) {
  const Policy policy = find_preset("default")->policy;
  const Tolerance tolerance{1e-4, 1e-4};
  EXPECT_FALSE(near_threshold(far_output(), tolerance, policy).has_value());
  OutputStatistics output = far_output();
  output.minimum = 0;
  output.maximum = 1.2e-4;  // zeros pass below 1e-4
  EXPECT_FALSE(below_dropping_line(output, tolerance, policy).has_value());
  EXPECT_TRUE(near_threshold(output, tolerance, policy).has_value());
  output = far_output();
  output.seed_std_max = 1.3 * (1e-4 + 1e-4 * 0.8);
  EXPECT_TRUE(near_threshold(output, tolerance, policy).has_value());
  output.seed_std_max = 3 * (1e-4 + 1e-4 * 0.8);
  EXPECT_FALSE(near_threshold(output, tolerance, policy).has_value());
  output = far_output();
  output.axis_std_max = {2.0, std::nullopt, 0.0};
  output.minimum = output.maximum = output.seed_std_max = 0.0;
  EXPECT_TRUE(below_dropping_line(output, tolerance, policy).has_value());
  output = far_output();
  output.axis_std_max = {2.0, std::nullopt, 0.0};
  EXPECT_FALSE(near_threshold(output, tolerance, policy).has_value());  // zero is far from every line
}

}  // namespace
}  // namespace kernel_audit::filters
