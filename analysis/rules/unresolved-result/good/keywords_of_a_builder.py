# verdict: clean
# near: 94, a build whose arguments a class keeps
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline


class OnDemand:
    def __init__(self, **settings):
        self.settings, self.built = settings, None

    def __get__(self, owner, kind=None):
        if self.built is None:
            self.built = load_inline(**self.settings)
        return self.built


class ModelNew(nn.Module):
    ops = OnDemand(name="on_demand", functions=["scale"], cpp_sources="torch::Tensor scale(torch::Tensor x);",
                   cuda_sources=r"""
#include <torch/extension.h>
__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
""")

    def forward(self, x):
        return self.ops.scale(x.contiguous())
