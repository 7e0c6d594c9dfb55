# verdict: clean
# near: 5, a number that a function fills in
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static void count_passes(int n, int& passes) { passes = (n + 65535) / 65536; }

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::zeros_like(x);
  int n = x.numel();
  int passes = 0;
  int& counted = passes;
  count_passes(n, counted);
  for (int pass = 0; pass < passes; ++pass) {
    int begin = pass * 65536;
    int count = std::min(65536, n - begin);
    scale_kernel<<<(count + 255) / 256, 256>>>(x.data_ptr<float>() + begin, y.data_ptr<float>() + begin, count);
  }
  return y;
}
"""
ext = load_inline(name="passes_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source, functions=["scale"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x)


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
