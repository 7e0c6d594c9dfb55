// The guard refuses what lies out of range, and nothing else, before the operator could.
#include "filters/probes/range_guard.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kernel_audit::filters {
namespace {

bool refused(const char* name, const char* overload, std::vector<c10::IValue> arguments) {
  const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  // What is not given has its default.
  for (std::size_t i = arguments.size(); i < op.schema().arguments().size(); ++i) {
    const auto& value = op.schema().arguments()[i].default_value();
    arguments.push_back(value ? *value : c10::IValue());
  }
  try {
    check_ranges(op, arguments);
  } catch (const c10::Error&) {
    return true;
  }
  return false;
}

at::Tensor longs(const std::vector<std::int64_t>& values) { return at::tensor(values, at::kLong); }

TEST(RangeGuard, IndicesAlongAnAxis) {
  const at::Tensor self = at::zeros({2, 5});
  for (const char* name : {"aten::index_select", "aten::index_fill"}) {
    const char* overload = std::string(name) == "aten::index_fill" ? "int_Scalar" : "";
    EXPECT_FALSE(refused(name, overload, {self, 1, longs({0, 4})})) << name;
    EXPECT_FALSE(refused(name, overload, {self, -1, longs({0, 4})})) << name;
    EXPECT_TRUE(refused(name, overload, {self, 1, longs({0, 5})})) << name;
    EXPECT_TRUE(refused(name, overload, {self, 0, longs({2})})) << name;
    EXPECT_TRUE(refused(name, overload, {self, 1, longs({-1})})) << name;
  }
  EXPECT_TRUE(refused("aten::gather", "", {self, 1, longs({5}).reshape({1, 1})}));
  EXPECT_TRUE(refused("aten::scatter_add", "", {self, 1, longs({5}).reshape({1, 1}), self}));
  EXPECT_FALSE(refused("aten::take", "", {self, longs({-10, 9})}));
  EXPECT_TRUE(refused("aten::take", "", {self, longs({10})}));
  EXPECT_FALSE(refused("aten::index_select", "", {self, 7, longs({0})})) << "the operator itself refuses the axis";
}

TEST(RangeGuard, AdvancedIndices) {
  const at::Tensor self = at::zeros({2, 3, 5});
  using List = c10::List<std::optional<at::Tensor>>;
  const at::Tensor mask = at::ones({2, 3}, at::kBool);
  EXPECT_FALSE(refused("aten::index", "Tensor", {self, List({longs({-2, 1})})}));
  EXPECT_TRUE(refused("aten::index", "Tensor", {self, List({longs({2})})}));
  EXPECT_FALSE(refused("aten::index", "Tensor", {self, List({std::nullopt, longs({2})})}));
  EXPECT_TRUE(refused("aten::index", "Tensor", {self, List({std::nullopt, longs({3})})}));
  EXPECT_FALSE(refused("aten::index", "Tensor", {self, List({mask, longs({4})})}));
  EXPECT_TRUE(refused("aten::index", "Tensor", {self, List({mask, longs({5})})}));
}

TEST(RangeGuard, TablesLabelsAndProbabilities) {
  const at::Tensor table = at::zeros({8, 4}), scores = at::zeros({3, 10}), shares = at::full({3}, 0.5);
  EXPECT_FALSE(refused("aten::embedding", "", {table, longs({0, 7})}));
  EXPECT_TRUE(refused("aten::embedding", "", {table, longs({8})}));
  EXPECT_FALSE(refused("aten::cross_entropy_loss", "", {scores, longs({0, 9, -100})}));
  EXPECT_TRUE(refused("aten::cross_entropy_loss", "", {scores, longs({0, 9, 10})}));
  EXPECT_TRUE(refused("aten::nll_loss", "", {scores, longs({0, 9, -1})}));
  EXPECT_FALSE(refused("aten::cross_entropy_loss", "", {scores, scores})) << "labels may be probabilities";
  EXPECT_FALSE(refused("aten::one_hot", "", {longs({0, 3}), 4}));
  EXPECT_TRUE(refused("aten::one_hot", "", {longs({0, 4}), 4}));
  EXPECT_FALSE(refused("aten::one_hot", "", {longs({0, 400})}));
  EXPECT_FALSE(refused("aten::binary_cross_entropy", "", {shares, shares}));
  EXPECT_TRUE(refused("aten::binary_cross_entropy", "", {shares + 0.6, shares}));
  EXPECT_TRUE(refused("aten::bernoulli", "", {shares * -1}));
  EXPECT_FALSE(refused("aten::bernoulli", "p", {shares * -1, 0.5}));
  EXPECT_FALSE(refused("aten::multinomial", "", {shares * 4, 1}));
  EXPECT_TRUE(refused("aten::multinomial", "", {shares / 0.0, 1}));
}

}  // namespace
}  // namespace kernel_audit::filters
