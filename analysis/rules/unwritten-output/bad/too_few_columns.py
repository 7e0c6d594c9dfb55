# verdict: review
# shows: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  const int passes = x.size(1) / 4096;
  for (int pass = 0; pass < passes; ++pass)  // expect: KA531, KA115
    twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
ext = load_inline("few_columns", "torch::Tensor run(torch::Tensor x);", SOURCE, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x.contiguous())


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return []
