# verdict: clean
# near: 71
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void rank_errors(const float* x, float* y, int n, float level) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] > level ? x[i] - level : level - x[i];
}

torch::Tensor pinball(torch::Tensor x, double level) {
  auto y = torch::empty_like(x);
  rank_errors<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), (float)level);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="pinball_ext", cpp_sources="torch::Tensor pinball(torch::Tensor x, double level);",
                  cuda_sources=source, functions=["pinball"])


class ModelNew(nn.Module):
    """Distances from a quantile of the normal distribution: every element takes part."""

    def forward(self, x):
        return ext.pinball(x, float(torch.special.ndtri(torch.tensor(0.9))))
