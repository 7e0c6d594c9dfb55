# verdict: review
# shows: 57, a planner that finds no wave to launch for the size that get_inputs makes
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void twice_rows(const float* x, float* y, int64_t first, int64_t cols) {
  int64_t row = first + blockIdx.x;
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x) y[row * cols + c] = 2.0f * x[row * cols + c];
}

void twice(torch::Tensor x, torch::Tensor y, int64_t first, int64_t rows) {
  twice_rows<<<rows, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), first,
                                                                 x.size(1));
}
"""


@dataclass(frozen=True)
class Wave:
    first: int
    count: int


class Planner:
    def __init__(self, cache_bytes=48 << 20, item=4):
        self.cache_bytes, self.item = cache_bytes, item

    def waves(self, rows, cols):
        resident = self.cache_bytes // (2 * cols * self.item)
        total = resident // max(rows, 1)
        return [Wave(i * resident, min(resident, rows - i * resident)) for i in range(total)]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.planner = Planner()
        self.ops = load_inline("twice_in_waves",
                               "void twice(torch::Tensor x, torch::Tensor y, int64_t first, int64_t rows);", CUDA,
                               functions=["twice"])

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        for wave in self.planner.waves(*x.shape):  # expect: KA115, KA531
            self.ops.twice(x, y, wave.first, wave.count)
        return y


def get_inputs():
    return [torch.rand(4096, 32768)]
