# verdict: clean
# near: 1
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
ext = load_inline(name="diamond_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source,
                  functions=["scale"])


class Plain(nn.Module):
    def forward(self, x):
        return torch.mul(x, 2.0)


class Checked(Plain):
    pass


class Scaled(Plain):
    def forward(self, x):
        return ext.scale(x.contiguous())


class ModelNew(Checked, Scaled):  # Checked has no forward: Scaled comes before Plain
    pass
