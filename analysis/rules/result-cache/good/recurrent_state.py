# verdict: clean
# near: 13
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void mix_kernel(const float* x, const float* h, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = tanhf(x[i] + 0.5f * h[i]);
}
torch::Tensor mix(torch::Tensor x, torch::Tensor h) {
  auto y = torch::empty_like(x);
  mix_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), h.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""
ext = load_inline(name="mix_ext", cpp_sources="torch::Tensor mix(torch::Tensor x, torch::Tensor h);", cuda_sources=source, functions=["mix"])


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.hidden = torch.zeros(n)

    def forward(self, x):
        self.hidden = ext.mix(x, self.hidden)
        return self.hidden
