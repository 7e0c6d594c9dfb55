#include "auditor/worker/tensor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>

namespace kernel_audit::worker {
namespace {

TEST(Tensor, NamesOfDtypesGoBothWays) {
  for (const char* name :
       {"float32", "float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool", "complex64"}) {
    const auto type = dtype_of(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(dtype_name(*type), name);
  }
  EXPECT_FALSE(dtype_of("float33"));
}

TEST(Tensor, TheDigestIsOfTheElementsInOrder) {
  const at::Tensor a = at::arange(6, at::kFloat).reshape({2, 3});
  EXPECT_EQ(content_sha256(a), content_sha256(a.t().contiguous().t())) << "layout does not matter";
  EXPECT_NE(content_sha256(a), content_sha256(a.t()));
  EXPECT_NE(content_sha256(a), content_sha256(a + 1));
  EXPECT_EQ(content_sha256(at::empty({0})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Tensor, OverMemoryItDoesNotOwn) {
  std::array<float, 6> memory = {0, 1, 2, 3, 4, 5};
  {
    const at::Tensor transposed = tensor_over(memory.data(), {3, 2}, {1, 3}, at::kFloat, "cpu");
    EXPECT_EQ(transposed[2][1].item<float>(), 5.0F);
    transposed.fill_(9);
  }
  EXPECT_EQ(memory[4], 9.0F);
}

TEST(Tensor, DenseStridesAreThoseOfAPermutation) {
  EXPECT_TRUE(is_dense({2, 3}, {3, 1}));
  EXPECT_TRUE(is_dense({2, 3}, {1, 2}));
  EXPECT_TRUE(is_dense({2, 1, 3}, {3, 77, 1})) << "the stride of an axis of one element says nothing";
  EXPECT_TRUE(is_dense({}, {}));
  EXPECT_FALSE(is_dense({2, 3}, {4, 1}));
  EXPECT_FALSE(is_dense({2, 3}, {0, 1})) << "expanded";
  EXPECT_FALSE(is_dense({2, 3}, {3}));
}

}  // namespace
}  // namespace kernel_audit::worker
