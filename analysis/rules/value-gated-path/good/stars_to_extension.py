# verdict: clean
# near: 54
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void scale(const float* x, const float* weight, float* y, int n, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * weight[i % groups];
}

torch::Tensor scaled(torch::Tensor x, torch::Tensor weight, int64_t groups) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) % groups == 0);
  auto y = torch::empty_like(x);
  if (x.numel() == 0) return y;
  scale<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), weight.data_ptr<float>(), y.data_ptr<float>(), x.numel(), (int)groups);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""


class Op:
    def __init__(self):
        self.built = None

    def __call__(self, *operands):
        if self.built is None:
            self.built = load_inline(
                name="scaled_by_groups",
                cpp_sources="torch::Tensor scaled(torch::Tensor x, torch::Tensor weight, int64_t groups);",
                cuda_sources=SOURCE,
                functions=["scaled"],
            )
        return self.built.scaled(*operands)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8))
        self.op = Op()

    def forward(self, x):
        return self.op(x.contiguous(), self.weight, 8)
