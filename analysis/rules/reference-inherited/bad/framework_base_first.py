# verdict: review
# shows: 8, hidden by a base of the framework before one with a kernel
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
ext = load_inline(name="framework_base_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source,
                  functions=["scale"])


class Scaled(nn.Module):
    def forward(self, x):
        return ext.scale(x.contiguous())


class ModelNew(nn.Softmax, Scaled):  # expect: KA112
    def __init__(self):
        nn.Softmax.__init__(self, dim=-1)
