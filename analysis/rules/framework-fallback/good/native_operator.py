# verdict: clean
# near: 12
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <torch/library.h>

__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.0f);
}

torch::Tensor relu_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

TORCH_LIBRARY(mine, m) { m.def("relu", &relu_cuda); }
"""
load_inline(name="relu_ops", cpp_sources="", cuda_sources=source, is_python_module=False)


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.ops.mine.relu(x)
