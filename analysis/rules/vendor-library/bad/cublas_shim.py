# verdict: review
# shows: 3
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cublas_v2.h>
torch::Tensor product(torch::Tensor a, torch::Tensor b) {
  auto c = torch::empty({a.size(0), b.size(1)}, a.options());
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  const float one = 1.0f, zero = 0.0f;
  int m = a.size(0), k = a.size(1), n = b.size(1);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data_ptr<float>(), n, a.data_ptr<float>(), k, &zero, c.data_ptr<float>(), n);  // expect: KA104
  return c;
}
"""
ext = load_inline(name="blas_ext", cpp_sources="torch::Tensor product(torch::Tensor a, torch::Tensor b);", cuda_sources=source,
                  functions=["product"], extra_ldflags=["-lcublas"])


class ModelNew(nn.Module):
    def forward(self, a, b):
        return ext.product(a, b)
