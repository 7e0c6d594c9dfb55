# verdict: review
# near: 53
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

template <typename scalar_t>
__global__ void rows_kernel(const scalar_t* x, const scalar_t* w, scalar_t* y, int n, int k, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * m) return;
  float sum = 0.0f;
  for (int j = 0; j < k; ++j) sum += float(x[(i / m) * k + j]) * float(w[j * m + i % m]);
  y[i] = scalar_t(sum);
}

torch::Tensor product(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty({x.size(0), w.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "product", [&] {
    rows_kernel<scalar_t><<<(y.numel() + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(0), x.size(1), w.size(1));
  });
  return y;
}
"""
ext = load_inline(name="product_ext", cpp_sources="torch::Tensor product(torch::Tensor x, torch::Tensor w);", cuda_sources=source, functions=["product"])


class ModelNew(nn.Module):
    def __init__(self, fast=False):
        super().__init__()
        self.fast = fast

    def forward(self, x, w):
        if self.fast:
            return ext.product(x.half(), w.half()).float()  # expect: KA421
        return ext.product(x, w)
