#include "analysis/facts/operations.h"

#include <gtest/gtest.h>

namespace kernel_audit::analysis::facts {
namespace {

TEST(Operations, OneOperationUnderItsManyNames) {
  for (const char* name :
       {"torch.matmul", "torch.Tensor.matmul", "torch.ops.aten.mm", "torch.ops.aten.mm.default", "at::matmul",
        "at::Tensor::matmul", "operator.matmul", "torch.nn.functional.linear", "torch.addmm", "at::addmm_out",
        "torch.Tensor.addmm_", "torch.linalg.multi_dot", "torch::matmul"}) {
    EXPECT_EQ(classify(name).kind, OperationKind::kCompute) << name;
    EXPECT_EQ(classify(name).family, "matmul") << name;
  }
}

TEST(Operations, InPlaceFormsWriteTheirFirstOperand) {
  EXPECT_TRUE(classify("torch.Tensor.relu_").in_place);
  EXPECT_TRUE(classify("at::mm_out").in_place);
  EXPECT_TRUE(classify("operator.iadd").in_place);
  EXPECT_FALSE(classify("operator.invert").in_place);
  EXPECT_FALSE(classify("torch.relu").in_place);
}

TEST(Operations, WhatIsNotCompute) {
  EXPECT_EQ(classify("torch.Tensor.view").kind, OperationKind::kView);
  EXPECT_EQ(classify("at::Tensor::size").kind, OperationKind::kMetadata);
  EXPECT_EQ(classify("torch.empty_like").kind, OperationKind::kAllocation);
  EXPECT_EQ(classify("torch.zeros").kind, OperationKind::kConstant);
  EXPECT_EQ(classify("torch.Tensor.half").kind, OperationKind::kCopy);
  EXPECT_EQ(classify("at::Tensor::data_ptr").kind, OperationKind::kPointer);
  EXPECT_EQ(classify("torch.nn.Flatten.__call__").kind, OperationKind::kView);
  EXPECT_EQ(classify("math.sqrt").kind, OperationKind::kScalar);
  EXPECT_EQ(classify("torch.cuda.is_available").kind, OperationKind::kHarmless);
}

TEST(Operations, ModulesVendorsAndUnknowns) {
  EXPECT_EQ(classify("torch.nn.Linear").kind, OperationKind::kModule);
  EXPECT_EQ(classify("torch.nn.Linear.__call__").kind, OperationKind::kCompute);
  EXPECT_EQ(classify("cublasSgemm_v2").kind, OperationKind::kVendor);
  EXPECT_EQ(classify("cublasLtMatmul").family, "cublas");
  EXPECT_EQ(classify("torch.brand_new_operation").kind, OperationKind::kUnclassified);
  EXPECT_EQ(classify("maxpool_of_mine").kind, OperationKind::kUnknown);
  EXPECT_EQ(classify("?.matmul").kind, OperationKind::kUnknown);
  EXPECT_EQ(classify("?.matmul", true).kind, OperationKind::kCompute);
  EXPECT_EQ(classify("").kind, OperationKind::kUnknown);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
