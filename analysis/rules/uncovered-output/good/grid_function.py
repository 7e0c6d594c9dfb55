# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static int blocks_for(int count) {
  const int part = count / 2;
  return (2 * part + 1 + 255) / 256;
}

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale_kernel<<<blocks_for(n), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="grid_function_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source,
                  functions=["scale"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x)
