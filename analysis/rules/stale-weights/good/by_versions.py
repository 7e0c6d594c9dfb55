# verdict: clean
# near: 19
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void rows_kernel(const float* x, const float* w, float* y, int n, int k, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * m) return;
  float sum = 0.0f;
  for (int j = 0; j < k; ++j) sum += x[(i / m) * k + j] * w[j * m + i % m];
  y[i] = sum;
}
torch::Tensor product(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty({x.size(0), w.size(1)}, x.options());
  rows_kernel<<<(y.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1), w.size(1));
  return y;
}
"""
ext = load_inline(name="fixture_ext", cpp_sources="torch::Tensor product(torch::Tensor x, torch::Tensor w);", cuda_sources=source, functions=["product"])


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.bias = nn.Parameter(torch.randn(n))
        self.packed = None
        self.seen = ()

    def pack(self):
        parts = (self.weight, self.bias)
        current = tuple((part.data_ptr(), part._version) for part in parts)
        if self.packed is None or self.seen != current:
            self.packed = (self.weight.t() * self.bias).contiguous()
            self.seen = current
        return self.packed

    def forward(self, x):
        return ext.product(x, self.pack())
