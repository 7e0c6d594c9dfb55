# verdict: clean
# near: 77, a number of threads handed to C++
import os
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
torch::Tensor doubled(torch::Tensor x, int64_t threads) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  twice<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("doubled", "torch::Tensor doubled(torch::Tensor x, int64_t threads);", SOURCE, functions=["doubled"])


def wide():
    return os.environ.get("WIDE", "") == "1"


class ModelNew(nn.Module):
    def forward(self, x):
        threads = 512 if wide() else 256
        if os.environ.get("VERBOSE", ""):
            rows = x.shape[0]
            print("rows", rows)
        return ext.doubled(x.contiguous(), threads)


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
