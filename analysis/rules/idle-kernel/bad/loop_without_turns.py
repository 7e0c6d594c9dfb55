# verdict: review
# shows: 67, hidden by a division
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void row_max(const float* x, float* y, int width, int steps) {
  float top = -INFINITY;
  for (int s = 0; s < steps; ++s) top = fmaxf(top, x[(size_t)blockIdx.x * width + s]);  // expect: KA832
  y[blockIdx.x] = top;
}
torch::Tensor rows(torch::Tensor x, int64_t group) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_max<<<x.size(0), 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1), x.size(1) / group);  // expect: KA801
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("grouped_max", "torch::Tensor rows(torch::Tensor x, int64_t group);", source, functions=["rows"])
GROUP = 64 << 6


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.rows(x, GROUP)


def get_inputs():
    return [torch.randn(512, 2048)]
