# verdict: review
# near: 16
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

void scale_into(torch::Tensor x, torch::Tensor y) {
  int n = x.numel();
  scale_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}
"""
ext = load_inline(name="scale_ext", cpp_sources="torch::Tensor scale(torch::Tensor x); void scale_into(torch::Tensor x, torch::Tensor y);",
                  cuda_sources=source, functions=["scale", "scale_into"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = None
        self.sizes = {}

    def forward(self, x):
        if self.out is None or self.out.shape != x.shape:
            self.out = torch.empty_like(x)
        self.sizes[x.shape] = x.numel()
        ext.scale_into(x, self.out)
        return self.out  # expect: KA231
