# verdict: review
# shows: 5, hidden by a number of passes in C++
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static int passes_of(int n) { return n / (1 << 24); }

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::zeros_like(x);
  int n = x.numel();
  int passes = passes_of(n);
  for (int pass = 0; pass < passes; ++pass) {  // expect: KA115, KA531
    scale_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  }
  return y;
}
"""
ext = load_inline(name="passes_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source, functions=["scale"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x)


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
