# verdict: inconclusive
# shows: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
"""
ops = load_inline("declared_only", "void scale_into(torch::Tensor x, torch::Tensor y);", source, functions=["scale_into"])


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        ops.scale_into(x, y)  # expect: KA701
        return y
