# verdict: clean
# near: 94, the last of the sizes of a tensor, changed where it stands
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void halves_kernel(const float* x, float* y, int columns, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* row = x + (long)(i / half) * columns;
  y[i] = row[i % half] + row[half + i % half];
}
torch::Tensor halves(torch::Tensor x) {
  auto sizes = x.sizes().vec();
  sizes.back() /= 2;
  auto y = torch::empty(sizes, x.options());
  int n = y.numel();
  halves_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(-1), sizes.back(), n);
  return y;
}
"""
ext = load_inline(name="vector_of_sizes", cpp_sources="torch::Tensor halves(torch::Tensor x);", cuda_sources=source, functions=["halves"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.halves(x)


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
