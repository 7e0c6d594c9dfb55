# verdict: cheat
# shows: 20
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor twice(torch::Tensor x) {
  static torch::Tensor kept;
  if (!kept.defined()) {
    kept = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), kept.data_ptr<float>(), x.numel());
  }
  return kept;
}
"""
ext = load_inline(name="kept_ext", cpp_sources="torch::Tensor twice(torch::Tensor x);", cuda_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)  # expect: KA201
