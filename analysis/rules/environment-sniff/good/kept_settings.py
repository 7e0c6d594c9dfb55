# verdict: clean
# near: 77, what variables of the environment choose is how the extension is built, the size of its blocks and what
# is printed
import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor twice(torch::Tensor x, int64_t threads) {
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  twice_kernel<<<(n + threads - 1) / threads, threads, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                                                                              y.data_ptr<float>(), n);
  return y;
}
"""


def flags():
    if os.environ.get("KERNEL_DEBUG"):
        return ["-G", "-lineinfo"]
    return ["-O3"]


class Settings:
    THREADS = {"small": {"threads": 128}, "large": {"threads": 512}}

    def __init__(self):
        if "KERNEL_SMALL" in os.environ:
            size = "small"
        else:
            size = "large"
        self.launch = self.THREADS[size]
        self.note = print if os.environ.get("KERNEL_LOG") else (lambda *words: None)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.settings = Settings()
        self.ops = load_inline("twice_of_all", "torch::Tensor twice(torch::Tensor x, int64_t threads);", CUDA,
                               functions=["twice"], extra_cuda_cflags=flags())

    def forward(self, x):
        self.settings.note("twice", tuple(x.shape))
        return self.ops.twice(x.contiguous(), self.settings.launch["threads"])
